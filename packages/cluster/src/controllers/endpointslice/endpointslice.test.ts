import { type EndpointSlice, endpointSlices, endpoints, nodes, pods, type Service, services } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../../testing/bench.fixture.ts';
import { type RunningPod, runPod } from '../../testing/objects.fixture.ts';
import { endpointsController } from './endpoints.ts';
import { endpointSliceController } from './index.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench([endpointSliceController, endpointsController]);
  await bench.client.create(nodes, { metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'east' } } });
});
afterEach(() => bench.stop());

const namespace = 'default';
const labels = { app: 'web' };

const addService = (spec: Service['spec'] = {}): Promise<Service> =>
  bench.client.create(services, {
    metadata: { namespace, name: 'web', labels: { team: 'a' } },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  });

const add = (pod: RunningPod) => runPod(bench.client, { labels, ...pod });

async function slices(): Promise<readonly EndpointSlice[]> {
  await bench.advance();
  return (await bench.client.list(endpointSlices, { labels: 'kubernetes.io/service-name=web' })).items;
}

const addresses = (found: readonly EndpointSlice[]) =>
  found
    .flatMap(slice => slice.endpoints ?? [])
    .map(({ addresses, conditions }) => [
      addresses[0],
      conditions?.ready,
      conditions?.serving,
      conditions?.terminating,
    ]);

const oldForm = async () => (await bench.client.get(endpoints, { namespace, name: 'web' })).subsets;

describe('the slices of a Service', () => {
  it('hold the Pods that it selects, with all that there is to say about them', async () => {
    await addService();
    const pod = await add({ name: 'a', ip: '10.0.0.1' });
    await add({ name: 'other', ip: '10.0.0.2', labels: { app: 'db' } });
    const [slice, ...others] = await slices();
    expect(others).toEqual([]);
    expect(slice).toMatchObject({
      addressType: 'IPv4',
      metadata: {
        generateName: 'web-',
        labels: {
          team: 'a',
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        ownerReferences: [
          { apiVersion: 'v1', kind: 'Service', name: 'web', controller: true, blockOwnerDeletion: true },
        ],
      },
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    });
    expect(slice?.endpoints).toEqual([
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        nodeName: 'n1',
        zone: 'east',
        targetRef: { kind: 'Pod', namespace, name: 'a', uid: pod.metadata.uid },
      },
    ]);
    expect(await oldForm()).toMatchObject([
      {
        addresses: [{ ip: '10.0.0.1', nodeName: 'n1', targetRef: { name: 'a' } }],
        ports: [{ port: 8080, protocol: 'TCP' }],
      },
    ]);
  });

  it('tell who takes requests, who does not yet, and who is ending', async () => {
    await addService();
    await add({ name: 'ready', ip: '10.0.0.1' });
    await add({ name: 'starting', ip: '10.0.0.2', ready: false });
    await add({ name: 'ending', ip: '10.0.0.3' });
    await add({ name: 'without-address' });
    await slices();
    await bench.client.delete(pods, { namespace, name: 'ending' });
    expect(addresses(await slices()).sort()).toEqual([
      ['10.0.0.1', true, true, false],
      ['10.0.0.2', false, false, false],
      ['10.0.0.3', false, true, true],
    ]);
    expect(await oldForm()).toMatchObject([
      { addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }] },
    ]);
  });

  it('publish everyone where the Service asks for it', async () => {
    await addService({ publishNotReadyAddresses: true, clusterIP: 'None' });
    await add({ name: 'starting', ip: '10.0.0.2', ready: false });
    const found = await slices();
    expect(addresses(found)).toEqual([['10.0.0.2', true, false, false]]);
    expect(found[0]?.metadata.labels).toHaveProperty('service.kubernetes.io/headless', '');
    expect(await oldForm()).toMatchObject([{ addresses: [{ ip: '10.0.0.2' }] }]);
  });

  it('have one for each set of ports, where Pods have a named port at different numbers', async () => {
    await addService({ ports: [{ name: 'http', port: 80, targetPort: 'web' }] });
    const at = (containerPort: number) => ({
      containers: [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort }] }],
    });
    await add({ name: 'a', ip: '10.0.0.1', spec: at(8001) });
    await add({ name: 'b', ip: '10.0.0.2', spec: at(8002) });
    const found = await slices();
    expect(found.map(({ ports, endpoints }) => [ports?.[0]?.port, endpoints[0]?.addresses[0]]).sort()).toEqual([
      [8001, '10.0.0.1'],
      [8002, '10.0.0.2'],
    ]);
  });

  it('hold at most a hundred each, and change only where something changed', async () => {
    await addService();
    for (let index = 0; index < 150; index++) await add({ name: `p${index}`, ip: `10.0.1.${index}` });
    const before = await slices();
    expect(before.map(({ endpoints }) => endpoints.length).sort()).toEqual([100, 50]);
    const small = before.find(({ endpoints }) => endpoints.length === 50)!;
    const { name } = small.endpoints[0]!.targetRef!;
    await bench.client.delete(pods, { namespace, name: name! }, { grace: 0 });
    const after = await slices();
    const changed = after.filter(
      ({ metadata }) => !before.some(slice => slice.metadata.resourceVersion === metadata.resourceVersion),
    );
    expect(changed.map(({ metadata, endpoints }) => [metadata.name, endpoints.length])).toEqual([
      [small.metadata.name, 49],
    ]);
  });

  it('are one that is empty where nobody is selected, and none where the Service has no selector', async () => {
    await addService();
    expect((await slices()).map(({ endpoints, ports }) => [endpoints ?? [], ports ?? []])).toEqual([[[], []]]);
    await bench.client.create(services, { metadata: { namespace, name: 'manual' }, spec: { ports: [{ port: 80 }] } });
    await bench.advance();
    expect((await bench.client.list(endpointSlices, { labels: 'kubernetes.io/service-name=manual' })).items).toEqual(
      [],
    );
  });

  it('are emptied and filled again as Pods go and come', async () => {
    await addService();
    await add({ name: 'a', ip: '10.0.0.1' });
    const [before] = await slices();
    await bench.client.delete(pods, { namespace, name: 'a' }, { grace: 0 });
    const [emptied, ...none] = await slices();
    expect([emptied?.metadata.name, emptied?.endpoints ?? [], none]).toEqual([before?.metadata.name, [], []]);
    await add({ name: 'b', ip: '10.0.0.2' });
    expect(addresses(await slices())).toEqual([['10.0.0.2', true, true, false]]);
    expect(await slices()).toHaveLength(1);
  });

  it('leave out Pods of a node that is not there, until it is', async () => {
    await addService();
    await add({ name: 'a', ip: '10.0.0.1', spec: { nodeName: 'n2' } });
    expect(addresses(await slices())).toEqual([]);
    await bench.client.create(nodes, { metadata: { name: 'n2' } });
    expect(addresses(await slices())).toEqual([['10.0.0.1', true, true, false]]);
  });

  it('are put right when someone changes or deletes them', async () => {
    await addService();
    await add({ name: 'a', ip: '10.0.0.1' });
    const [slice] = await slices();
    await bench.client.update(endpointSlices, { ...slice!, endpoints: [] });
    expect(addresses(await slices())).toEqual([['10.0.0.1', true, true, false]]);
    await bench.client.delete(endpointSlices, { namespace, name: slice!.metadata.name });
    expect(addresses(await slices())).toEqual([['10.0.0.1', true, true, false]]);
  });
});

describe('Endpoints', () => {
  it('go with their Service, but not those that someone else made', async () => {
    await addService();
    await bench.client.create(endpoints, { metadata: { namespace, name: 'mine' }, subsets: [] });
    await bench.advance();
    await bench.client.delete(services, { namespace, name: 'web' });
    await bench.advance();
    const { items } = await bench.client.list(endpoints, { namespace });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['mine']);
  });
});
