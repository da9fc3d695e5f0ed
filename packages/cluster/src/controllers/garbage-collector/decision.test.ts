import type { OwnerReference } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { decide, type OwnerState } from './decision.ts';

const owner = (name: string): OwnerReference => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid: name });
const owners = (...states: OwnerState[]) => states.map(state => ({ owner: owner(state), state }));
const alone = { hasDependents: false, dependentWaits: false };
const parent = { hasDependents: true, dependentWaits: false };
const inCircle = { hasDependents: true, dependentWaits: true };
const deletion = (propagation: string, unblock = false) => ({ type: 'delete', propagation, unblock });

describe('an object', () => {
  it.each([
    ['without owners stays', owners(), alone, [], { type: 'keep' }],
    ['with an owner stays', owners('solid'), alone, [], { type: 'keep' }],
    [
      'loses the owners that are gone',
      owners('solid', 'absent'),
      alone,
      [],
      { type: 'release', owners: [owner('absent')] },
    ],
    [
      'does not hold up an owner that goes',
      owners('waiting', 'solid'),
      parent,
      [],
      { type: 'release', owners: [owner('waiting')] },
    ],
    ['goes when all owners are gone', owners('absent', 'absent'), parent, [], deletion('Background')],
    ['goes with an owner that waits for it', owners('waiting'), alone, [], deletion('Background')],
    ['takes its own dependents along first', owners('waiting', 'absent'), parent, [], deletion('Foreground')],
    ['lets go where there may be a circle', owners('waiting'), inCircle, [], deletion('Foreground', true)],
    ['keeps to an earlier wish to orphan', owners('absent'), parent, ['orphan'], deletion('Orphan')],
    ['keeps to an earlier wish to wait', owners('absent'), parent, ['foregroundDeletion'], deletion('Foreground')],
  ] as const)('%s', (_, judged, surroundings, finalizers, expected) => {
    expect(decide({ name: 'x', finalizers }, judged, surroundings)).toEqual(expected);
  });
});
