/** Conditions as Deployments keep them: with the time of the last update beside that of the last change. */
import { timestamp, type WorkloadCondition } from '@capstan/kube';

export type Conditions = readonly WorkloadCondition[];

export interface NewWorkloadCondition {
  readonly type: 'Available' | 'Progressing' | 'ReplicaFailure';
  readonly status: WorkloadCondition['status'];
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(conditions: Conditions, type: NewWorkloadCondition['type']): WorkloadCondition | undefined {
  return conditions.find(condition => condition.type === type);
}

export function without(conditions: Conditions, type: NewWorkloadCondition['type']): Conditions {
  return conditions.filter(condition => condition.type !== type);
}

/** Sets one, at the end of the list. With the same status and reason it is no news, and stays with its message and times. */
export function withCondition(conditions: Conditions, condition: NewWorkloadCondition, now: number): Conditions {
  const existing = conditionOf(conditions, condition.type);
  if (existing?.status === condition.status && existing.reason === condition.reason) return conditions;
  return renewed(conditions, condition, now);
}

/** The same, but it counts as an update even where nothing differs: progress was made. */
export function renewed(conditions: Conditions, condition: NewWorkloadCondition, now: number): Conditions {
  const existing = conditionOf(conditions, condition.type);
  const at = timestamp(now);
  const lastTransitionTime = existing?.status === condition.status ? (existing.lastTransitionTime ?? at) : at;
  return [...without(conditions, condition.type), { ...condition, lastUpdateTime: at, lastTransitionTime }];
}
