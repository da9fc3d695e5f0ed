import type { PodCondition } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { container, exited, type FactsInput, NOW, podFacts, running, SECOND } from './facts.fixture.ts';
import { statusOf } from './status.ts';

const context = { hostIP: '127.0.0.1', podIP: '127.64.0.1', imageID: () => 'capstan://image' };
const status = (input: FactsInput) => statusOf(podFacts(input), context);
const stateOf = (input: FactsInput) => status(input).containerStatuses![0]!.state;
const conditionsOf = (input: FactsInput) =>
  Object.fromEntries(
    status(input).conditions!.map(({ type, status: value, reason }) => [type, reason ? `${value} ${reason}` : value]),
  );
const ran = { initialized: true };

describe('the phase', () => {
  const never = { restartPolicy: 'Never' as const };
  const sidecar = container('s', { restartPolicy: 'Always' });
  it.each<[string, string, FactsInput]>([
    ['Pending', 'before anything runs', {}],
    ['Pending', 'while init containers run', { spec: { initContainers: [container('i')] }, states: { i: running() } }],
    [
      'Pending',
      'while one container has never run',
      { spec: { containers: [container('app'), container('b')] }, states: { app: running() }, facts: ran },
    ],
    ['Running', 'when all run', { states: { app: running() }, facts: ran }],
    ['Running', 'while one waits to be restarted', { states: { app: exited(1) }, facts: ran }],
    [
      'Running',
      'while one of two still runs',
      {
        spec: { ...never, containers: [container('app'), container('b')] },
        states: { app: exited(1), b: running() },
        facts: ran,
      },
    ],
    ['Succeeded', 'when all have succeeded', { spec: never, states: { app: exited(0) }, facts: ran }],
    [
      'Failed',
      'when one has failed',
      {
        spec: { ...never, containers: [container('app'), container('b')] },
        states: { app: exited(1), b: exited(0) },
        facts: ran,
      },
    ],
    [
      'Failed',
      'when an init container has failed for good',
      { spec: { ...never, initContainers: [container('i')] }, states: { i: exited(1) } },
    ],
    [
      'Running',
      'while a sidecar has yet to end',
      { spec: { ...never, initContainers: [sidecar] }, states: { s: running(), app: exited(0) }, facts: ran },
    ],
    [
      'Succeeded',
      'whatever becomes of the sidecar',
      { spec: { ...never, initContainers: [sidecar] }, states: { s: exited(143), app: exited(0) }, facts: ran },
    ],
    [
      'Failed',
      'at the active deadline',
      {
        spec: { activeDeadlineSeconds: 1 },
        status: { startTime: '2025-12-31T23:00:00Z' },
        states: { app: exited(143) },
        facts: ran,
      },
    ],
    [
      'Failed',
      'when it was killed on deletion',
      { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' }, states: { app: exited(137) }, facts: ran },
    ],
    ['Failed', 'for good', { status: { phase: 'Failed' }, states: { app: exited(0) }, facts: ran }],
  ])('is %s %s', (phase, _, input) => {
    expect(status(input).phase).toBe(phase);
  });
});

describe('a container', () => {
  const blocked = {
    type: 'blocked',
    reason: 'ErrImagePull',
    message: 'not known',
    since: NOW,
    retryAt: NOW + 10 * SECOND,
  } as const;
  it.each<[string, FactsInput, object]>([
    ['is being created', {}, { waiting: { reason: 'ContainerCreating' } }],
    [
      'waits for init containers',
      { spec: { initContainers: [container('i')] } },
      { waiting: { reason: 'PodInitializing' } },
    ],
    ['has no image', { states: { app: blocked } }, { waiting: { reason: 'ErrImagePull', message: 'not known' } }],
    [
      'waits for its image',
      { states: { app: { ...blocked, since: NOW - 2 * SECOND } } },
      {
        waiting: {
          reason: 'ImagePullBackOff',
          message: 'Back-off pulling image "capstan/pause": ErrImagePull: not known',
        },
      },
    ],
    ['runs', { states: { app: running() } }, { running: { startedAt: '2025-12-31T23:59:00Z' } }],
    [
      'has ended',
      { spec: { restartPolicy: 'Never' }, states: { app: exited(3) } },
      {
        terminated: {
          exitCode: 3,
          reason: 'Error',
          startedAt: '2025-12-31T23:59:00Z',
          finishedAt: '2026-01-01T00:00:00Z',
          containerID: 'capstan://1',
        },
      },
    ],
  ])('that %s says so', (_, input, expected) => {
    expect(stateOf(input)).toEqual(expected);
  });

  it('in back-off tells for how long, and how it ended', () => {
    const more = { app: { backoff: { delay: 80_000, updatedAt: NOW - 60_000 }, restarts: 4 } };
    expect(status({ states: { app: exited(1) }, more, facts: ran }).containerStatuses![0]).toMatchObject({
      state: {
        waiting: {
          reason: 'CrashLoopBackOff',
          message: 'back-off 1m20s restarting failed container=app pod=web_default(u1)',
        },
      },
      lastState: { terminated: { exitCode: 1 } },
      restartCount: 4,
      ready: false,
      started: false,
      imageID: 'capstan://image',
      containerID: 'capstan://1',
    });
  });

  it('is ready when it has started and its probe agrees', () => {
    const ready = (state: Parameters<typeof running>[0]) =>
      status({ states: { app: running(state) } }).containerStatuses![0]!.ready;
    expect([ready({}), ready({ ready: false }), ready({ started: false })]).toEqual([true, false, false]);
  });
});

describe('the conditions', () => {
  it.each<[string, FactsInput, Record<string, string>]>([
    [
      'of a Pod without volumes yet',
      { facts: { prepared: false } },
      {
        PodReadyToStartContainers: 'False',
        Initialized: 'True',
        Ready: 'False ContainersNotReady',
        ContainersReady: 'False ContainersNotReady',
        PodScheduled: 'True',
      },
    ],
    [
      'of a Pod that initializes',
      { spec: { initContainers: [container('i')] } },
      {
        PodReadyToStartContainers: 'True',
        Initialized: 'False ContainersNotInitialized',
        Ready: 'False ContainersNotReady',
        ContainersReady: 'False ContainersNotReady',
        PodScheduled: 'True',
      },
    ],
    [
      'of a Pod that is ready',
      { states: { app: running() }, facts: ran },
      {
        PodReadyToStartContainers: 'True',
        Initialized: 'True',
        Ready: 'True',
        ContainersReady: 'True',
        PodScheduled: 'True',
      },
    ],
    [
      'of a Pod that has succeeded',
      { spec: { restartPolicy: 'Never' }, states: { app: exited(0) }, facts: ran },
      {
        PodReadyToStartContainers: 'False',
        Initialized: 'True PodCompleted',
        Ready: 'False PodCompleted',
        ContainersReady: 'False PodCompleted',
        PodScheduled: 'True',
      },
    ],
    [
      'of a Pod whose gate is not there',
      { spec: { readinessGates: [{ conditionType: 'example.io/gate' }] }, states: { app: running() }, facts: ran },
      {
        PodReadyToStartContainers: 'True',
        Initialized: 'True',
        Ready: 'False ReadinessGatesNotReady',
        ContainersReady: 'True',
        PodScheduled: 'True',
      },
    ],
  ])('%s', (_, input, expected) => {
    expect(conditionsOf(input)).toEqual(expected);
  });

  it('a gate that others opened makes the Pod ready', () => {
    const gate: PodCondition = { type: 'example.io/gate', status: 'True' };
    const spec = { readinessGates: [{ conditionType: 'example.io/gate' }] };
    expect(
      conditionsOf({ spec, status: { conditions: [gate] }, states: { app: running() }, facts: ran })['Ready'],
    ).toBe('True');
  });

  it('keep their time while they stay as they are', () => {
    const conditions: PodCondition[] = [
      { type: 'Ready', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' },
      { type: 'ContainersReady', status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z' },
    ];
    const times = Object.fromEntries(
      status({ status: { conditions }, states: { app: running() }, facts: ran }).conditions!.map(
        ({ type, lastTransitionTime }) => [type, lastTransitionTime],
      ),
    );
    expect(times).toMatchObject({ Ready: '2025-01-01T00:00:00Z', ContainersReady: '2026-01-01T00:00:00Z' });
  });
});

it('a Pod that was active for too long tells why it failed', () => {
  const spec = { activeDeadlineSeconds: 1 };
  expect(status({ spec, status: { startTime: '2025-12-31T23:00:00Z' }, states: { app: exited(143) } })).toMatchObject({
    phase: 'Failed',
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
    podIP: '127.64.0.1',
    podIPs: [{ ip: '127.64.0.1' }],
    hostIP: '127.0.0.1',
  });
});
