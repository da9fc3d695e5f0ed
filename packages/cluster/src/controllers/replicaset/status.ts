import { labelMatcher, type Pod, type ReplicaSet, timestamp } from '@capstan/kube';
import { isActive, isAvailable, isReady, isTerminating } from '../workload/pod-state.ts';

export type ReplicaSetStatus = NonNullable<ReplicaSet['status']>;

/** What kept the ReplicaSet from having the Pods that it should have. */
export interface ReplicaFailure {
  readonly reason: 'FailedCreate' | 'FailedDelete';
  readonly message: string;
}

/** The status that the Pods amount to. */
export function statusOf(
  replicaSet: ReplicaSet,
  owned: readonly Pod[],
  failure: ReplicaFailure | undefined,
  now: number,
): ReplicaSetStatus {
  const active = owned.filter(isActive);
  const template = labelMatcher(replicaSet.spec.template?.metadata?.labels ?? {});
  const { minReadySeconds = 0 } = replicaSet.spec;
  const conditions = conditionsOf(replicaSet, failure, now);
  return {
    replicas: active.length,
    // The server leaves out counts that are zero, and a status that differs only in that is no news.
    ...count('fullyLabeledReplicas', active.filter(({ metadata }) => template.matches(metadata.labels)).length),
    ...count('readyReplicas', active.filter(isReady).length),
    ...count('availableReplicas', active.filter(pod => isAvailable(pod, minReadySeconds, now)).length),
    terminatingReplicas: owned.filter(isTerminating).length,
    observedGeneration: replicaSet.metadata.generation ?? 0,
    ...(conditions.length > 0 && { conditions }),
  };
}

function count(name: string, value: number): Record<string, number> {
  return value === 0 ? {} : { [name]: value };
}

/** A failure that is known already keeps its message and its time, whatever the next attempt died of. */
function conditionsOf({ status }: ReplicaSet, failure: ReplicaFailure | undefined, now: number) {
  const existing = status?.conditions ?? [];
  const known = existing.some(({ type }) => type === 'ReplicaFailure');
  if (failure === undefined) return existing.filter(({ type }) => type !== 'ReplicaFailure');
  if (known) return existing;
  const condition = { type: 'ReplicaFailure', status: 'True', ...failure, lastTransitionTime: timestamp(now) } as const;
  return [...existing, condition];
}
