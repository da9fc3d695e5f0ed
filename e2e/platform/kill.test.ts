import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  configMaps,
  deployments,
  type Job,
  jobs,
  type Pod,
  pods,
  replicaSets,
  statefulSets,
} from '@capstan/kube';
import { seededRandom } from '@capstan/lab';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../real/until.ts';
import { type CapstanProgram, capstanUp, makeBundle, nodeMark, RUNNING } from './capstan-program.ts';
import { type Acknowledged, churn, createWorkloads, namespace, nothingAcknowledged } from './churn.ts';
import { nothingRuns, type PodProcess, podProcesses } from './pod-processes.ts';

/** A few with every test run; `kill.real.test.ts` does it fifty times. */
const KILLS = Number(process.env['CAPSTAN_KILLS'] ?? 5);
/** Of the moments at which it is killed; another one is another run. */
const SEED = Number(process.env['CAPSTAN_SEED'] ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'capstan-killed-'));
const locks = join(folder, 'locks');
const data = join(folder, 'data');
let capstan: CapstanProgram | undefined;
beforeAll(() => {
  mkdirSync(locks);
  makeBundle();
});
afterAll(async () => {
  capstan?.signal('SIGTERM');
  await capstan?.exit;
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(process.platform !== 'linux')(
  `comes back to what was asked of it, killed ${KILLS} times under churn; no process is left over, no Pod runs twice`,
  { timeout: 60_000 + KILLS * 20_000 },
  async () => {
    const random = seededRandom(SEED);
    const acknowledged = nothingAcknowledged();
    for (let turn = 0; turn < KILLS; turn++) {
      capstan = capstanUp(data);
      await capstan.until(RUNNING);
      const client = await capstan.client();
      if (turn === 0) await createWorkloads(client, locks, acknowledged);
      await expectAcknowledged(client, acknowledged);
      const churning = churn(client, { random, locks, turn }, acknowledged);
      // Some come while the former state is still being restored, some well after that.
      await delay(random.next() * 3000);
      capstan.signal('SIGKILL');
      await Promise.all([capstan.exit, churning]);
      // What watches over it needs a moment. The next start does not wait for that: every second one comes at once.
      if (turn % 2 === 0) await until('no process is left', () => nothingRuns(nodeMark(data)));
      await client.transport.close();
    }

    capstan = capstanUp(data);
    await capstan.until(RUNNING);
    const client = await capstan.client();
    await expectAcknowledged(client, acknowledged);
    await until('everything is as it was asked for', () => converged(client), { deadline: 120_000 });
    expect(readdirSync(locks).filter(name => name.endsWith('.twice'))).toEqual([]);
    const locked = readdirSync(locks);
    const { items } = await client.list(pods, { namespace });
    // Every Pod that ran took its lock: the one above would have been noticed.
    expect(items.map(({ metadata }) => metadata.uid!).filter(uid => !locked.includes(uid))).toEqual([]);
    await expectOneProcessEach(client);

    capstan.signal('SIGINT');
    expect(await capstan.exit).toEqual({ code: 0, signal: null });
    expect(podProcesses(nodeMark(data))).toEqual([]);
  },
);

async function expectAcknowledged(client: Client, { notes, jobs: made, replicas }: Acknowledged): Promise<void> {
  const stored = new Map(
    (await client.list(configMaps, { namespace })).items.map(({ metadata, data: values }) => [
      metadata.name,
      values?.['id'],
    ]),
  );
  for (const [name, id] of notes) expect([name, stored.get(name)]).toEqual([name, id]);
  const storedJobs = new Set((await client.list(jobs, { namespace })).items.map(({ metadata }) => metadata.name));
  expect([...made].filter(name => !storedJobs.has(name))).toEqual([]);
  const { items } = await client.list(deployments, { namespace });
  const found = new Map(items.map(({ metadata, spec }) => [metadata.name, spec.replicas]));
  for (const [name, count] of replicas) expect([name, found.get(name)]).toEqual([name, count]);
}

/** Whether every Deployment and StatefulSet has the Pods that it should have and no others, and every Job is through. */
async function converged(client: Client): Promise<boolean> {
  const { items: deployed } = await client.list(deployments, { namespace });
  const { items: stateful } = await client.list(statefulSets, { namespace });
  const { items: sets } = await client.list(replicaSets, { namespace });
  const { items: present } = await client.list(pods, { namespace });
  const { items: work } = await client.list(jobs, { namespace });
  if (sets.length !== deployed.length) throw new Error(`${sets.length} ReplicaSets for ${deployed.length} Deployments`);
  for (const { metadata, spec, status } of [...deployed, ...stateful]) {
    const mine = present.filter(pod => pod.metadata.labels?.['app'] === metadata.name);
    const ready = mine.filter(isReady).length;
    if (mine.length !== spec.replicas || ready !== spec.replicas || (status?.availableReplicas ?? 0) !== ready) {
      throw new Error(`${metadata.name} has ${ready} of ${spec.replicas} ready, ${mine.length} Pods in all`);
    }
  }
  const unfinished = work.filter(each => !isComplete(each));
  if (unfinished.length > 0)
    throw new Error(`${unfinished.length} Jobs are not complete: ${unfinished[0]?.metadata.name}`);
  return true;
}

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  (status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false);

const isComplete = ({ status }: Job): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Complete' && is === 'True') ?? false;

/** Of each running Pod one container's process, and of others none. */
async function expectOneProcessEach(client: Client): Promise<void> {
  const { items } = await client.list(pods, { namespace });
  const running = items.filter(({ status }) => status?.phase === 'Running').map(({ metadata }) => metadata.uid);
  const containers = new Map<string, PodProcess>(
    podProcesses(nodeMark(data)).map(process => [process.containerId, process]),
  );
  expect(Array.from(containers.values(), ({ podUid }) => podUid).toSorted()).toEqual(running.toSorted());
}
