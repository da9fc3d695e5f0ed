import { type NewObject, pods, type ReplicaSet, replicaSets } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { replicaSetController } from './index.ts';

const web = (spec: Partial<ReplicaSet['spec']> = {}): NewObject<ReplicaSet> => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'v1' }] } },
    ...spec,
  },
});

const at = { namespace: 'default', name: 'web' };
const createWorld = (): Promise<Bench> => createBench([replicaSetController]);

describe('a ReplicaSet', () => {
  it('replaces a Pod that is deleted, and one that fails', async () => {
    const bench = await createWorld();
    await bench.client.create(replicaSets, web());
    await bench.pass(1);
    const [first, second] = await bench.all(pods);
    bench.life = { status: pod => (pod.status?.phase === 'Failed' ? undefined : { phase: 'Running' }) };
    await bench.client.delete(pods, first!.metadata);
    await bench.client.patch(
      pods,
      second!.metadata,
      { merge: { status: { phase: 'Failed' } } },
      { subresource: 'status' },
    );
    await bench.pass(1);
    const phases = (await bench.all(pods)).map(pod => pod.status?.phase).sort();
    expect(phases).toEqual(['Failed', 'Running', 'Running', 'Running']);
    expect((await bench.get(replicaSets, 'web')).status).toMatchObject({ replicas: 3 });
  });

  it('counts a Pod as available when it has been ready for long enough', async () => {
    const bench = await createWorld();
    await bench.client.create(replicaSets, web({ minReadySeconds: 30 }));
    await bench.pass(25);
    expect((await bench.get(replicaSets, 'web')).status).toMatchObject({ readyReplicas: 3 });
    expect((await bench.get(replicaSets, 'web')).status!.availableReplicas).toBeUndefined();
    await bench.pass(7);
    expect((await bench.get(replicaSets, 'web')).status).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
  });

  it('tells of Pods that are about to go', async () => {
    const bench = await createWorld();
    bench.life = { nodeName: 'n1', ends: () => false };
    await bench.client.create(replicaSets, web());
    await bench.pass(1);
    await bench.client.patch(replicaSets, at, { merge: { spec: { replicas: 1 } } });
    await bench.pass(1);
    expect((await bench.get(replicaSets, 'web')).status).toMatchObject({ replicas: 1, terminatingReplicas: 2 });
  });

  it('finds its Pods again after it was deleted without them', async () => {
    const bench = await createWorld();
    await bench.client.create(replicaSets, web());
    await bench.pass(1);
    const before = (await bench.all(pods)).map(pod => pod.metadata.uid);
    for (const pod of await bench.all(pods))
      await bench.client.patch(pods, pod.metadata, {
        merge: { metadata: { ownerReferences: null, labels: { app: 'lost' } } },
      });
    await bench.client.delete(replicaSets, at, { propagation: 'Background' });
    for (const pod of await bench.all(pods))
      await bench.client.patch(pods, pod.metadata, {
        merge: { metadata: { ownerReferences: null, labels: { app: 'web' } } },
      });
    const lost = (await bench.all(pods)).filter(pod => before.includes(pod.metadata.uid));
    await bench.client.create(replicaSets, web({ replicas: lost.length }));
    await bench.pass(1);
    const { metadata } = await bench.get(replicaSets, 'web');
    const kept = (await bench.all(pods)).filter(pod => before.includes(pod.metadata.uid));
    expect(kept.map(pod => pod.metadata.ownerReferences?.[0]?.uid)).toEqual(kept.map(() => metadata.uid));
    expect(kept).toHaveLength(3);
  });

  it('makes more Pods than fit into one go', async () => {
    const bench = await createWorld();
    await bench.client.create(replicaSets, web({ replicas: 620 }));
    await bench.pass(10);
    expect((await bench.get(replicaSets, 'web')).status).toMatchObject({ replicas: 620, readyReplicas: 620 });
  });

  it('leaves alone what belongs to another', async () => {
    const bench = await createWorld();
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'other', uid: 'u', controller: true }];
    const metadata = { name: 'theirs', namespace: 'default', labels: { app: 'web' }, ownerReferences };
    await bench.client.create(pods, { metadata, spec: { containers: [{ name: 'c', image: 'v1' }] } });
    await bench.client.create(replicaSets, web({ replicas: 1 }));
    await bench.pass(1);
    expect(await bench.all(pods)).toHaveLength(2);
    expect((await bench.get(replicaSets, 'web')).status).toMatchObject({ replicas: 1 });
  });
});
