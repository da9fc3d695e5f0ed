/**
 * Counting Pods once. First the status names Pods that have ended and are not counted (`uncountedTerminatedPods`), then their
 * finalizers come off, then the counters take them in and the names go. Killed anywhere, the next pass sees from status and finalizers how far it came.
 */
import type { Job, Pod } from '@capstan/kube';
import type { Assessment, Verdict } from './assessment.ts';
import { consequenceOf } from './failure-policy.ts';
import { formatIndexes } from './indexes.ts';
import { lastFailedByIndex } from './plan.ts';
import { counts, hasFailed, hasSucceeded, indexOf, isIndexed, isTracked } from './pods.ts';

export type JobStatus = NonNullable<Job['status']>;

/** More names than this would make the status too large; the rest waits for the next pass. */
const MOST_UNCOUNTED = 500;

export interface Tracking {
  readonly status: JobStatus;
  /** Pods whose finalizers may come off once that status is stored. */
  readonly release: readonly Pod[];
  /** There are more. */
  readonly more: boolean;
}

export function track(job: Job, pods: readonly Pod[], assessment: Assessment, verdict: Verdict | undefined): Tracking {
  const settled = withoutUntracked(job.status ?? {}, pods);
  const succeeded = [...(settled.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(settled.uncountedTerminatedPods?.failed ?? [])];
  const release: Pod[] = [];
  let newIndexes = 0;
  const kept = new Set(lastFailedByIndex(job, pods, assessment).values());
  for (const pod of pods.filter(isTracked)) {
    if (newIndexes + succeeded.length + failed.length >= MOST_UNCOUNTED) {
      return { status: named(job, settled, assessment, succeeded, failed), release, more: true };
    }
    if (!mayRelease(job, pod, verdict, kept)) continue;
    release.push(pod);
    const uid = pod.metadata.uid!;
    if (hasSucceeded(pod) && !failed.includes(uid)) {
      if (isIndexed(job)) newIndexes += indexOf(pod, job) === undefined ? 0 : 1;
      else if (!succeeded.includes(uid)) succeeded.push(uid);
    } else if (countsAsFailed(job, pod, verdict) && !failed.includes(uid)) failed.push(uid);
  }
  return { status: named(job, settled, assessment, succeeded, failed), release, more: false };
}

function mayRelease(job: Job, pod: Pod, verdict: Verdict | undefined, kept: ReadonlySet<Pod>): boolean {
  if (job.metadata.deletionTimestamp !== undefined || verdict !== undefined || hasSucceeded(pod)) return true;
  return hasFailed(pod, job) && !kept.has(pod);
}

/** What still ran when the Job failed has failed with it; what ran when it succeeded was not needed. */
function countsAsFailed(job: Job, pod: Pod, verdict: Verdict | undefined): boolean {
  if (!hasFailed(pod, job) && verdict?.type !== 'FailureTarget') return false;
  return counts(pod, job) && consequenceOf(pod, job).action !== 'Ignore';
}

function named(
  job: Job,
  status: JobStatus,
  { succeededIndexes, failedIndexes }: Assessment,
  succeeded: readonly string[],
  failed: readonly string[],
): JobStatus {
  const uncountedTerminatedPods = {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  };
  if (!isIndexed(job)) return { ...status, uncountedTerminatedPods };
  const { succeeded: _, completedIndexes: __, ...rest } = status;
  return {
    ...rest,
    uncountedTerminatedPods,
    ...(succeededIndexes.size > 0 && {
      succeeded: succeededIndexes.size,
      completedIndexes: formatIndexes(succeededIndexes),
    }),
    ...(job.spec.backoffLimitPerIndex !== undefined && { failedIndexes: formatIndexes(failedIndexes) }),
  };
}

/** Takes into the counters what is named in the status and carries no finalizer any more. */
export function withoutUntracked(status: JobStatus, pods: readonly Pod[]): JobStatus {
  const tracked = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid!));
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const [succeededLeft, failedLeft] = [succeeded, failed].map(uids => uids.filter(uid => tracked.has(uid)));
  const moreSucceeded = succeeded.length - succeededLeft!.length;
  const moreFailed = failed.length - failedLeft!.length;
  return {
    ...status,
    ...(moreSucceeded > 0 && { succeeded: (status.succeeded ?? 0) + moreSucceeded }),
    ...(moreFailed > 0 && { failed: (status.failed ?? 0) + moreFailed }),
    uncountedTerminatedPods: {
      ...(succeededLeft!.length > 0 && { succeeded: succeededLeft! }),
      ...(failedLeft!.length > 0 && { failed: failedLeft! }),
    },
  };
}

export function nothingUncounted({ uncountedTerminatedPods }: JobStatus): boolean {
  return !uncountedTerminatedPods?.succeeded?.length && !uncountedTerminatedPods?.failed?.length;
}
