import { configMaps, customResourceDefinitions, namespaces, pods, secrets } from '@capstan/kube';
import { explore, type Scenario } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { otherFaults, program } from '../../testing/faults.fixture.ts';
import { widgets, widgetsDefinition } from '../../testing/widgets.fixture.ts';
import { namespaceController } from './index.ts';

const namespace = 'doomed';

const scenario: Scenario = {
  name: 'a namespace ends',
  deadline: 120_000,
  async arrange(client) {
    await client.create(customResourceDefinitions, widgetsDefinition);
    await client.create(namespaces, { metadata: { name: namespace } });
    for (const name of ['a', 'b']) await client.create(configMaps, { metadata: { namespace, name } });
    await client.create(configMaps, { metadata: { namespace: 'default', name: 'stays' } });
    await client.create(secrets, { metadata: { namespace, name: 's', finalizers: ['example.io/slow'] } });
    await client.create(widgets, { metadata: { namespace, name: 'w' } });
    await client.create(pods, {
      metadata: { namespace, name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await client.delete(namespaces, { name: namespace });
  },
  start: program(namespaceController),
  async act(client) {
    await client.patch(secrets, { namespace, name: 's' }, { merge: { metadata: { finalizers: [] } } });
  },
  always: ({ type, object }) =>
    type === 'DELETED' && object.metadata.name === 'stays' ? 'something elsewhere was deleted' : undefined,
  async observe(client) {
    const left = await Promise.all([namespaces, configMaps, secrets, widgets, pods].map(kind => client.list(kind)));
    return left.flatMap(({ items }) => items.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  },
};

describe('a namespace that is deleted', () => {
  it('ends with all that is in it, whenever its controller is killed or disturbed', { timeout: 60_000 }, async () => {
    const { failures, writes } = await explore(scenario, {
      depth: 'singles',
      also: otherFaults(7, '/namespaces'),
    });
    expect(failures).toEqual([]);
    expect(writes).toBeGreaterThanOrEqual(7);
  });
});
