import type { Deployment, ReplicaSet } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { currentAnnotations } from './annotations.ts';
import { fencepostsOf } from './fenceposts.ts';
import { initialSize, isScalingEvent, resizeStep, rollingStep } from './scaling.ts';

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };

function deployment(replicas: number, maxSurge: number | string, maxUnavailable: number | string): Deployment {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } as const;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas, selector: {}, template, strategy },
  };
}

/** Older ones first in the alphabet are older in time. */
function replicaSet(
  name: string,
  replicas: number,
  available = replicas,
  sizes?: readonly [number, number],
): ReplicaSet {
  const annotations = sizes && {
    'deployment.kubernetes.io/desired-replicas': String(sizes[0]),
    'deployment.kubernetes.io/max-replicas': String(sizes[1]),
  };
  const metadata = {
    name,
    creationTimestamp: `2026-01-01T00:00:0${name.charCodeAt(0) - 97}Z`,
    ...(annotations && { annotations }),
  };
  const status = { replicas, availableReplicas: available };
  return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { replicas, selector: {} }, status };
}

const sizes = (steps: readonly { replicaSet: ReplicaSet; replicas: number }[]) =>
  Object.fromEntries(steps.map(step => [step.replicaSet.metadata.name, step.replicas]));

describe('how far a rolling update may stray', () => {
  it.each([
    [10, '25%', '25%', 3, 2],
    [4, '25%', '25%', 1, 1],
    [1, '25%', '25%', 1, 0],
    [2, 0, '1%', 0, 1],
    [2, 1, 5, 1, 2],
    [0, '25%', '25%', 0, 0],
  ])(
    'with %i replicas, surge %s and unavailable %s: %i and %i',
    (replicas, surge, unavailable, maxSurge, maxUnavailable) => {
      expect(fencepostsOf(deployment(replicas, surge, unavailable))).toEqual({ maxSurge, maxUnavailable });
    },
  );
});

describe('a step of a rolling update', () => {
  it('begins with as many new Pods as the surge allows', () => {
    expect(initialSize(deployment(10, 3, 2), [replicaSet('a', 10)])).toBe(3);
    expect(initialSize(deployment(10, 3, 2), [])).toBe(10);
    expect(initialSize(deployment(10, 3, 2), [replicaSet('a', 13)])).toBe(0);
  });

  it.each([
    ['old ones go as far as availability allows', replicaSet('b', 3, 0), [replicaSet('a', 10)], { a: 8 }],
    ['new ones come into the room they leave', replicaSet('b', 3, 0), [replicaSet('a', 8)], { b: 5 }],
    ['nothing moves while the new ones are not available', replicaSet('b', 5, 0), [replicaSet('a', 8)], {}],
    ['for each that is available an old one goes', replicaSet('b', 5, 2), [replicaSet('a', 8)], { a: 6 }],
    ['the last old ones go', replicaSet('b', 10, 10), [replicaSet('a', 2)], { a: 0 }],
    ['what serves nobody goes first', replicaSet('c', 0, 0), [replicaSet('a', 8), replicaSet('b', 5, 0)], { b: 0 }],
    ['a new one that is too large shrinks first', replicaSet('b', 12, 12), [replicaSet('a', 1)], { b: 10 }],
    ['at the end nothing is left to do', replicaSet('b', 10), [replicaSet('a', 0)], {}],
  ])('%s', (_, current, old, expected) => {
    expect(sizes(rollingStep(deployment(10, 3, 2), { current, old }))).toEqual(expected);
  });
});

describe('a change of size', () => {
  it('is noticed by what was noted when the ReplicaSets were last scaled', () => {
    const rollout = { current: replicaSet('a', 10, 10, [10, 13]), old: [] };
    expect(isScalingEvent(deployment(10, 3, 2), rollout)).toBe(false);
    expect(isScalingEvent(deployment(12, 3, 2), rollout)).toBe(true);
  });

  it('is followed by the only ReplicaSet that has Pods', () => {
    const rollout = { current: replicaSet('b', 10, 10, [10, 13]), old: [replicaSet('a', 0)] };
    expect(sizes(resizeStep(deployment(4, 1, 1), rollout))).toEqual({ b: 4 });
  });

  it.each([
    // Kubernetes' own example: 10 replicas with surge 3 in the middle of a rollout, scaled to 15.
    [15, { a: 11, b: 7 }],
    [5, { a: 5, b: 3 }],
    [0, { a: 0, b: 0 }],
  ])('to %i in the middle of a rollout is shared in proportion', (replicas, expected) => {
    const rollout = { current: replicaSet('b', 5, 0, [10, 13]), old: [replicaSet('a', 8, 8, [10, 13])] };
    expect(sizes(resizeStep(deployment(replicas, 3, 2), rollout))).toEqual(expected);
  });
});

describe('the annotations of the current ReplicaSet', () => {
  const of = (annotations: Record<string, string>) => ({
    ...deployment(1, 1, 1),
    metadata: { name: 'web', annotations },
  });

  it('are the Deployment’s own, but for those that belong to one object', () => {
    const own = {
      who: 'me',
      'deployment.kubernetes.io/revision': '7',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
    };
    expect(currentAnnotations(of(own), {}, 1)).toEqual({ who: 'me', 'deployment.kubernetes.io/revision': '1' });
  });

  it('remember the revisions that it had before', () => {
    const once = currentAnnotations(of({}), { 'deployment.kubernetes.io/revision': '1' }, 3);
    expect(once).toEqual({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
    expect(currentAnnotations(of({}), once, 5)).toEqual({
      'deployment.kubernetes.io/revision': '5',
      'deployment.kubernetes.io/revision-history': '1,3',
    });
  });

  it('do not go back to a lower revision', () => {
    const existing = { 'deployment.kubernetes.io/revision': '5' };
    expect(currentAnnotations(of({}), existing, 3)).toEqual(existing);
  });
});
