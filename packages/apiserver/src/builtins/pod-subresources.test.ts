import { expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import type { Draft, Stored, StrategyContext } from '../kind.ts';
import {
  boundPod,
  prepareEphemeralContainers,
  validateBinding,
  validateEphemeralContainersUpdate,
} from './pod-subresources.ts';

const context: StrategyContext = { clock: { now: () => 0, monotonic: () => 0, after: () => expect.fail() } };
const pod = (spec: object = {}, metadata: object = {}): Stored => ({
  metadata: { name: 'p', ...metadata },
  spec: { containers: [], ...spec },
  status: { phase: 'Pending', nominatedNodeName: 'n' },
});
const binding = (target: object): Draft => ({ metadata: { name: 'p', labels: { zone: 'a' } }, target });

test('a bound Pod has a node, the labels of its binding, and says that it is scheduled', () => {
  const before = pod();
  const bound = boundPod(before, binding({ kind: 'Node', name: 'n' }), context);
  expect(bound['spec'].nodeName).toBe('n');
  expect(bound.metadata.labels).toEqual({ zone: 'a' });
  expect(bound['status']).toEqual({
    phase: 'Pending',
    conditions: [
      { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '1970-01-01T00:00:00Z' },
    ],
  });
  expect(before['spec']).not.toHaveProperty('nodeName');
});

test.each([
  [pod({ nodeName: 'other' }), 'pod p is already assigned to node "other"'],
  [pod({ schedulingGates: [{ name: 'a' }] }), 'pod p has non-empty .spec.schedulingGates'],
  [pod({}, { deletionTimestamp: 'now' }), 'pod p is being deleted, cannot be assigned to a host'],
])('one that cannot be bound is refused: %#', (before, why) => {
  expect(() => boundPod(before, binding({ name: 'n' }), context)).toThrow(
    `Operation cannot be fulfilled on pods/binding "p": ${why}`,
  );
});

test('a binding names a node', () => {
  const messages = (target: object) => validateBinding(binding(target)).map(errorMessage);
  expect(messages({ name: 'n' })).toEqual([]);
  expect(messages({ kind: 'Pod' })).toEqual([
    'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    'target.name: Required value',
  ]);
});

test('through ephemeralcontainers nothing else changes', () => {
  const debug = { name: 'debug', image: 'busybox' };
  const draft: Draft = {
    metadata: { name: 'p' },
    spec: { containers: [{}], nodeName: 'x', ephemeralContainers: [debug] },
  };
  prepareEphemeralContainers(draft, pod());
  expect(draft['spec']).toEqual({ containers: [], ephemeralContainers: [debug] });
  expect(draft['status']).toEqual(pod()['status']);
});

test('an ephemeral container that runs stays as it is', () => {
  const old = pod({
    ephemeralContainers: [
      { name: 'a', image: '1' },
      { name: 'b', image: '1' },
    ],
  });
  const draft: Draft = { metadata: {}, spec: { ephemeralContainers: [{ name: 'b', image: '2' }, { name: 'c' }] } };
  expect(validateEphemeralContainersUpdate(draft, old).map(error => error.detail.trim())).toEqual([
    'existing ephemeral containers "a" may not be removed',
    'existing ephemeral containers "b" may not be changed',
  ]);
});
