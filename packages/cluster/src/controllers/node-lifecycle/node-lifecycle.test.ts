import { events, leases, microTimestamp, type Node, nodes, pods, timestamp } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, startBench } from '../../testing/bench.fixture.ts';
import { runPod } from '../../testing/objects.fixture.ts';
import { podGarbageCollector } from '../pod-gc/index.ts';
import { nodeLifecycleController } from './index.ts';
import { taintEvictionController } from './taint-eviction.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await startBench([nodeLifecycleController, taintEvictionController, podGarbageCollector({ mostEnded: 2 })]);
});
afterEach(() => bench.stop());

const namespace = 'default';

/** A node as a kubelet reports it. */
async function report(name: string, status: 'True' | 'False' = 'True'): Promise<Node> {
  const { client, clock } = bench;
  const existing = await client.get(nodes, { name }).catch(() => client.create(nodes, { metadata: { name } }));
  const lastHeartbeatTime = timestamp(clock.now());
  const conditions = [
    { type: 'Ready', status, lastHeartbeatTime, reason: 'KubeletReady', message: 'kubelet is posting ready status' },
  ];
  return client.updateStatus(nodes, { ...existing, status: { conditions } });
}

/** Time passes, during which these nodes renew their Leases. */
async function pass(seconds: number, ...names: string[]): Promise<void> {
  for (let second = 0; second < seconds; second += 10) {
    for (const name of names) {
      const metadata = { namespace: 'kube-node-lease', name };
      const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTimestamp(bench.clock.now()) };
      await bench.client.apply(leases, { metadata, spec }, { owner: 'kubelet' });
    }
    await bench.advance(10_000);
  }
}

const taints = async (name: string): Promise<string[]> =>
  ((await bench.client.get(nodes, { name })).spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).sort();
const readiness = async (name: string) => {
  const { status } = await bench.client.get(nodes, { name });
  const { status: ready, reason, message } = status!.conditions!.find(({ type }) => type === 'Ready')!;
  return [ready, reason, message];
};
const podNames = async (): Promise<string[]> =>
  (await bench.client.list(pods)).items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();

describe('a node', () => {
  it('loses the taint of new nodes when it is ready, and is left in peace while it renews its Lease', async () => {
    await report('n1');
    await bench.advance(100);
    expect(await taints('n1')).toEqual([]);
    await pass(300, 'n1');
    const { resourceVersion } = (await bench.client.get(nodes, { name: 'n1' })).metadata;
    await pass(300, 'n1');
    expect((await bench.client.get(nodes, { name: 'n1' })).metadata.resourceVersion).toBe(resourceVersion);
  });

  it('is marked when it has been silent for 50 s, its Pods take no requests, and later leave', async () => {
    await report('n1');
    await report('n2');
    await runPod(bench.client, { name: 'patient', ip: '10.0.0.1' });
    const effect = 'NoExecute' as const;
    const key = 'node.kubernetes.io/unreachable';
    const tolerations = [{ key, effect, operator: 'Exists' as const, tolerationSeconds: 0 }];
    await runPod(bench.client, { name: 'impatient', spec: { tolerations } });
    await runPod(bench.client, { name: 'elsewhere', spec: { nodeName: 'n2' } });
    await pass(40, 'n1', 'n2');
    expect(await readiness('n1')).toEqual(['True', 'KubeletReady', 'kubelet is posting ready status']);
    await pass(60, 'n2');
    expect(await readiness('n1')).toEqual(['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.']);
    expect(await taints('n1')).toEqual([
      'node.kubernetes.io/unreachable:NoExecute',
      'node.kubernetes.io/unreachable:NoSchedule',
    ]);
    const { status } = await bench.client.get(pods, { namespace, name: 'patient' });
    expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('False');
    expect(await podNames()).toEqual(['elsewhere', 'patient']);
    await pass(310, 'n2');
    expect(await podNames()).toEqual(['elsewhere']);
    const reasons = (await bench.client.list(events)).items.map(({ reason }) => reason);
    expect(reasons).toContain('TaintManagerEviction');
    expect(reasons).toContain('NodeNotReady');
  });

  it('is as before when it is back in time', async () => {
    await report('n1');
    await report('n2');
    await runPod(bench.client, { name: 'patient' });
    await pass(100, 'n2');
    expect((await readiness('n1'))[0]).toBe('Unknown');
    await report('n1');
    await pass(600, 'n1', 'n2');
    expect(await taints('n1')).toEqual([]);
    expect(await podNames()).toEqual(['patient']);
  });

  it('keeps its Pods when no node at all is ready', async () => {
    await report('n1');
    await runPod(bench.client, { name: 'p' });
    await pass(1_000);
    expect(await taints('n1')).toEqual(['node.kubernetes.io/unreachable:NoSchedule']);
    expect(await podNames()).toEqual(['p']);
  });

  it('that never said a word is marked, too', async () => {
    await bench.client.create(nodes, { metadata: { name: 'n1' } });
    await pass(60);
    expect(await readiness('n1')).toEqual(['Unknown', 'NodeStatusNeverUpdated', 'Kubelet never posted node status.']);
  });
});

describe('Pods that nobody looks after', () => {
  it('fail and go when their node is gone for good', async () => {
    await report('n1');
    await runPod(bench.client, { name: 'p' });
    await bench.advance();
    await bench.client.delete(nodes, { name: 'n1' });
    await bench.advance(30_000);
    expect(await podNames()).toEqual(['p']);
    await bench.advance(30_000);
    expect((await bench.client.list(pods)).items).toEqual([]);
  });

  it('stay when their node comes back', async () => {
    await report('n1');
    await runPod(bench.client, { name: 'p' });
    await bench.advance();
    await bench.client.delete(nodes, { name: 'n1' });
    await bench.advance(30_000);
    await report('n1');
    await pass(200, 'n1');
    expect(await podNames()).toEqual(['p']);
  });

  it('go, the oldest first, when too many have ended', async () => {
    await report('n1');
    for (const name of ['a', 'b', 'c', 'd']) {
      const pod = await runPod(bench.client, { name });
      await bench.client.updateStatus(pods, { ...pod, status: { phase: 'Succeeded' } });
      await bench.advance(1_000);
    }
    await bench.advance();
    expect(await podNames()).toEqual(['c', 'd']);
  });
});
