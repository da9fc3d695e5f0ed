import {
  ApiError,
  deployments,
  type NewObject,
  type PodDisruptionBudget,
  podDisruptionBudgets,
  pods,
} from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { deploymentController } from '../deployment/index.ts';
import { replicaSetController } from '../replicaset/index.ts';
import { type Bench, createBench } from '../testing/bench.fixture.ts';
import { notReady } from '../testing/simulated-pods.fixture.ts';
import { disruptionController } from './index.ts';

const budget = (spec: PodDisruptionBudget['spec']): NewObject<PodDisruptionBudget> => ({
  metadata: { name: 'web', namespace: 'default' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});

async function createWorld(spec: PodDisruptionBudget['spec'], replicas = 4): Promise<Bench> {
  const bench = await createBench([deploymentController, replicaSetController, disruptionController], {
    nodeName: 'n1',
  });
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'v1' }] } };
  await bench.client.create(deployments, {
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template },
  });
  await bench.client.create(podDisruptionBudgets, budget(spec));
  await bench.pass(2);
  return bench;
}

const status = async (bench: Bench) => (await bench.get(podDisruptionBudgets, 'web')).status!;

describe('a PodDisruptionBudget', () => {
  it.each([
    [{ minAvailable: 3 }, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 }],
    [{ minAvailable: '60%' }, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 }],
    [{ maxUnavailable: 1 }, { expectedPods: 4, desiredHealthy: 3, disruptionsAllowed: 1 }],
    [{ maxUnavailable: '50%' }, { expectedPods: 4, desiredHealthy: 2, disruptionsAllowed: 2 }],
    [{ minAvailable: 9 }, { expectedPods: 4, desiredHealthy: 9, disruptionsAllowed: 0 }],
  ])('of %j allows as much as that leaves', async (spec, expected) => {
    const bench = await createWorld(spec);
    const { conditions, ...rest } = await status(bench);
    expect(rest).toEqual({ observedGeneration: 1, currentHealthy: 4, ...expected });
    const [condition] = conditions!;
    expect(condition).toMatchObject(
      expected.disruptionsAllowed > 0
        ? { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }
        : { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' },
    );
  });

  it('lets one Pod be evicted and no more, until another has taken its place', async () => {
    const bench = await createWorld({ maxUnavailable: 1 });
    bench.life = { nodeName: 'n1', status: notReady };
    const [first, second] = await bench.all(pods);
    const evict = (name: string) => {
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'default' } };
      return bench.client
        .subresource(pods, 'eviction')
        .create({ namespace: 'default', name }, eviction, { retry: 'never' });
    };
    await evict(first!.metadata.name);
    await bench.pass(2);
    expect(await status(bench)).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 0, expectedPods: 4 });
    await expect(evict(second!.metadata.name)).rejects.toThrow(ApiError);
  });

  it('allows nothing for Pods of something whose size is not known', async () => {
    const bench = await createBench([disruptionController]);
    const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true }];
    const metadata = { name: 'a', namespace: 'default', labels: { app: 'web' }, ownerReferences };
    await bench.client.create(pods, { metadata, spec: { containers: [{ name: 'c', image: 'v1' }] } });
    await bench.client.create(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
    await bench.pass(2);
    expect(await status(bench)).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ status: 'False', reason: 'SyncFailed', message: 'found no controllers for pod "a"' }],
    });
  });
});
