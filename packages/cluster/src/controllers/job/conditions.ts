import { type PodCondition, timestamp } from '@capstan/kube';

export interface NewJobCondition {
  readonly type: 'Suspended' | 'Complete' | 'Failed' | 'SuccessCriteriaMet' | 'FailureTarget';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Sets a condition, in its place. One that is `False` is not worth adding. The same array comes back when nothing changes. */
export function withJobCondition(
  conditions: readonly PodCondition[],
  condition: NewJobCondition,
  now: number,
): readonly PodCondition[] {
  const at = timestamp(now);
  const existing = conditions.find(({ type }) => type === condition.type);
  const { status, reason, message } = condition;
  if (existing === undefined) {
    if (status === 'False') return conditions;
    return [...conditions, { ...condition, lastProbeTime: at, lastTransitionTime: at }];
  }
  if (existing.status === status && existing.reason === reason && existing.message === message) return conditions;
  return conditions.map(each =>
    each === existing ? { ...condition, lastProbeTime: at, lastTransitionTime: at } : each,
  );
}

/** Whether a Job has ended, one way or the other. */
export function isFinished(conditions: readonly PodCondition[] | undefined): boolean {
  return !!conditions?.some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
}
