/**
 * Plays the stories on a real kube-apiserver with a real kube-controller-manager, and compares with what was recorded.
 * `CAPSTAN_RECORD=1` records anew.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  type Client,
  createClient,
  isNotFound,
  loadKubeconfig,
  namespaces,
  nodes,
  serviceAccounts,
  sleep,
  systemClock,
  transportFromKubeconfig,
} from '@capstan/kube';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { neededPeers, type RealApiServer, startRealApiServer } from '../../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../../../scripts/peers/find.ts';
import { NAMESPACE } from './snapshot.fixture.ts';
import { play } from './story.fixture.ts';
import { stories } from './workload-stories.fixture.ts';

const folder = new URL('./fixtures/', import.meta.url);
const wait = (milliseconds: number) => sleep(systemClock, milliseconds);

const isGone = (client: Client): Promise<boolean> =>
  client.get(namespaces, { name: NAMESPACE }).then(
    () => false,
    error => isNotFound(error),
  );

describe('the stories, as kube-controller-manager has them', () => {
  let real: RealApiServer | undefined;
  beforeAll(async () => {
    if (neededPeers({ controllerManager: true }).some(name => findPeer(name) === undefined)) return;
    real = await startRealApiServer({ controllerManager: true });
  });
  afterAll(() => real?.stop());
  beforeEach(context => requirePeers(context, neededPeers({ controllerManager: true })));

  it.each(stories)('$name', async story => {
    const transport = await transportFromKubeconfig(await loadKubeconfig({ path: real!.kubeconfig }));
    const client = createClient({ transport });
    await client.create(namespaces, { metadata: { name: NAMESPACE } });
    const isThere = (): Promise<boolean> =>
      client.get(serviceAccounts, { namespace: NAMESPACE, name: 'default' }).then(
        () => true,
        () => false,
      );
    while (!(await isThere())) await wait(50);
    const stage = { client, now: () => systemClock.now(), pass: () => wait(100), looks: 20, patience: 1500 };
    const told = await play(story, stage).finally(async () => {
      for (const { metadata } of (await client.list(nodes)).items) await client.delete(nodes, metadata);
      await client.delete(namespaces, { name: NAMESPACE });
      while (!(await isGone(client))) await wait(100);
    });
    const file = new URL(`${story.name}.json`, folder);
    if (process.env.CAPSTAN_RECORD === '1') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, `${JSON.stringify(told, undefined, 1)}\n`);
    }
    expect(told).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });
});
