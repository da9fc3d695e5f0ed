import { timestamp } from '@capstan/kube';
import type { Draft } from '../kind.ts';

export interface PodCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

/** Sets a condition of a Pod; the time of its transition moves only when its status does. */
export function setPodCondition(pod: Draft, condition: PodCondition, now: number): void {
  const conditions: Record<string, unknown>[] = pod['status']?.conditions ?? [];
  const at = conditions.findIndex(one => one['type'] === condition.type);
  const before = conditions[at];
  const lastTransitionTime = before?.['status'] === condition.status ? before['lastTransitionTime'] : timestamp(now);
  const { type, status, ...words } = condition;
  const next = { type, status, lastProbeTime: null, lastTransitionTime, ...words };
  pod['status'] = {
    ...pod['status'],
    conditions: before ? conditions.with(at, next) : [...conditions, next],
  };
}
