import { ownerReference } from '@capstan/controller';
import {
  configMaps,
  customResourceDefinitions,
  events,
  type KubeObject,
  namespaces,
  type OwnerReference,
  secrets,
} from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, requestsDuring, startBench } from '../../testing/bench.fixture.ts';
import { widgets, widgetsDefinition } from '../../testing/widgets.fixture.ts';
import { garbageCollector } from './index.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench([garbageCollector]);
});
afterEach(() => bench.stop());

const namespace = 'default';
const at = (name: string) => ({ namespace, name });

function make(name: string, owners: readonly (KubeObject | OwnerReference)[] = [], rest: object = {}) {
  const ownerReferences = owners.map(owner =>
    'metadata' in owner ? ownerReference(owner, { controller: false }) : owner,
  );
  return bench.client.create(configMaps, { metadata: { ...at(name), ownerReferences, ...rest } });
}

const left = async (): Promise<string[]> => {
  await bench.advance();
  const { items } = await bench.client.list(configMaps);
  return items.map(({ metadata }) => metadata.name).sort();
};

describe('background deletion', () => {
  it('takes dependents, and what depends on them, but nothing that has another owner', async () => {
    const owner = await make('owner');
    const other = await make('other');
    const child = await make('child', [owner]);
    await make('grandchild', [child]);
    const shared = await make('shared', [owner, other]);
    await make('stranger');
    expect(await left()).toHaveLength(6);
    await bench.client.delete(configMaps, at('owner'));
    expect(await left()).toEqual(['other', 'shared', 'stranger']);
    const { ownerReferences } = (await bench.client.get(configMaps, at('shared'))).metadata;
    expect(ownerReferences?.map(({ name }) => name)).toEqual(['other']);
    expect(shared.metadata.ownerReferences).toHaveLength(2);
  });

  it('asks the API nothing about objects whose owners are there', async () => {
    const owner = await make('owner');
    await bench.advance();
    for (let index = 0; index < 20; index++) await make(`child-${index}`, [owner]);
    const asked = await requestsDuring(() => bench.advance(5_000));
    expect(asked.filter(request => request.includes('configmaps/'))).toEqual([]);
  });

  it('deletes what names an owner that never was, and what names the namesake of a deleted one', async () => {
    const owner = await make('owner');
    await make('a', [{ ...ownerReference(owner), uid: 'not-the-uid' }]);
    await make('b', [{ ...ownerReference(owner), name: 'nobody', uid: 'nor-this' }]);
    expect(await left()).toEqual(['owner']);
  });

  it('works for kinds that come later, as owners and as dependents', async () => {
    await bench.client.create(customResourceDefinitions, widgetsDefinition);
    await bench.advance();
    const widget = await bench.client.create(widgets, { metadata: at('w') });
    await make('of-widget', [widget]);
    const owner = await make('owner');
    await bench.client.create(widgets, { metadata: { ...at('owned'), ownerReferences: [ownerReference(owner)] } });
    await bench.advance();
    await bench.client.delete(widgets, at('w'));
    await bench.client.delete(configMaps, at('owner'));
    expect(await left()).toEqual([]);
    expect((await bench.client.list(widgets)).items).toEqual([]);
  });

  it('takes the dependents of custom objects when their kind is removed', async () => {
    await bench.client.create(customResourceDefinitions, widgetsDefinition);
    await bench.advance();
    const widget = await bench.client.create(widgets, { metadata: at('w') });
    await make('of-widget', [widget]);
    expect(await left()).toEqual(['of-widget']);
    await bench.client.delete(customResourceDefinitions, { name: 'widgets.example.io' });
    await bench.advance();
    expect(await left()).toEqual([]);
  });

  it('leaves alone what is owned by a kind that nobody knows', async () => {
    await make('a', [{ apiVersion: 'nowhere.io/v1', kind: 'Thing', name: 'x', uid: 'u' }]);
    await bench.advance(600_000);
    expect(await left()).toEqual(['a']);
  });
});

describe('owners and namespaces', () => {
  it('takes an owner in another namespace for absent, with an Event', async () => {
    const owner = await bench.client.create(configMaps, { metadata: { namespace: 'kube-system', name: 'owner' } });
    await bench.advance();
    await make('child', [owner]);
    expect(await left()).toEqual(['owner']);
    const { items } = await bench.client.list(events, { namespace });
    expect(items.map(({ reason, message }) => [reason, message])).toEqual([
      [
        'OwnerRefInvalidNamespace',
        `ownerRef [v1/ConfigMap, namespace: default, name: owner, uid: ${owner.metadata.uid}] does not exist in namespace "default"`,
      ],
    ]);
  });

  it('lets an object without a namespace own others everywhere', async () => {
    const owner = await bench.client.create(namespaces, { metadata: { name: 'owner' } });
    await make('child', [owner]);
    expect(await left()).toEqual(['child']);
  });

  it('deletes nothing without a namespace for the sake of an owner with one', async () => {
    const owner = await make('owner');
    const ownerReferences = [ownerReference(owner), { ...ownerReference(owner), name: 'gone', uid: 'gone' }];
    await bench.client.create(namespaces, { metadata: { name: 'child', ownerReferences: [ownerReferences[1]!] } });
    await bench.advance();
    await bench.client.delete(configMaps, at('owner'));
    await bench.advance();
    expect((await bench.client.get(namespaces, { name: 'child' })).metadata.deletionTimestamp).toBeUndefined();
  });
});

describe('foreground deletion', () => {
  it('keeps the owner until what blocks it is gone', async () => {
    const owner = await make('owner');
    await make('held', [owner], { finalizers: ['example.io/held'] });
    await make('free', [owner]);
    await make('not-blocking', [{ ...ownerReference(owner), controller: false, blockOwnerDeletion: false }], {
      finalizers: ['example.io/held'],
    });
    await bench.advance();
    await bench.client.delete(configMaps, at('owner'), { propagation: 'Foreground' });
    expect(await left()).toEqual(['held', 'not-blocking', 'owner']);
    await bench.client.patch(configMaps, at('held'), { merge: { metadata: { finalizers: [] } } });
    expect(await left()).toEqual(['not-blocking']);
  });

  it('goes down all levels, the lowest first', async () => {
    const owner = await make('owner');
    const child = await make('child', [owner]);
    await make('grandchild', [child], { finalizers: ['example.io/held'] });
    await bench.advance();
    await bench.client.delete(configMaps, at('owner'), { propagation: 'Foreground' });
    expect(await left()).toEqual(['child', 'grandchild', 'owner']);
    await bench.client.patch(configMaps, at('grandchild'), { merge: { metadata: { finalizers: [] } } });
    expect(await left()).toEqual([]);
  });

  it('ends in a circle of owners, too', async () => {
    const a = await make('a');
    const b = await make('b', [a]);
    await bench.client.patch(configMaps, at('a'), { merge: { metadata: { ownerReferences: [ownerReference(b)] } } });
    await bench.advance();
    await bench.client.delete(configMaps, at('a'), { propagation: 'Foreground' });
    expect(await left()).toEqual([]);
  });

  it('spares a dependent that has another owner, and lets go of it', async () => {
    const owner = await make('owner');
    const other = await make('other');
    await make('shared', [owner, other]);
    await bench.advance();
    await bench.client.delete(configMaps, at('owner'), { propagation: 'Foreground' });
    expect(await left()).toEqual(['other', 'shared']);
  });
});

describe('orphaning', () => {
  it('leaves the dependents, without their owner', async () => {
    const owner = await make('owner');
    await make('child', [owner]);
    await bench.client.create(secrets, { metadata: { ...at('secret'), ownerReferences: [ownerReference(owner)] } });
    await bench.advance();
    await bench.client.delete(configMaps, at('owner'), { propagation: 'Orphan' });
    expect(await left()).toEqual(['child']);
    expect((await bench.client.get(configMaps, at('child'))).metadata.ownerReferences ?? []).toEqual([]);
    expect((await bench.client.get(secrets, at('secret'))).metadata.ownerReferences ?? []).toEqual([]);
  });
});
