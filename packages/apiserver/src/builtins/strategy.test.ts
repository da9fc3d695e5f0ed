import { expect, test } from 'vitest';
import type { Draft, StrategyContext } from '../kind.ts';
import { builtinKinds } from './kinds.ts';

const strategy = (kind: string) => builtinKinds().find(entry => entry.kind === kind)!.strategy;
const context: StrategyContext = {
  clock: { now: () => 0, monotonic: () => 0, after: () => expect.fail() },
  namespace: 'default',
};

const deployment = (): Draft => ({
  metadata: { name: 'web', generation: 3, labels: { a: 'b' } },
  spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: {} },
  status: { replicas: 2 },
});

test('the main endpoint never touches status, and /status touches nothing else', () => {
  const old = deployment();
  const main = { ...deployment(), status: { replicas: 9 } };
  strategy('Deployment').prepareForUpdate(main, old, context);
  expect(main['status']).toEqual({ replicas: 2 });

  const status = { ...deployment(), spec: { replicas: 9 }, status: { replicas: 9 } };
  strategy('Deployment').prepareForStatusUpdate(status, old, context);
  expect(status['spec']).toEqual(old['spec']);
  expect(status['status']).toEqual({ replicas: 9 });
});

test('a status that was not there does not stay', () => {
  const draft = deployment();
  const { status: _status, ...old } = deployment();
  strategy('Deployment').prepareForUpdate(draft, old as Draft, context);
  expect(draft).not.toHaveProperty('status');
});

test('writes own what their endpoint can change', () => {
  expect(strategy('Deployment').resetFields('')).toEqual([['status']]);
  expect(strategy('Deployment').resetFields('status')).toEqual([['spec'], ['metadata', 'labels']]);
  expect(strategy('ConfigMap').resetFields('')).toEqual([]);
});

test('new annotations of a Deployment count as a new generation', () => {
  const draft = deployment();
  draft.metadata.annotations = { a: 'b' };
  strategy('Deployment').prepareForUpdate(draft, deployment(), context);
  expect(draft.metadata.generation).toBe(4);
});

test('a Pod that runs is given time to end, one that does not is not', () => {
  const grace = strategy('Pod').gracePeriodSeconds!;
  const running = { metadata: {}, spec: { nodeName: 'n', terminationGracePeriodSeconds: 30 }, status: {} };
  expect(grace(running, undefined)).toBe(30);
  expect(grace(running, 5)).toBe(5);
  expect(grace(running, -1)).toBe(1);
  expect(grace({ ...running, status: { phase: 'Succeeded' } }, 5)).toBe(0);
  expect(grace({ ...running, spec: {} }, undefined)).toBe(0);
});

test('the Pods of a Job are its own by its uid', () => {
  const job: Draft = { metadata: { name: 'once', uid: 'u-1' }, spec: { template: { spec: {} } } };
  strategy('Job').prepareForCreate(job, context);
  expect(job['spec'].selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u-1' } });
  expect(job['spec'].template.metadata.labels).toMatchObject({ 'job-name': 'once', 'controller-uid': 'u-1' });
});

test('the finalizers of a Namespace do not change through its main endpoint', () => {
  const old = { metadata: { name: 'a' }, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
  const draft: Draft = { metadata: { name: 'a' }, spec: { finalizers: [] } };
  strategy('Namespace').prepareForUpdate(draft, old, context);
  expect(draft['spec'].finalizers).toEqual(['kubernetes']);
});
