import { events, nodes, type Pod, type PodSpec, pods } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../../testing/bench.fixture.ts';
import { scheduler } from './index.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench([scheduler]);
});
afterEach(() => bench.stop());

const namespace = 'default';

async function addNode(name: string, { cpu = '4', memory = '8Gi', most = '110', ready = true, labels = {} } = {}) {
  const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } };
  const node = await bench.client.create(nodes, { metadata });
  const allocatable = { cpu, memory, pods: most };
  const updated = await bench.client.updateStatus(nodes, { ...node, status: { capacity: allocatable, allocatable } });
  // New nodes are tainted until something has seen them ready; here, that is us.
  return ready ? bench.client.update(nodes, { ...updated, spec: { taints: [] } }) : updated;
}

const requesting = (cpu: string): Partial<PodSpec> => ({
  containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }],
});

function addPod(name: string, spec: Partial<PodSpec> = {}, labels: Record<string, string> = {}): Promise<Pod> {
  return bench.client.create(pods, {
    metadata: { namespace, name, labels },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
}

const read = (name: string): Promise<Pod> => bench.client.get(pods, { namespace, name });
const nodeOf = async (name: string): Promise<string | undefined> => (await read(name)).spec.nodeName;
const conditionOf = async (name: string) => {
  const condition = (await read(name)).status?.conditions?.find(({ type }) => type === 'PodScheduled');
  return condition && [condition.status, condition.reason, condition.message];
};
const eventsOf = async (reason: string): Promise<(string | undefined)[]> =>
  (await bench.client.list(events)).items.filter(event => event.reason === reason).map(({ message }) => message);

describe('the scheduler', () => {
  it('binds a Pod to a node that has room, and says so', async () => {
    await addNode('n1');
    await addPod('p', requesting('1'));
    await bench.advance(100);
    expect(await nodeOf('p')).toBe('n1');
    expect(await conditionOf('p')).toEqual(['True', undefined, undefined]);
    expect(await eventsOf('Scheduled')).toEqual(['Successfully assigned default/p to n1']);
  });

  it('says in the words of Kubernetes why a Pod fits nowhere, once, and binds it when it does', async () => {
    await addPod('p', requesting('2'));
    await bench.advance();
    expect(await conditionOf('p')).toEqual(['False', 'Unschedulable', 'no nodes available to schedule pods']);
    await addNode('small', { cpu: '1' });
    await addNode('tainted', { ready: false });
    await addNode('labelled');
    await bench.client.patch(nodes, { name: 'labelled' }, { merge: { spec: { unschedulable: true } } });
    await bench.advance(20_000);
    expect(await conditionOf('p')).toEqual([
      'False',
      'Unschedulable',
      '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s), 1 node(s) were unschedulable.',
    ]);
    const before = (await read('p')).metadata.resourceVersion;
    await bench.advance(600_000);
    expect((await read('p')).metadata.resourceVersion).toBe(before);
    await bench.client.patch(nodes, { name: 'labelled' }, { merge: { spec: { unschedulable: null } } });
    await bench.advance(20_000);
    expect(await nodeOf('p')).toBe('labelled');
    expect((await eventsOf('FailedScheduling')).at(-1)).toMatch(/^0\/3 nodes are available/);
  });

  it('uses the room that another Pod leaves', async () => {
    await addNode('n1', { cpu: '1' });
    await addPod('first', requesting('1'));
    await bench.advance();
    await addPod('second', requesting('1'));
    await bench.advance();
    expect(await nodeOf('second')).toBeUndefined();
    await bench.client.delete(pods, { namespace, name: 'first' }, { grace: 0 });
    await bench.advance(20_000);
    expect(await nodeOf('second')).toBe('n1');
  });

  it('counts Pods that have ended as gone', async () => {
    await addNode('n1', { most: '1' });
    const first = await addPod('first');
    await bench.advance();
    await addPod('second');
    await bench.advance();
    expect((await conditionOf('second'))?.[2]).toBe('0/1 nodes are available: 1 Too many pods.');
    await bench.client.patch(
      pods,
      first.metadata,
      { merge: { status: { phase: 'Succeeded' } } },
      { subresource: 'status' },
    );
    await bench.advance(20_000);
    expect(await nodeOf('second')).toBe('n1');
  });

  it('obeys selectors, affinity and tolerations', async () => {
    await addNode('red', { labels: { color: 'red' } });
    await addNode('blue', { labels: { color: 'blue' } });
    await bench.client.patch(
      nodes,
      { name: 'blue' },
      { merge: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } } },
    );
    await addPod('selects', { nodeSelector: { color: 'red' } });
    const terms = [{ matchExpressions: [{ key: 'color', operator: 'In', values: ['blue'] }] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    await addPod('intolerant', { affinity: { nodeAffinity } });
    await addPod('tolerant', { affinity: { nodeAffinity }, tolerations: [{ key: 'a', operator: 'Exists' }] });
    await addPod('nowhere', { nodeSelector: { color: 'green' } });
    await bench.advance();
    expect(await nodeOf('selects')).toBe('red');
    expect(await nodeOf('tolerant')).toBe('blue');
    expect((await conditionOf('intolerant'))?.[2]).toBe(
      "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).",
    );
    expect((await conditionOf('nowhere'))?.[2]).toBe(
      "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).",
    );
  });

  it('keeps Pods apart that want to be, and together that want to be', async () => {
    for (const name of ['n1', 'n2']) await addNode(name);
    const term = { labelSelector: { matchLabels: { app: 'a' } }, topologyKey: 'kubernetes.io/hostname' };
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    for (const name of ['a1', 'a2', 'a3']) await addPod(name, { affinity: apart }, { app: 'a' });
    await bench.advance();
    const placed = await Promise.all(['a1', 'a2', 'a3'].map(nodeOf));
    expect(placed.filter(node => node !== undefined).sort()).toEqual(['n1', 'n2']);
    const waiting = ['a1', 'a2', 'a3'].find((_, index) => placed[index] === undefined)!;
    expect((await conditionOf(waiting))?.[2]).toBe(
      "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules.",
    );
    const other = { labelSelector: { matchLabels: { app: 'b' } }, topologyKey: 'kubernetes.io/hostname' };
    const near = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [other] } };
    for (const name of ['b1', 'b2', 'b3']) await addPod(name, { affinity: near }, { app: 'b' });
    await bench.advance();
    expect(new Set(await Promise.all(['b1', 'b2', 'b3'].map(nodeOf))).size).toBe(1);
  });

  it('gives room to the more important first', async () => {
    for (const name of ['low-1', 'low-2']) await addPod(name, requesting('1'));
    await addPod('high', { ...requesting('1'), priorityClassName: 'system-cluster-critical' });
    await bench.advance();
    await addNode('n1', { cpu: '1' });
    await bench.advance(20_000);
    expect(await nodeOf('high')).toBe('n1');
    expect(await nodeOf('low-1')).toBeUndefined();
  });

  it('leaves Pods of other schedulers, gated Pods and Pods with a node alone', async () => {
    await addNode('n1');
    await addPod('other', { schedulerName: 'mine' });
    await addPod('gated', { schedulingGates: [{ name: 'example.io/wait' }] } as Partial<PodSpec>);
    await addPod('static', { nodeName: 'elsewhere' });
    await bench.advance();
    expect(await Promise.all(['other', 'gated', 'static'].map(nodeOf))).toEqual([undefined, undefined, 'elsewhere']);
    await bench.client.patch(pods, { namespace, name: 'gated' }, { merge: { spec: { schedulingGates: null } } });
    await bench.advance();
    expect(await nodeOf('gated')).toBe('n1');
  });

  it('spreads Pods evenly over equal nodes', async () => {
    for (const name of ['n1', 'n2', 'n3', 'n4']) await addNode(name);
    for (let index = 0; index < 40; index++) await addPod(`p${index}`, requesting('100m'));
    await bench.advance();
    const counts = Map.groupBy((await bench.client.list(pods)).items, ({ spec }) => spec.nodeName);
    expect([...counts.values()].map(group => group.length)).toEqual([10, 10, 10, 10]);
  });
});
