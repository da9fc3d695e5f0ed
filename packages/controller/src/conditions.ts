import { type Condition, timestamp } from '@capstan/kube';

/** A condition as a controller decides it; when it last changed is worked out. */
export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/**
 * The conditions with one of them set. `lastTransitionTime` moves only when `status` does. If nothing changes, the very same
 * array comes back, so a status that holds it is still equal.
 *
 * @example const conditions = setCondition(task.status?.conditions, { type: 'Ready', status: 'True', reason: 'Running', message: '' }, now);
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: NewCondition,
  now: number,
): readonly Condition[] {
  const existing = getCondition(conditions, condition.type);
  if (existing === undefined) return [...(conditions ?? []), { ...condition, lastTransitionTime: timestamp(now) }];
  const moved = existing.status !== condition.status;
  const same =
    !moved &&
    existing.reason === condition.reason &&
    existing.message === condition.message &&
    existing.observedGeneration === condition.observedGeneration;
  if (same) return conditions!;
  const lastTransitionTime = moved ? timestamp(now) : existing.lastTransitionTime;
  return conditions!.map(each => (each === existing ? { ...condition, lastTransitionTime } : each));
}

export function getCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find(condition => condition.type === type);
}

/** Whether a condition is there and `True`. */
export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return getCondition(conditions, type)?.status === 'True';
}
