/** What a Deployment's status says, from its ReplicaSets. */
import type { Deployment, ReplicaSet } from '@capstan/kube';
import { type Conditions, conditionOf, renewed, withCondition, without } from './conditions.ts';
import { fencepostsOf } from './fenceposts.ts';
import { allOf, type Rollout, totalSize } from './replica-sets.ts';

export type DeploymentStatus = NonNullable<Deployment['status']>;

/** Every field; the server leaves out those that are zero. */
type Counts = { readonly [Key in Exclude<keyof DeploymentStatus, 'conditions' | 'collisionCount'>]-?: number };

/** `2^31 - 1` means: never. */
const NEVER = 2 ** 31 - 1;

export function progressDeadline({ spec }: Deployment): number | undefined {
  return spec.progressDeadlineSeconds === NEVER ? undefined : spec.progressDeadlineSeconds;
}

function countsOf(deployment: Deployment, rollout: Rollout): Counts {
  const all = allOf(rollout);
  const availableReplicas = sum(all, 'availableReplicas');
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(all, 'replicas'),
    updatedReplicas: rollout.current?.status?.replicas ?? 0,
    readyReplicas: sum(all, 'readyReplicas'),
    availableReplicas,
    unavailableReplicas: Math.max(0, totalSize(all) - availableReplicas),
    terminatingReplicas: sum(all, 'terminatingReplicas'),
  };
}

function sum(
  all: readonly ReplicaSet[],
  field: 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas',
): number {
  return all.reduce((total, { status }) => total + (status?.[field] ?? 0), 0);
}

/** All Pods are of the new template and available, and no others are left. */
export function isComplete({ spec, metadata }: Deployment, status: DeploymentStatus): boolean {
  const { replicas = 1 } = spec;
  return (
    (status.updatedReplicas ?? 0) === replicas &&
    (status.replicas ?? 0) === replicas &&
    (status.availableReplicas ?? 0) === replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

/**
 * The status after a step. `conditions` are those at hand, with what this reconcile has added to them already; `estimate` says whether
 * progress is to be judged (it is not while the Deployment is paused, resized or deleted).
 */
export function statusOf(
  deployment: Deployment,
  rollout: Rollout,
  conditions: Conditions,
  estimate: boolean,
  now: number,
): DeploymentStatus {
  const counts = countsOf(deployment, rollout);
  const base = withCondition(conditions, availability(deployment, counts), now);
  const judged = estimate ? withFailures(withProgress(deployment, rollout, counts, base, now), rollout, now) : base;
  const { collisionCount } = deployment.status ?? {};
  return {
    ...Object.fromEntries(
      Object.entries(counts).filter(([name, count]) => count !== 0 || name === 'terminatingReplicas'),
    ),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: judged,
  };
}

function availability(deployment: Deployment, { availableReplicas }: Counts) {
  const enough = availableReplicas >= (deployment.spec.replicas ?? 1) - fencepostsOf(deployment).maxUnavailable;
  return enough
    ? ({
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      } as const)
    : ({
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      } as const);
}

function withProgress(
  deployment: Deployment,
  { current }: Rollout,
  counts: Counts,
  conditions: Conditions,
  now: number,
): Conditions {
  const deadline = progressDeadline(deployment);
  if (deadline === undefined) return without(conditions, 'Progressing');
  const known = conditionOf(conditions, 'Progressing');
  // A rollout that is over is not judged again because a Pod of it comes or goes.
  if (counts.replicas === counts.updatedReplicas && known?.reason === 'NewReplicaSetAvailable') return conditions;
  const who =
    current === undefined
      ? `Deployment ${JSON.stringify(deployment.metadata.name)}`
      : `ReplicaSet ${JSON.stringify(current.metadata.name)}`;
  const progressing = { type: 'Progressing', status: 'True' } as const;
  if (isComplete(deployment, counts)) {
    const message = `${who} has successfully progressed.`;
    return withCondition(conditions, { ...progressing, reason: 'NewReplicaSetAvailable', message }, now);
  }
  if (hasProgressed(deployment.status ?? {}, counts)) {
    const message = `${who} is progressing.`;
    return renewed(conditions, { ...progressing, reason: 'ReplicaSetUpdated', message }, now);
  }
  if (known === undefined || known.reason === 'NewReplicaSetAvailable') return conditions;
  const late = Date.parse(known.lastUpdateTime ?? '') + deadline * 1000 < now;
  if (!late && known.reason !== 'ProgressDeadlineExceeded') return conditions;
  const message = `${who} has timed out progressing.`;
  const timedOut = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message } as const;
  return withCondition(conditions, timedOut, now);
}

/** New Pods came, or became ready or available, or old ones went. */
function hasProgressed(before: DeploymentStatus, after: Counts): boolean {
  const oldBefore = (before.replicas ?? 0) - (before.updatedReplicas ?? 0);
  return (
    after.updatedReplicas > (before.updatedReplicas ?? 0) ||
    after.replicas - after.updatedReplicas < oldBefore ||
    after.readyReplicas > (before.readyReplicas ?? 0) ||
    after.availableReplicas > (before.availableReplicas ?? 0)
  );
}

/** The failure of a ReplicaSet is the Deployment's, that of the new one before all others. */
function withFailures(conditions: Conditions, { current, old }: Rollout, now: number): Conditions {
  const failures = [...(current === undefined ? [] : [current]), ...old].flatMap(({ status }) =>
    (status?.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure'),
  );
  const [failure] = failures;
  if (failure === undefined) return without(conditions, 'ReplicaFailure');
  const { status, reason = '', message = '', lastTransitionTime } = failure;
  const existing = conditionOf(conditions, 'ReplicaFailure');
  if (existing?.status === status && existing.reason === reason) return conditions;
  const set = withCondition(conditions, { type: 'ReplicaFailure', status, reason, message }, now);
  return set.map(each =>
    each.type === 'ReplicaFailure' && lastTransitionTime
      ? { ...each, lastTransitionTime, lastUpdateTime: lastTransitionTime }
      : each,
  );
}

/** No deadline is running: it has passed, or the rollout was over before it did. */
const SETTLED: ReadonlySet<string> = new Set(['ProgressDeadlineExceeded', 'NewReplicaSetAvailable']);

/** In how many milliseconds to look again whether the rollout makes progress. */
export function progressCheck(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const deadline = progressDeadline(deployment);
  const known = conditionOf(status.conditions ?? [], 'Progressing');
  if (deadline === undefined || known === undefined) return undefined;
  if (isComplete(deployment, status) || SETTLED.has(known.reason ?? '')) return undefined;
  // A second more: times in a status are in whole seconds.
  return Math.max(0, Date.parse(known.lastUpdateTime ?? '') + deadline * 1000 - now) + 1000;
}
