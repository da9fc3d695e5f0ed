import { ownerReference } from '@capstan/controller';
import { type Client, configMaps, type KubeObject } from '@capstan/kube';
import { explore, replay, type Scenario } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { otherFaults, program } from '../../testing/faults.fixture.ts';
import { garbageCollector } from './index.ts';

const namespace = 'default';

async function family(client: Client, name: string): Promise<void> {
  const make = (each: string, ...owners: KubeObject[]): Promise<KubeObject> =>
    client.create(configMaps, {
      metadata: {
        namespace,
        name: `${name}-${each}`,
        ownerReferences: owners.map(owner => ownerReference(owner, { controller: false })),
      },
    });
  const owner = await make('owner');
  const other = await make('other');
  const child = await make('child', owner);
  await make('grandchild', child);
  await make('shared', owner, other);
}

const families = ['background', 'foreground', 'orphan'] as const;
const policies = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

const scenario: Scenario = {
  name: 'three owners are deleted in three ways',
  deadline: 120_000,
  async arrange(client) {
    for (const name of families) await family(client, name);
  },
  start: program(garbageCollector),
  async act(client) {
    for (const name of families) {
      await client.delete(configMaps, { namespace, name: `${name}-owner` }, { propagation: policies[name] });
    }
  },
  always: ({ type, object }) =>
    type === 'DELETED' && /other|shared|orphan-(child|grandchild)/.test(object.metadata.name)
      ? `${object.metadata.name} was deleted though it has an owner, or was orphaned`
      : undefined,
  async observe(client) {
    const { items } = await client.list(configMaps);
    return items.map(({ metadata }) => [metadata.name, metadata.ownerReferences?.map(({ name }) => name) ?? []]);
  },
};

describe('the garbage collector', () => {
  it('ends as it should, and deletes nothing that is owned, whenever it is killed or disturbed', {
    timeout: 60_000,
  }, async () => {
    const { failures, writes } = await explore(scenario, {
      depth: 'singles',
      also: otherFaults(12, '/configmaps'),
    });
    expect(failures).toEqual([]);
    expect(writes).toBeGreaterThanOrEqual(10);
  });

  it('leaves what it should', async () => {
    const ends: unknown[] = [];
    const observe = async (client: Client): Promise<unknown> => {
      ends.push(await scenario.observe(client));
      return ends.at(-1);
    };
    expect(await replay({ ...scenario, observe }, [])).toEqual([]);
    expect(ends[0]).toEqual([
      ['background-other', []],
      ['background-shared', ['background-other']],
      ['foreground-other', []],
      ['foreground-shared', ['foreground-other']],
      ['orphan-child', []],
      ['orphan-grandchild', ['orphan-child']],
      ['orphan-other', []],
      ['orphan-shared', ['orphan-other']],
    ]);
  });
});
