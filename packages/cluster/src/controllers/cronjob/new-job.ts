import { ownerReference } from '@capstan/controller';
import type { CronJob, Job, NewObject, ObjectReferenceField } from '@capstan/kube';
import { timeZone } from './local-time.ts';

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** The name follows from the time, so that a run is started once. */
export function jobName({ metadata }: CronJob, scheduledAt: number): string {
  return `${metadata.name}-${Math.floor(scheduledAt / 60_000)}`;
}

export function newJob(cronJob: CronJob, scheduledAt: number): NewObject<Job> {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      name: jobName(cronJob, scheduledAt),
      namespace: cronJob.metadata.namespace,
      ...(metadata?.labels && { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, [SCHEDULED_AT]: timeZone(cronJob.spec.timeZone).format(scheduledAt) },
      ownerReferences: [ownerReference(cronJob)],
    },
    spec,
  };
}

export function referenceTo({ apiVersion, kind, metadata }: Job): ObjectReferenceField {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { kind, namespace: namespace!, name, uid: uid!, apiVersion, resourceVersion: resourceVersion! };
}
