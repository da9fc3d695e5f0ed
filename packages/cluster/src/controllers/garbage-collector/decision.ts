/** What becomes of an object, from what is known of its owners. Pure: the collector finds out and acts. */
import type { KubeObject, OwnerReference } from '@capstan/kube';
import { FOREGROUND, ORPHAN } from './graph.ts';

/** What an owner reference leads to. */
export type OwnerState =
  /** An object that is there to stay, as far as its dependents are concerned. */
  | 'solid'
  /** Nothing: there is no such object, or it is another one by that name. */
  | 'absent'
  /** An object that is only waiting for its dependents to be deleted. */
  | 'waiting';

export interface Judged {
  readonly owner: OwnerReference;
  readonly state: OwnerState;
}

export interface Surroundings {
  /** Whether anything names this object as its owner. */
  readonly hasDependents: boolean;
  /** Whether one of those waits for its own dependents: then there may be a circle, in which each waits for the next. */
  readonly dependentWaits: boolean;
}

export type Decision =
  | { readonly type: 'keep' }
  /** It has an owner still; references to the others only stand in the way. */
  | { readonly type: 'release'; readonly owners: readonly OwnerReference[] }
  | {
      readonly type: 'delete';
      readonly propagation: 'Foreground' | 'Background' | 'Orphan';
      /** First let its owners go without waiting for it. */
      readonly unblock: boolean;
    };

export function decide(
  { finalizers }: KubeObject['metadata'],
  judged: readonly Judged[],
  { hasDependents, dependentWaits }: Surroundings,
): Decision {
  if (judged.length === 0) return { type: 'keep' };
  const owners = judged.filter(({ state }) => state !== 'solid').map(({ owner }) => owner);
  if (owners.length < judged.length) return owners.length === 0 ? { type: 'keep' } : { type: 'release', owners };
  if (hasDependents && judged.some(({ state }) => state === 'waiting')) {
    return { type: 'delete', propagation: 'Foreground', unblock: dependentWaits };
  }
  return { type: 'delete', propagation: inherited(finalizers ?? []), unblock: false };
}

/** What somebody asked for before is kept to. */
function inherited(finalizers: readonly string[]): 'Foreground' | 'Background' | 'Orphan' {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}
