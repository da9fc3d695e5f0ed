import { configMaps, customResourceDefinitions, isNotFound, namespaces, pods } from '@capstan/kube';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../../testing/bench.fixture.ts';
import { widgets, widgetsDefinition } from '../../testing/widgets.fixture.ts';
import { namespaceController } from './index.ts';

let bench: Bench;
afterEach(() => bench.stop());

const name = 'doomed';

async function doomed(): Promise<Bench> {
  bench = await startBench([namespaceController]);
  await bench.client.create(namespaces, { metadata: { name } });
  return bench;
}

const isGone = async (): Promise<boolean> =>
  bench.client.get(namespaces, { name }).then(
    () => false,
    error => isNotFound(error),
  );

const conditions = async (): Promise<Record<string, string>> => {
  const { status } = await bench.client.get(namespaces, { name });
  const problems = (status?.conditions ?? []).filter(condition => condition.status === 'True');
  return Object.fromEntries(problems.map(({ type, message = '' }) => [type, message]));
};

describe('a namespace that is deleted', () => {
  it('goes with everything that is in it, and touches nothing elsewhere', async () => {
    const { client, advance } = await doomed();
    for (const namespace of [name, 'default']) {
      await client.create(configMaps, { metadata: { namespace, name: 'a' } });
    }
    await client.delete(namespaces, { name });
    await advance();
    expect(await isGone()).toBe(true);
    expect((await client.list(configMaps)).items.map(({ metadata }) => metadata.namespace)).toEqual(['default']);
  });

  it('takes objects of custom kinds along, also of kinds that came after the controller', async () => {
    const { client, advance } = await doomed();
    await client.create(customResourceDefinitions, widgetsDefinition);
    await advance();
    await client.create(widgets, { metadata: { namespace: name, name: 'w' } });
    await client.delete(namespaces, { name });
    await advance();
    expect(await isGone()).toBe(true);
    expect((await client.list(widgets)).items).toEqual([]);
  });

  it('waits for its Pods before anything else goes, and says so', async () => {
    const { client, advance } = await doomed();
    const spec = { nodeName: 'n1', containers: [{ name: 'c', image: 'i' }] };
    await client.create(pods, { metadata: { namespace: name, name: 'p' }, spec });
    await client.create(configMaps, { metadata: { namespace: name, name: 'a' } });
    await client.delete(namespaces, { name });
    await advance();
    expect((await client.get(pods, { namespace: name, name: 'p' })).metadata.deletionTimestamp).toBeDefined();
    expect((await client.list(configMaps, { namespace: name })).items).toHaveLength(1);
    expect(await conditions()).toEqual({
      NamespaceContentRemaining: 'Some resources are remaining: pods. has 1 resource instances',
    });
    await client.delete(pods, { namespace: name, name: 'p' }, { grace: 0 });
    await advance(20_000);
    expect(await isGone()).toBe(true);
  });

  it('names the finalizers that hold it, and goes when they are done', async () => {
    const { client, advance } = await doomed();
    const metadata = { namespace: name, name: 'held', finalizers: ['example.io/held'] };
    await client.create(configMaps, { metadata });
    await client.delete(namespaces, { name });
    await advance();
    expect(await conditions()).toEqual({
      NamespaceContentRemaining: 'Some resources are remaining: configmaps. has 1 resource instances',
      NamespaceFinalizersRemaining:
        'Some content in the namespace has finalizers remaining: example.io/held in 1 resource instances',
    });
    await client.patch(configMaps, metadata, { merge: { metadata: { finalizers: [] } } });
    await advance(20_000);
    expect(await isGone()).toBe(true);
  });

  it('keeps the finalizers that others put on it', async () => {
    const { client, advance } = await doomed();
    const spec = { finalizers: ['kubernetes', 'example.io/mine'] };
    const found = await client.get(namespaces, { name });
    await client.subresource(namespaces, 'finalize').update({ name }, { ...found, spec } as never);
    await client.delete(namespaces, { name });
    await advance();
    expect((await client.get(namespaces, { name })).spec?.finalizers).toEqual(['example.io/mine']);
  });
});
