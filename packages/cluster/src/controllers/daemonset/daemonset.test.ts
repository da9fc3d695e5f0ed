import { controllerRevisions, type DaemonSet, daemonSets, type NewObject, type Node, nodes, pods } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { notReady } from '../testing/simulated-pods.fixture.ts';
import { daemonSetController } from './index.ts';
import { nodeOf } from './placement.ts';

const agent = (spec: Partial<DaemonSet['spec']> = {}): NewObject<DaemonSet> => ({
  metadata: { name: 'agent', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'c', image: 'v1' }] } },
    ...spec,
  },
});

/** The server taints a new node until someone says that it is ready. */
const addNode = async (bench: Bench, name: string, labels = {}, spec: Node['spec'] = {}) => {
  await bench.client.create(nodes, { metadata: { name, labels } });
  await bench.client.patch(nodes, { name }, { merge: { spec: { taints: null, ...spec } } });
};
const where = async (bench: Bench) => (await bench.all(pods)).map(nodeOf).sort();
const images = async (bench: Bench) => (await bench.all(pods)).map(pod => pod.spec.containers[0]!.image).sort();
const setImage = (bench: Bench, image: string) =>
  bench.client.patch(
    daemonSets,
    { namespace: 'default', name: 'agent' },
    { strategic: { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } } },
  );

async function createWorld(...names: readonly string[]): Promise<Bench> {
  const bench = await createBench([daemonSetController]);
  for (const name of names) await addNode(bench, name);
  return bench;
}

describe('a DaemonSet', () => {
  it('has a Pod for each node, also for one that comes later', async () => {
    const bench = await createWorld('n1', 'n2');
    await bench.client.create(daemonSets, agent());
    await bench.pass(2);
    expect(await where(bench)).toEqual(['n1', 'n2']);
    await addNode(bench, 'n3');
    await bench.pass(2);
    expect(await where(bench)).toEqual(['n1', 'n2', 'n3']);
    expect((await bench.get(daemonSets, 'agent')).status).toEqual({
      observedGeneration: 1,
      currentNumberScheduled: 3,
      desiredNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: 3,
      numberAvailable: 3,
      updatedNumberScheduled: 3,
    });
    const [pod] = await bench.all(pods);
    const [revision] = await bench.all(controllerRevisions);
    expect(pod!.metadata.labels).toEqual({
      app: 'agent',
      'controller-revision-hash': revision!.metadata.labels!['controller-revision-hash'],
      'pod-template-generation': '1',
    });
    expect(pod!.spec.tolerations!.map(({ key }) => key)).toContain('node.kubernetes.io/unschedulable');
  });

  it('goes where labels and taints let it, and leaves when they no longer do', async () => {
    const bench = await createWorld();
    await addNode(bench, 'plain');
    await addNode(bench, 'disk', { disk: 'ssd' });
    await addNode(
      bench,
      'tainted',
      { disk: 'ssd' },
      { taints: [{ key: 'only', value: 'them', effect: 'NoSchedule' }] },
    );
    const { template } = agent().spec;
    await bench.client.create(
      daemonSets,
      agent({ template: { ...template, spec: { ...template.spec, nodeSelector: { disk: 'ssd' } } } }),
    );
    await bench.pass(2);
    expect(await where(bench)).toEqual(['disk']);
    await bench.client.patch(nodes, { name: 'plain' }, { merge: { metadata: { labels: { disk: 'ssd' } } } });
    await bench.client.patch(
      nodes,
      { name: 'disk' },
      { merge: { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } } },
    );
    await bench.pass(2);
    expect(await where(bench)).toEqual(['disk', 'plain']);
    await bench.client.patch(
      nodes,
      { name: 'disk' },
      { merge: { spec: { taints: [{ key: 'k', effect: 'NoExecute' }] } } },
    );
    await bench.pass(2);
    expect(await where(bench)).toEqual(['plain']);
  });

  it('updates node by node, and stops at one that does not become available', async () => {
    const bench = await createWorld('n1', 'n2', 'n3');
    await bench.client.create(daemonSets, agent());
    await bench.pass(2);
    bench.life = { status: notReady };
    await setImage(bench, 'bad');
    await bench.pass(5);
    expect(await images(bench)).toEqual(['bad', 'v1', 'v1']);
    bench.life = {};
    await setImage(bench, 'v2');
    await bench.pass(5);
    expect(await images(bench)).toEqual(['v2', 'v2', 'v2']);
    expect((await bench.get(daemonSets, 'agent')).status).toMatchObject({
      updatedNumberScheduled: 3,
      numberAvailable: 3,
    });
  });

  it('starts the new Pod beside the old one where it may surge', async () => {
    const bench = await createWorld('n1', 'n2');
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } as const;
    await bench.client.create(daemonSets, agent({ updateStrategy }));
    await bench.pass(2);
    bench.life = { status: notReady };
    await setImage(bench, 'v2');
    await bench.pass(5);
    expect(await images(bench)).toEqual(['v1', 'v1', 'v2']);
  });

  it('completes an update with surge', async () => {
    const bench = await createWorld('n1', 'n2');
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } as const;
    await bench.client.create(daemonSets, agent({ updateStrategy }));
    await bench.pass(2);
    await setImage(bench, 'v2');
    await bench.pass(5);
    expect(await images(bench)).toEqual(['v2', 'v2']);
  });

  it('updates only what is deleted by hand, if told so', async () => {
    const bench = await createWorld('n1', 'n2');
    await bench.client.create(daemonSets, agent({ updateStrategy: { type: 'OnDelete' } }));
    await bench.pass(2);
    await setImage(bench, 'v2');
    await bench.pass(5);
    expect(await images(bench)).toEqual(['v1', 'v1']);
    const [pod] = await bench.all(pods);
    await bench.client.delete(pods, pod!.metadata);
    await bench.pass(2);
    expect(await images(bench)).toEqual(['v1', 'v2']);
  });

  it('replaces a Pod that failed, less and less often', async () => {
    const bench = await createWorld('n1');
    let failures = 0;
    const seen = new Set<string>();
    bench.life = {
      status: pod => {
        if (!seen.has(pod.metadata.uid!)) failures++;
        seen.add(pod.metadata.uid!);
        return { phase: 'Failed' };
      },
    };
    await bench.client.create(daemonSets, agent());
    await bench.pass(60);
    // At once, then after 1, 2, 4, 8, 16 and 32 seconds.
    expect(failures).toBeGreaterThanOrEqual(6);
    expect(failures).toBeLessThanOrEqual(8);
    expect((await bench.told('agent')).join()).toMatch(
      /FailedDaemonPod: Found failed daemon pod .* will try to kill it/,
    );
  });
});
