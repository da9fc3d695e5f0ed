import type { PodCondition } from '../kinds/pod-spec.ts';
import type { KubeObject } from '../object.ts';

export interface ObjectStatus {
  /**
   * - `Current`: what there is matches the spec
   * - `InProgress`: someone works on it, or will
   * - `Failed`: it will not get there by itself
   * - `Terminating`: it is being deleted
   */
  readonly status: 'Current' | 'InProgress' | 'Failed' | 'Terminating';
  /** One word, for machines. */
  readonly reason: string;
  readonly message: string;
}

export function statusOf(status: ObjectStatus['status'], reason: string, message: string): ObjectStatus {
  return { status, reason, message };
}

export const current = (message: string): ObjectStatus => statusOf('Current', 'Current', message);
export const inProgress = (reason: string, message: string): ObjectStatus => statusOf('InProgress', reason, message);
export const failed = (reason: string, message: string): ObjectStatus => statusOf('Failed', reason, message);

/** The conditions of any object; none if what stands there is something else. */
export function conditionsOf(object: KubeObject): readonly PodCondition[] {
  const { conditions } = (object as { status?: { conditions?: unknown } }).status ?? {};
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(each => typeof each === 'object' && each !== null);
}
