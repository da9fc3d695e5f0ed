import { readFileSync } from 'node:fs';
import { createApiServer } from '@capstan/apiserver';
import { createManager, silentLog } from '@capstan/controller';
import { createClient, type Json, namespaces, serviceAccounts } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { cronJobController } from '../cronjob/index.ts';
import { daemonSetController } from '../daemonset/index.ts';
import { deploymentController } from '../deployment/index.ts';
import { disruptionController } from '../disruption/index.ts';
import { garbageCollector } from '../garbage-collector/index.ts';
import { jobController } from '../job/index.ts';
import { claimProtectionController } from '../persistentvolume/claim-protection.ts';
import { replicaSetController } from '../replicaset/index.ts';
import { statefulSetController } from '../statefulset/index.ts';
import { NAMESPACE } from './snapshot.fixture.ts';
import { play, type Story } from './story.fixture.ts';
import { stories } from './workload-stories.fixture.ts';

const controllers = [
  deploymentController,
  replicaSetController,
  statefulSetController,
  daemonSetController,
  jobController,
  cronJobController,
  disruptionController,
  garbageCollector,
  claimProtectionController,
];

async function playHere(story: Story): Promise<Readonly<Record<string, Json>>> {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random });
  const client = createClient({ transport: server.transport(), clock, random });
  await client.create(namespaces, { metadata: { name: NAMESPACE } });
  await client.create(serviceAccounts, { metadata: { name: 'default', namespace: NAMESPACE } });
  const manager = createManager({ transport: server.transport(), clock, random, log: silentLog });
  for (const controller of controllers) controller.setup(manager);
  await manager.start();
  const stage = { client, now: () => clock.now(), pass: () => clock.advance(500), looks: 4, patience: 2000 };
  const told = await play(story, stage);
  const stopped = manager.stop();
  await clock.advance(60_000);
  await stopped;
  await server.close();
  return told;
}

/** What kube-controller-manager 1.37 made of the same story; `stories.real.test.ts` recorded it. */
const recorded = (name: string): Record<string, Json> =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));

describe('the workload controllers come to the same ends as those of Kubernetes', () => {
  it.each(stories)('in the story of $name', async story => {
    const ours = await playHere(story);
    const theirs = recorded(story.name);
    for (const step of Object.keys(theirs)) expect({ [step]: ours[step] }).toEqual({ [step]: theirs[step] });
  });
});
