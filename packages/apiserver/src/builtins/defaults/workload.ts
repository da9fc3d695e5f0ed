/** What Kubernetes fills in for the kinds of apps and batch. */
import type { Draft } from '../../kind.ts';
import { ensure, fill, listOf, type Tree } from '../tree.ts';
import { defaultTemplate } from './pod.ts';

const MAX_INT32 = 2 ** 31 - 1;

export function defaultDeployment(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'replicas', 1);
  const strategy = ensure(spec, 'strategy');
  fill(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensure(strategy, 'rollingUpdate');
    fill(rolling, 'maxUnavailable', '25%');
    fill(rolling, 'maxSurge', '25%');
  }
  fill(spec, 'revisionHistoryLimit', 10);
  fill(spec, 'progressDeadlineSeconds', 600);
  defaultTemplate(spec['template']);
}

export function defaultReplicaSet(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'replicas', 1);
  defaultTemplate(spec['template']);
}

export function defaultDaemonSet(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  const strategy = ensure(spec, 'updateStrategy');
  fill(strategy, 'type', 'RollingUpdate');
  if (strategy['type'] === 'RollingUpdate') {
    const rolling = ensure(strategy, 'rollingUpdate');
    fill(rolling, 'maxUnavailable', 1);
    fill(rolling, 'maxSurge', 0);
  }
  fill(spec, 'revisionHistoryLimit', 10);
  defaultTemplate(spec['template']);
}

export function defaultStatefulSet(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'podManagementPolicy', 'OrderedReady');
  const strategy = ensure(spec, 'updateStrategy');
  if (strategy['type'] === undefined) {
    strategy['type'] = 'RollingUpdate';
    ensure(strategy, 'rollingUpdate');
  }
  if (strategy['type'] === 'RollingUpdate' && strategy['rollingUpdate']) {
    fill(strategy['rollingUpdate'], 'partition', 0);
    fill(strategy['rollingUpdate'], 'maxUnavailable', 1);
  }
  const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy');
  fill(retention, 'whenDeleted', 'Retain');
  fill(retention, 'whenScaled', 'Retain');
  fill(spec, 'replicas', 1);
  fill(spec, 'revisionHistoryLimit', 10);
  defaultTemplate(spec['template']);
  for (const claim of listOf(spec, 'volumeClaimTemplates')) {
    // Unlike objects of their own, claims in a template say what they are.
    fill(claim, 'apiVersion', 'v1');
    fill(claim, 'kind', 'PersistentVolumeClaim');
    fill(ensure(claim, 'spec'), 'volumeMode', 'Filesystem');
    fill(ensure(claim, 'status'), 'phase', 'Pending');
  }
}

export function defaultJob(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  const labels = spec['template']?.metadata?.labels as Record<string, string> | undefined;
  if (labels !== undefined && draft.metadata.labels === undefined) draft.metadata.labels = { ...labels };
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  fill(spec, 'parallelism', 1);
  fill(spec, 'backoffLimit', spec['backoffLimitPerIndex'] === undefined ? 6 : MAX_INT32);
  fill(spec, 'completionMode', 'NonIndexed');
  fill(spec, 'suspend', false);
  fill(spec, 'podReplacementPolicy', spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed');
  fill(spec, 'manualSelector', false);
  defaultJobInside(spec);
}

export function defaultCronJob(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'concurrencyPolicy', 'Allow');
  fill(spec, 'suspend', false);
  fill(spec, 'successfulJobsHistoryLimit', 3);
  fill(spec, 'failedJobsHistoryLimit', 1);
  // The Job that will be made gets the defaults of a Job then, the Pod in it has its own now.
  if (spec['jobTemplate']?.spec) defaultJobInside(spec['jobTemplate'].spec);
}

function defaultJobInside(spec: Tree): void {
  for (const rule of listOf(spec['podFailurePolicy'], 'rules')) {
    for (const pattern of listOf(rule, 'onPodConditions')) pattern['status'] ||= 'True';
  }
  defaultTemplate(spec['template']);
}
