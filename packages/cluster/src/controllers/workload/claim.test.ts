import { type KubeObject, labelMatcher } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { decideClaim } from './claim.ts';

const object = (name: string, app: string, owner?: string, leaving = false): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    labels: { app },
    ...(owner !== undefined && {
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'x', uid: owner, controller: true }],
    }),
    ...(leaving && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  },
});
const owner = (leaving = false): KubeObject => {
  const { metadata, ...rest } = object('web', 'web', undefined, leaving);
  return { ...rest, metadata: { ...metadata, uid: 'us' } };
};
const names = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);

const all = [
  object('ours', 'web', 'us'),
  object('relabelled', 'other', 'us'),
  object('stray', 'web'),
  object('leaving stray', 'web', undefined, true),
  object('nobody’s business', 'other'),
  object('theirs', 'web', 'them'),
];

describe('a workload', () => {
  it('keeps what is its own, adopts strays and lets go of what no longer matches', () => {
    const claim = decideClaim(owner(), labelMatcher({ app: 'web' }), all);
    expect(names(claim.owned)).toEqual(['ours']);
    expect(names(claim.adopt)).toEqual(['stray']);
    expect(names(claim.release)).toEqual(['relabelled']);
  });

  it('that is being deleted takes nothing and lets go of nothing', () => {
    const claim = decideClaim(owner(true), labelMatcher({ app: 'web' }), all);
    expect([names(claim.owned), names(claim.adopt), names(claim.release)]).toEqual([['ours'], [], []]);
  });
});
