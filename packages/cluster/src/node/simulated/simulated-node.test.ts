import { createApiServer } from '@capstan/apiserver';
import { silentLog } from '@capstan/controller';
import { createClient, nodes, type PodSpec, pods } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { expect, it } from 'vitest';
import { startSimulatedNode } from './simulated-node.ts';

async function cluster(count: number, spec: Partial<PodSpec> = {}) {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random });
  const client = createClient({ transport: server.transport(), clock, random });
  const names = ['one', 'two'];
  const node = await startSimulatedNode({
    transport: server.transport(),
    clock,
    random,
    log: silentLog,
    names,
    readyAfter: '5s',
  });
  for (let n = 0; n < count; n++) {
    const whole = { nodeName: names[n % 2]!, containers: [{ name: 'c', image: 'anything' }], ...spec };
    await client.create(pods, { metadata: { name: `p${n}`, namespace: 'default' }, spec: whole });
  }
  const phases = async () => (await client.list(pods)).items.map(({ status }) => status?.phase);
  return { clock, client, node, phases };
}

it('registers its nodes as ready', async () => {
  const { client, node } = await cluster(0);
  const { items } = await client.list(nodes);
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
  expect(items[0]?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  await node.stop();
});

it('Pods become ready after a while, each with an address, and nothing is written after that', async () => {
  const { clock, client, node, phases } = await cluster(20);
  await clock.advance(4_000);
  expect(new Set(await phases())).toEqual(new Set(['Pending']));
  await clock.advance(1_000);
  const { items, metadata } = await client.list(pods);
  expect(new Set(items.map(({ status }) => status?.podIP)).size).toBe(20);
  expect(items[0]?.status).toMatchObject({
    phase: 'Running',
    containerStatuses: [{ name: 'c', ready: true, state: { running: { startedAt: '2026-01-01T00:00:05Z' } } }],
  });
  expect(items[0]?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  await clock.advance(60_000);
  const later = await client.list(pods);
  expect(later.items.map(item => item.metadata.resourceVersion)).toEqual(
    items.map(item => item.metadata.resourceVersion),
  );
  expect(metadata).toBeDefined();
  await node.stop();
});

it('Pods that are meant to end do so, and deleted ones go', async () => {
  const { clock, client, node, phases } = await cluster(2, { restartPolicy: 'Never' });
  await clock.advance(5_000);
  expect(await phases()).toEqual(['Running', 'Running']);
  await clock.advance(1_000);
  expect(await phases()).toEqual(['Succeeded', 'Succeeded']);
  await client.delete(pods, { namespace: 'default', name: 'p0' });
  await clock.advance(1_000);
  expect((await client.list(pods)).items.map(({ metadata }) => metadata.name)).toEqual(['p1']);
  await node.stop();
});
