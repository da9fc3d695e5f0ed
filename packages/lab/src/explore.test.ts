import { createManager, done, silentLog } from '@capstan/controller';
import { type Client, configMaps, createClient } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { explore, replay, report } from './explore.ts';
import type { Fault } from './fault.ts';
import type { Scenario, World } from './run.ts';

const NAMESPACE = 'default';

/** Makes a copy of every ConfigMap that asks for one, and notes on it that this was done. */
function toy(name: string, copy: (client: Client, source: string) => Promise<string>): Scenario {
  return {
    name,
    deadline: 60_000,
    async arrange(client) {
      for (const source of ['one', 'two']) {
        await client.create(configMaps, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: source, namespace: NAMESPACE, labels: { copy: 'please' } },
          data: { from: source },
        });
      }
    },
    start({ transport, clock, random }: World) {
      const manager = createManager({ transport, clock, random, log: silentLog });
      manager.controller({
        name: 'copier',
        for: configMaps,
        async reconcile(request) {
          const source = await manager.cache.get(configMaps, request);
          if (source?.metadata.labels?.copy !== 'please' || source.metadata.annotations?.copy) return done();
          const made = await copy(manager.client, request.name);
          await manager.client.patch(configMaps, request, { merge: { metadata: { annotations: { copy: made } } } });
          return done();
        },
      });
      return manager.start();
    },
    async observe(client) {
      const { items } = await client.list(configMaps, { namespace: NAMESPACE });
      return items
        .map(item => JSON.stringify([item.metadata.labels, Object.keys(item.metadata.annotations ?? {}), item.data]))
        .sort(); // names that the server chose are in no particular order
    },
  };
}

const copyOf = (source: string, metadata: object) => ({
  apiVersion: 'v1' as const,
  kind: 'ConfigMap' as const,
  metadata: { namespace: NAMESPACE, ...metadata } as { name: string; namespace: string },
  data: { copyOf: source },
});

/** Names the copy after its source: a second try finds the first. */
const right = toy('a copier that is right', async (client, source) => {
  const made = await client.apply(configMaps, copyOf(source, { name: `${source}-copy` }), { owner: 'copier' });
  return made.metadata.name;
});

/** Lets the server choose a name and notes it afterwards: killed in between, it makes another one. */
const wrong = toy('a copier that is wrong', async (client, source) => {
  const made = await client.create(configMaps, copyOf(source, { generateName: `${source}-` }));
  return made.metadata.name;
});

describe('the explorer', () => {
  it('passes a controller that is right through every crash and every pair of them', async () => {
    const result = await explore(right);
    console.log(report(result));
    expect(result.writes).toBe(4);
    expect(result.failures).toEqual([]);
    expect(result.schedules).toBeGreaterThan(30);
  });

  it('finds the crash that a wrong controller does not survive, and says which one it is', async () => {
    const result = await explore(wrong);
    console.log(report(result));
    const singles = result.failures.filter(failure => failure.faults.length === 1);
    expect(singles.map(({ faults }) => faults)).toContainEqual([{ kind: 'crash', when: 'after', write: 1 }]);
    expect(singles[0]!.why.join()).toMatch(/another end/);
    expect(await replay(wrong, singles[0]!.faults, singles[0]!.seed)).toEqual(singles[0]!.why);
  });

  const others: readonly Fault[] = [
    { kind: 'lost-answer', write: 1 },
    { kind: 'refused', write: 1, code: 409 },
    { kind: 'refused', write: 1, code: 429 },
    { kind: 'refused', write: 2, code: 500 },
    { kind: 'watches-dropped', write: 1 },
    { kind: 'watches-expired', write: 1 },
    { kind: 'stale', write: 1, table: '/configmaps', milliseconds: 5_000 },
    { kind: 'slow', write: 1, milliseconds: 500 },
    { kind: 'clock-jump', write: 1, milliseconds: -3_600_000 },
  ];
  it.each(others)('brings a right controller through $kind', async fault => {
    expect(await replay(right, [fault])).toEqual([]);
  });
});

describe('a run', () => {
  it('does not touch the cluster it was forked from: two runs begin alike and end alike', async () => {
    const seen: unknown[] = [];
    const scenario: Scenario = {
      ...right,
      async observe(client) {
        const { items } = await client.list(configMaps, { namespace: NAMESPACE });
        seen.push(items.map(item => [item.metadata.name, item.metadata.uid, item.metadata.creationTimestamp]));
        return seen.at(-1);
      },
    };
    await replay(scenario, []);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toEqual(seen[1]);
  });

  it('looks at every version on the way, not only at the end', async () => {
    const scenario: Scenario = {
      ...wrong,
      always: ({ type, object }) =>
        type === 'ADDED' && object.data?.copyOf === 'two' ? 'nobody may copy number two' : undefined,
    };
    expect(await replay(scenario, [])).toEqual(['nobody may copy number two']);
  });

  it('notices a program that never rests', async () => {
    const restless: Scenario = {
      ...right,
      name: 'restless',
      start({ transport, clock }) {
        const client = createClient({ transport, clock });
        const again = async (): Promise<void> => {
          const reference = { namespace: NAMESPACE, name: 'one' };
          await client.patch(configMaps, reference, { merge: { data: { at: String(clock.now()) } } });
          clock.after(30_000, again);
        };
        return again();
      },
      observe: async () => 'the same',
    };
    expect((await replay(restless, [])).join()).toMatch(/not silent: \d+ writes/);
  });
});
