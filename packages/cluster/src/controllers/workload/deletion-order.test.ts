import type { Pod } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { podsToDelete } from './deletion-order.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();

interface Traits {
  readonly node?: string;
  readonly phase?: 'Pending' | 'Running';
  readonly readyFor?: number;
  readonly cost?: string;
  readonly restarts?: number;
  readonly age?: number;
}

function pod(
  name: string,
  { node = 'n', phase = 'Running', readyFor, cost, restarts = 0, age = 10 }: Traits = {},
): Pod {
  const annotations = cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': cost };
  const lastTransitionTime = readyFor === undefined ? null : ago(readyFor);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, uid: name, annotations, creationTimestamp: ago(age) },
    spec: { containers: [], ...(node !== '' && { nodeName: node }) },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: readyFor === undefined ? 'False' : 'True', lastTransitionTime }],
      containerStatuses: [{ name: 'c', ready: true, restartCount: restarts, image: '', imageID: '' }],
    },
  };
}

describe('of two Pods the first to go is', () => {
  it.each([
    ['the one without a node', pod('go', { node: '', readyFor: 1 }), pod('stay')],
    ['the pending one', pod('go', { phase: 'Pending' }), pod('stay')],
    ['the one that is not ready', pod('go'), pod('stay', { readyFor: 1 })],
    ['the cheaper one', pod('go', { readyFor: 9, cost: '-5' }), pod('stay', { readyFor: 1 })],
    ['the one that has been ready for less long', pod('go', { readyFor: 1 }), pod('stay', { readyFor: 9 })],
    ['the one that was restarted more', pod('go', { restarts: 3 }), pod('stay', { restarts: 1 })],
    ['the younger', pod('go', { age: 1 }), pod('stay', { age: 9 })],
  ])('%s', (_, go, stay) => {
    expect(podsToDelete([stay, go], [], 1, NOW)).toEqual([go]);
    expect(podsToDelete([go, stay], [], 1, NOW)).toEqual([go]);
  });

  it('the one on the node with more of them', () => {
    const all = [
      pod('a', { node: 'n1', readyFor: 9 }),
      pod('b', { node: 'n2', readyFor: 9 }),
      pod('c', { node: 'n2', readyFor: 9 }),
    ];
    expect(podsToDelete(all, all, 1, NOW)[0]!.spec.nodeName).toBe('n2');
  });

  it('any of those that are about the same age: by uid, not by age', () => {
    const all = [pod('a', { readyFor: 9 }), pod('b', { readyFor: 8.9 })];
    expect(podsToDelete(all, [], 1, NOW)).toEqual([all[0]]);
  });
});
