import { type Deployment, deployments, type NewObject, pods, replicaSets } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { replicaSetController } from '../replicaset/index.ts';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { notReady } from '../testing/simulated-pods.fixture.ts';
import { deploymentController } from './index.ts';
import { newReplicaSet } from './new-replica-set.ts';

const web = (spec: Partial<Deployment['spec']> = {}): NewObject<Deployment> => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'v1' }] } },
    ...spec,
  },
});

const createWorld = (): Promise<Bench> => createBench([deploymentController, replicaSetController]);
const at = { namespace: 'default', name: 'web' };

const setImage = (bench: Bench, image: string) =>
  bench.client.patch(deployments, at, {
    strategic: { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } },
  });

const conditions = ({ status }: Deployment) =>
  Object.fromEntries((status?.conditions ?? []).map(({ type, status: value, reason }) => [type, `${value} ${reason}`]));

describe('a Deployment', () => {
  it('has a ReplicaSet with its Pods, and tells when they are available', async () => {
    const bench = await createWorld();
    await bench.client.create(deployments, web());
    await bench.pass(1);
    const [replicaSet, ...others] = await bench.all(replicaSets);
    expect(others).toEqual([]);
    const hash = replicaSet!.metadata.labels!['pod-template-hash'];
    expect(replicaSet!.metadata.name).toBe(`web-${hash}`);
    expect(replicaSet!.metadata.annotations).toEqual({
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
      'deployment.kubernetes.io/revision': '1',
    });
    expect((await bench.all(pods)).map(pod => pod.metadata.labels)).toEqual(
      Array(3).fill({ app: 'web', 'pod-template-hash': hash }),
    );
    const deployment = await bench.get(deployments, 'web');
    expect(deployment.metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(deployment.status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    });
    expect(conditions(deployment)).toEqual({
      Available: 'True MinimumReplicasAvailable',
      Progressing: 'True NewReplicaSetAvailable',
    });
    expect(await bench.told('web')).toEqual([`ScalingReplicaSet: Scaled up replica set web-${hash} from 0 to 3`]);
  });

  it('rolls a new template out and keeps the old ReplicaSet, empty, to go back to', async () => {
    const bench = await createWorld();
    await bench.client.create(deployments, web());
    await bench.pass(1);
    await setImage(bench, 'v2');
    await bench.pass(5);
    const sets = await bench.all(replicaSets);
    expect(sets.map(each => [each.spec.template!.spec.containers[0]!.image, each.spec.replicas]).sort()).toEqual([
      ['v1', 0],
      ['v2', 3],
    ]);
    expect((await bench.all(pods)).map(pod => pod.spec.containers[0]!.image)).toEqual(['v2', 'v2', 'v2']);
    expect((await bench.get(deployments, 'web')).metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '2',
    });
  });

  it('never has more Pods than the surge allows, nor fewer available than it must', async () => {
    const bench = await createWorld();
    await bench.client.create(deployments, web({ replicas: 4 }));
    await bench.pass(1);
    bench.life = { status: notReady };
    await setImage(bench, 'bad');
    await bench.pass(30);
    const images = (await bench.all(pods)).map(pod => pod.spec.containers[0]!.image).sort();
    expect(images).toEqual(['bad', 'bad', 'v1', 'v1', 'v1']);
    const deployment = await bench.get(deployments, 'web');
    expect(conditions(deployment)).toEqual({
      Available: 'True MinimumReplicasAvailable',
      Progressing: 'True ReplicaSetUpdated',
    });
  });

  it('says so when a rollout makes no progress within its deadline, and not before', async () => {
    const bench = await createWorld();
    bench.life = { status: notReady };
    await bench.client.create(deployments, web({ progressDeadlineSeconds: 60 }));
    await bench.pass(58);
    expect(conditions(await bench.get(deployments, 'web'))).toMatchObject({ Progressing: 'True ReplicaSetUpdated' });
    await bench.pass(5);
    expect(conditions(await bench.get(deployments, 'web'))).toEqual({
      Available: 'False MinimumReplicasUnavailable',
      Progressing: 'False ProgressDeadlineExceeded',
    });
  });

  it('starts nothing new before everything old is gone, if it is recreated', async () => {
    const bench = await createWorld();
    bench.life = { nodeName: 'n1', ends: () => false };
    await bench.client.create(deployments, web({ strategy: { type: 'Recreate' } }));
    await bench.pass(1);
    await setImage(bench, 'v2');
    await bench.pass(10);
    expect((await bench.all(pods)).map(pod => pod.spec.containers[0]!.image)).toEqual(['v1', 'v1', 'v1']);
    for (const pod of await bench.all(pods)) await bench.client.delete(pods, pod.metadata, { grace: 0 });
    await bench.pass(1);
    expect((await bench.all(pods)).map(pod => pod.spec.containers[0]!.image)).toEqual(['v2', 'v2', 'v2']);
  });

  it('finds another name where someone else has taken the one of its ReplicaSet', async () => {
    const bench = await createWorld();
    await bench.client.create(deployments, web({ paused: true }));
    await bench.pass(1);
    const deployment = await bench.get(deployments, 'web');
    const name = newReplicaSet(deployment, []).metadata.name!;
    const spec = {
      selector: { matchLabels: { app: 'other' } },
      template: { metadata: { labels: { app: 'other' } }, spec: deployment.spec.template.spec },
    };
    await bench.client.create(replicaSets, {
      metadata: { name, namespace: 'default' },
      spec: { replicas: 0, ...spec },
    });
    await bench.client.patch(deployments, at, { merge: { spec: { paused: false } } });
    await bench.pass(2);
    expect((await bench.get(deployments, 'web')).status).toMatchObject({ collisionCount: 1, availableReplicas: 3 });
    const names = (await bench.all(replicaSets)).map(each => each.metadata.name);
    expect(names).toHaveLength(2);
    expect(names).toContain(name);
  });

  it('does not count the time of a pause against its deadline', async () => {
    const bench = await createWorld();
    bench.life = { status: notReady };
    await bench.client.create(deployments, web({ progressDeadlineSeconds: 60 }));
    await bench.pass(30);
    await bench.client.patch(deployments, at, { merge: { spec: { paused: true } } });
    await bench.pass(300);
    expect(conditions(await bench.get(deployments, 'web'))).toMatchObject({ Progressing: 'Unknown DeploymentPaused' });
    await bench.client.patch(deployments, at, { merge: { spec: { paused: false } } });
    await bench.pass(50);
    expect(conditions(await bench.get(deployments, 'web'))).toMatchObject({ Progressing: 'Unknown DeploymentResumed' });
    await bench.pass(20);
    expect(conditions(await bench.get(deployments, 'web'))).toMatchObject({
      Progressing: 'False ProgressDeadlineExceeded',
    });
  });

  it('writes nothing once all is as it should be', async () => {
    const bench = await createWorld();
    await bench.client.create(deployments, web());
    await bench.pass(5);
    const before = await bench.all(replicaSets);
    const { metadata } = await bench.get(deployments, 'web');
    await bench.pass(3600);
    expect(await bench.all(replicaSets)).toEqual(before);
    expect((await bench.get(deployments, 'web')).metadata).toEqual(metadata);
  });
});
