import type { Node, Toleration } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { evictionTime } from './eviction.ts';
import { taintsOf } from './taints.ts';

const now = Date.UTC(2026, 0, 1);
const unreachable = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2025-12-31T23:59:50Z' };
const other = { key: 'other', effect: 'NoExecute' };
const tolerate = (key: string, tolerationSeconds?: number): Toleration => ({
  key,
  operator: 'Exists',
  ...(tolerationSeconds !== undefined && { tolerationSeconds }),
});

describe('a Pod has to leave', () => {
  it.each([
    ['never, where nothing asks it to', [{ ...other, effect: 'NoSchedule' }], [], 'never'],
    ['at once, without a toleration', [unreachable], [], Number.NEGATIVE_INFINITY],
    ['never, with one that does not end', [unreachable], [tolerate(unreachable.key)], 'never'],
    ['when its time is over, counted from the taint', [unreachable], [tolerate(unreachable.key, 300)], now + 290_000],
    [
      'by the shortest of those that fit',
      [unreachable],
      [tolerate(unreachable.key, 300), tolerate('', 20)],
      now + 10_000,
    ],
    ['when the first of several taints says so', [unreachable, other], [tolerate('', 30)], now + 20_000],
    [
      'at once, if one of several is not tolerated',
      [unreachable, other],
      [tolerate(unreachable.key)],
      Number.NEGATIVE_INFINITY,
    ],
  ] as const)('%s', (_, taints, tolerations, expected) => {
    expect(evictionTime(taints, tolerations, now)).toBe(expected);
  });
});

describe('the taints of a node', () => {
  const node = (
    status: 'True' | 'False' | 'Unknown' | undefined,
    taints: object[] = [],
    unschedulable = false,
  ): Node => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: { taints: taints as [], unschedulable },
    status: { conditions: status === undefined ? [] : [{ type: 'Ready', status }] },
  });
  const keys = (taints: ReturnType<typeof taintsOf>) => taints?.map(({ key, effect }) => `${key}:${effect}`);
  const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const mine = { key: 'example.io/mine', effect: 'NoSchedule' };

  it.each([
    ['stay while nothing was reported', node(undefined, [notReady]), true, undefined],
    [
      'go when the node is ready, but not those of others',
      node('True', [mine, notReady]),
      true,
      ['example.io/mine:NoSchedule'],
    ],
    [
      'keep and drive away when it is not',
      node('False', [notReady]),
      true,
      ['node.kubernetes.io/not-ready:NoSchedule', 'node.kubernetes.io/not-ready:NoExecute'],
    ],
    ['only keep away when no node is ready', node('Unknown'), false, ['node.kubernetes.io/unreachable:NoSchedule']],
    [
      'change when silence follows trouble',
      node('Unknown', [notReady]),
      false,
      ['node.kubernetes.io/unreachable:NoSchedule'],
    ],
    ['tell of a node that was cordoned', node('True', [], true), true, ['node.kubernetes.io/unschedulable:NoSchedule']],
    ['are left as they are when they are right', node('True', [mine]), true, undefined],
  ] as const)('%s', (_, given, evicts, expected) => {
    expect(keys(taintsOf(given, evicts, now))).toEqual(expected);
  });
});
