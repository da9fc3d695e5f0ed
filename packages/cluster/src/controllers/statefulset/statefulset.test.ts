import {
  controllerRevisions,
  type NewObject,
  persistentVolumeClaims,
  pods,
  type StatefulSet,
  statefulSets,
} from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { notReady, running } from '../testing/simulated-pods.fixture.ts';
import { statefulSetController } from './index.ts';

const db = (spec: Partial<StatefulSet['spec']> = {}): NewObject<StatefulSet> => ({
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    replicas: 3,
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'c', image: 'v1' }] } },
    ...spec,
  },
});

const at = { namespace: 'default', name: 'db' };
const createWorld = (): Promise<Bench> => createBench([statefulSetController]);
const change = (bench: Bench, spec: object) => bench.client.patch(statefulSets, at, { merge: { spec } });
const setImage = (bench: Bench, image: string) =>
  bench.client.patch(statefulSets, at, {
    strategic: { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } },
  });
const images = async (bench: Bench) => (await bench.all(pods)).map(pod => pod.spec.containers[0]!.image);
const names = async (bench: Bench) => (await bench.all(pods)).map(pod => pod.metadata.name);
const template = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const claims = async (bench: Bench) => (await bench.all(persistentVolumeClaims)).map(claim => claim.metadata.name);

describe('a StatefulSet', () => {
  it('makes its Pods one after the other, with names and labels that last', async () => {
    const bench = await createWorld();
    bench.life = { status: notReady };
    await bench.client.create(statefulSets, db());
    await bench.pass(5);
    expect(await names(bench)).toEqual(['db-0']);
    bench.life = {};
    const [first] = await bench.all(pods);
    await bench.client.patch(
      pods,
      { namespace: 'default', name: 'db-0' },
      { merge: { status: running(first!, bench.clock.now()) } },
      { subresource: 'status' },
    );
    await bench.pass(5);
    expect(await names(bench)).toEqual(['db-0', 'db-1', 'db-2']);
    const [revision] = await bench.all(controllerRevisions);
    const pod = await bench.get(pods, 'db-1');
    expect(pod.metadata.labels).toEqual({
      app: 'db',
      'apps.kubernetes.io/pod-index': '1',
      'controller-revision-hash': revision!.metadata.name,
      'statefulset.kubernetes.io/pod-name': 'db-1',
    });
    expect(pod.spec).toMatchObject({ hostname: 'db-1', subdomain: 'db' });
    expect((await bench.get(statefulSets, 'db')).status).toEqual({
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: revision!.metadata.name,
      updateRevision: revision!.metadata.name,
      collisionCount: 0,
    });
    expect(await bench.told('db')).toContain('SuccessfulCreate: Create Pod db-2 in StatefulSet db successful');
  });

  it('starts counting where its ordinals start', async () => {
    const bench = await createWorld();
    await bench.client.create(statefulSets, db({ ordinals: { start: 5 }, replicas: 2 }));
    await bench.pass(5);
    expect(await names(bench)).toEqual(['db-5', 'db-6']);
  });

  it('makes all at once where order does not matter', async () => {
    const bench = await createWorld();
    bench.life = { status: notReady };
    await bench.client.create(statefulSets, db({ podManagementPolicy: 'Parallel' }));
    await bench.pass(5);
    expect(await names(bench)).toEqual(['db-0', 'db-1', 'db-2']);
  });

  it('updates down to the partition and no further', async () => {
    const bench = await createWorld();
    await bench.client.create(
      statefulSets,
      db({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }),
    );
    await bench.pass(5);
    await setImage(bench, 'v2');
    await bench.pass(10);
    expect(await images(bench)).toEqual(['v1', 'v1', 'v2']);
    const { status } = await bench.get(statefulSets, 'db');
    expect(status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1, readyReplicas: 3 });
    expect(status!.currentRevision).not.toBe(status!.updateRevision);
    // A Pod below the partition comes back as it was.
    await bench.client.delete(pods, { namespace: 'default', name: 'db-0' });
    await bench.pass(5);
    expect(await images(bench)).toEqual(['v1', 'v1', 'v2']);
    await change(bench, { updateStrategy: { rollingUpdate: { partition: 0 } } });
    await bench.pass(10);
    expect(await images(bench)).toEqual(['v2', 'v2', 'v2']);
    const after = (await bench.get(statefulSets, 'db')).status!;
    expect(after.currentRevision).toBe(after.updateRevision);
  });

  it('updates a Pod only when someone deletes it, if that is what is asked for', async () => {
    const bench = await createWorld();
    await bench.client.create(statefulSets, db({ updateStrategy: { type: 'OnDelete' } }));
    await bench.pass(5);
    await setImage(bench, 'v2');
    await bench.pass(10);
    expect(await images(bench)).toEqual(['v1', 'v1', 'v1']);
    await bench.client.delete(pods, { namespace: 'default', name: 'db-1' });
    await bench.pass(5);
    expect(await images(bench)).toEqual(['v1', 'v2', 'v1']);
  });

  it('stops an update at a Pod that does not become ready, and needs a hand when it is taken back', async () => {
    const bench = await createWorld();
    await bench.client.create(statefulSets, db());
    await bench.pass(5);
    const broken = (pod: Parameters<typeof running>[0], now: number) =>
      running(pod, now, pod.spec.containers[0]!.image !== 'bad');
    bench.life = { status: broken };
    await setImage(bench, 'bad');
    await bench.pass(10);
    expect(await images(bench)).toEqual(['v1', 'v1', 'bad']);
    // As Kubernetes documents it ("forced rollback"): the broken Pod has to be deleted by hand.
    await setImage(bench, 'v1');
    await bench.pass(10);
    expect(await images(bench)).toEqual(['v1', 'v1', 'bad']);
    await bench.client.delete(pods, { namespace: 'default', name: 'db-2' });
    await bench.pass(10);
    expect(await images(bench)).toEqual(['v1', 'v1', 'v1']);
    const revisions = (await bench.all(controllerRevisions)).map(each => each.revision).sort();
    expect(revisions).toEqual([2, 3]);
  });

  it('scales down from the top, and leaves the claims', async () => {
    const bench = await createWorld();
    await bench.client.create(statefulSets, db({ volumeClaimTemplates: [template as never] }));
    await bench.pass(5);
    expect((await bench.get(pods, 'db-1')).spec.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-1' } },
    ]);
    await change(bench, { replicas: 1 });
    await bench.pass(5);
    expect(await names(bench)).toEqual(['db-0']);
    expect(await claims(bench)).toEqual(['data-db-0', 'data-db-1', 'data-db-2']);
  });

  it('hands the claims of Pods that are scaled away to these Pods, if they shall go with them', async () => {
    const bench = await createWorld();
    const policy = { whenScaled: 'Delete', whenDeleted: 'Delete' } as const;
    await bench.client.create(
      statefulSets,
      db({ volumeClaimTemplates: [template as never], persistentVolumeClaimRetentionPolicy: policy }),
    );
    await bench.pass(5);
    const owners = async () =>
      (await bench.all(persistentVolumeClaims)).map(({ metadata }) =>
        metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
      );
    expect(await owners()).toEqual([['StatefulSet db'], ['StatefulSet db'], ['StatefulSet db']]);
    await change(bench, { replicas: 2 });
    await bench.pass(5);
    expect(await owners()).toEqual([['StatefulSet db'], ['StatefulSet db'], ['Pod db-2']]);
  });

  it('keeps as many old revisions as it is told to', async () => {
    const bench = await createWorld();
    await bench.client.create(statefulSets, db({ replicas: 1, revisionHistoryLimit: 1 }));
    for (const image of ['v2', 'v3', 'v4']) {
      await bench.pass(5);
      await setImage(bench, image);
    }
    await bench.pass(5);
    expect((await bench.all(controllerRevisions)).map(each => each.revision).sort()).toEqual([3, 4]);
  });
});
