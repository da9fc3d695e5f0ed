import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { container, exited, type FactsInput, NOW, podFacts, running, SECOND } from './facts.fixture.ts';

const actionsOf = (input: FactsInput): string[] =>
  decide(podFacts(input)).actions.map(action => `${action.type} ${action.container}`);

const sidecar = (name: string) => container(name, { restartPolicy: 'Always' });

describe('starting', () => {
  it.each<[string, FactsInput, string[]]>([
    [
      'starts all containers together',
      { spec: { containers: [container('a'), container('b')] } },
      ['start a', 'start b'],
    ],
    ['starts nothing before address and volumes are there', { facts: { prepared: false } }, []],
    ['starts one that is being started no second time', { states: { app: { type: 'starting' } } }, []],
    [
      'starts the first init container alone',
      { spec: { initContainers: [container('i'), container('j')] } },
      ['start i'],
    ],
    [
      'starts the next init container when the one before has succeeded',
      { spec: { initContainers: [container('i'), container('j')] }, states: { i: exited(0) } },
      ['start j'],
    ],
    [
      'starts the others when all init containers have succeeded',
      { spec: { initContainers: [container('i')] }, states: { i: exited(0) } },
      ['start app'],
    ],
    [
      'waits for a sidecar to have started',
      { spec: { initContainers: [sidecar('s')] }, states: { s: running({ started: false }) } },
      [],
    ],
    [
      'goes on while a sidecar runs',
      { spec: { initContainers: [sidecar('s')] }, states: { s: running() } },
      ['start app'],
    ],
    [
      'restarts a sidecar later on, without holding up the others',
      {
        spec: { initContainers: [sidecar('s')] },
        states: { s: exited(0), app: running() },
        facts: { initialized: true },
      },
      ['start s'],
    ],
    [
      'runs init containers again where the Pod has to begin anew',
      { spec: { initContainers: [container('i')] }, states: { app: exited(137) } },
      ['start i'],
    ],
  ])('%s', (_, input, expected) => {
    expect(actionsOf(input)).toEqual(expected);
  });
});

describe('restarting', () => {
  it.each<[string, FactsInput['spec'], number, string[]]>([
    ['Always restarts what failed', { restartPolicy: 'Always' }, 1, ['start app']],
    ['Always restarts what succeeded', { restartPolicy: 'Always' }, 0, ['start app']],
    ['OnFailure restarts what failed', { restartPolicy: 'OnFailure' }, 1, ['start app']],
    ['OnFailure leaves what succeeded', { restartPolicy: 'OnFailure' }, 0, []],
    ['Never restarts nothing', { restartPolicy: 'Never' }, 1, []],
  ])('%s', (_, spec, exitCode, expected) => {
    expect(actionsOf({ spec: spec!, states: { app: exited(exitCode) }, facts: { initialized: true } })).toEqual(
      expected,
    );
  });

  it('waits for the back-off and says until when', () => {
    const facts = podFacts({
      states: { app: exited(1, NOW - 4 * SECOND) },
      more: { app: { backoff: { delay: 10 * SECOND, updatedAt: NOW - 60 * SECOND } } },
      facts: { initialized: true },
    });
    expect(decide(facts)).toMatchObject({ actions: [], wakeAt: NOW + 6 * SECOND });
  });

  it('tries an image again when it is time', () => {
    const blocked = { type: 'blocked', reason: 'ErrImagePull', message: 'no', since: NOW - 10 * SECOND } as const;
    expect(actionsOf({ states: { app: { ...blocked, retryAt: NOW + 1 } } })).toEqual([]);
    expect(actionsOf({ states: { app: { ...blocked, retryAt: NOW } } })).toEqual(['start app']);
  });

  it('stops a container whose probe failed, with the grace that the probe gives', () => {
    const doomed = { message: 'Container app failed liveness probe, will be restarted', graceSeconds: 5 };
    const facts = podFacts({ states: { app: running({ doomed }) }, facts: { initialized: true } });
    expect(decide(facts).actions).toEqual([
      { type: 'stop', container: 'app', by: NOW + 5 * SECOND, message: doomed.message },
    ]);
  });
});

describe('ending', () => {
  const deletion = { deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 };
  const two = { containers: [container('a'), container('b')], initContainers: [sidecar('s1'), sidecar('s2')] };
  const all = { a: running(), b: running(), s1: running(), s2: running() };

  it('stops all ordinary containers first, by the time that the deletion gives', () => {
    const { actions, over } = decide(
      podFacts({ spec: two, metadata: deletion, states: all, facts: { initialized: true } }),
    );
    expect(actions).toMatchObject([
      { type: 'stop', container: 'a', by: NOW + 30 * SECOND },
      { type: 'stop', container: 'b', by: NOW + 30 * SECOND },
    ]);
    expect(over).toBe(false);
  });

  it('then sidecars, the last one first', () => {
    const ended = { a: exited(0), b: exited(0) };
    const input = { spec: two, metadata: deletion, facts: { initialized: true } };
    expect(actionsOf({ ...input, states: { ...all, ...ended } })).toEqual(['stop s2']);
    expect(actionsOf({ ...input, states: { ...all, ...ended, s2: exited(0) } })).toEqual(['stop s1']);
  });

  it('gives a sidecar two seconds even when the grace period is over', () => {
    const metadata = { deletionTimestamp: '2025-12-31T23:59:59Z' };
    const states = { ...all, a: exited(0), b: exited(0) };
    const { actions } = decide(podFacts({ spec: two, metadata, states, facts: { initialized: true } }));
    expect(actions).toMatchObject([{ container: 's2', by: NOW + 2 * SECOND }]);
  });

  it('starts nothing any more, and is over when nothing runs', () => {
    expect(decide(podFacts({ metadata: deletion }))).toMatchObject({ actions: [], over: true });
  });

  it('stops sidecars when the work of the Pod is done', () => {
    const spec = { restartPolicy: 'Never' as const, initContainers: [sidecar('s')] };
    const facts = { initialized: true, endingSince: NOW };
    expect(decide(podFacts({ spec, states: { s: running(), app: exited(0) }, facts })).actions).toMatchObject([
      { type: 'stop', container: 's', by: NOW + 30 * SECOND },
    ]);
  });

  it('stops everything at the active deadline, and wakes for it', () => {
    const spec = { activeDeadlineSeconds: 60 };
    const before = { startTime: '2025-12-31T23:59:30Z' };
    const states = { app: running() };
    const input = { spec, states, facts: { initialized: true } };
    expect(decide(podFacts({ ...input, status: before }))).toMatchObject({ actions: [], wakeAt: NOW + 30 * SECOND });
    expect(actionsOf({ ...input, status: { startTime: '2025-12-31T23:59:00Z' } })).toEqual(['stop app']);
  });

  it('an init container that failed for good ends the Pod', () => {
    const spec = { restartPolicy: 'Never' as const, initContainers: [container('i')] };
    expect(decide(podFacts({ spec, states: { i: exited(1) } }))).toMatchObject({ actions: [], over: true });
  });
});
