/** A story: what a user does step by step, and what there is each time all has come to rest. */
import { type Client, isConflict, isNotFound, type Json, type Pod, type PodStatus, pods } from '@capstan/kube';
import { nodeOf } from '../daemonset/placement.ts';
import { NAMESPACE, Normaliser } from './snapshot.fixture.ts';

export type Life = (pod: Pod, now: number) => PodStatus | undefined;

export interface Step {
  readonly name: string;
  /** How Pods fare from here on. */
  readonly life?: Life;
  readonly act: (client: Client) => Promise<unknown>;
  /** What has to be so before it can count as at rest, where that takes time. */
  readonly until?: (snapshot: Json) => boolean;
}

export interface Story {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Where a story plays: how to let time pass, and for how many looks nothing may change for it to be at rest. */
export interface Stage {
  readonly client: Client;
  readonly now: () => number;
  pass(): Promise<void>;
  readonly looks: number;
  /** The most looks to wait for a step to come to rest. */
  readonly patience: number;
}

export async function play({ steps }: Story, stage: Stage): Promise<Readonly<Record<string, Json>>> {
  const normaliser = new Normaliser();
  const told: Record<string, Json> = {};
  let life: Life = () => undefined;
  for (const step of steps) {
    life = step.life ?? life;
    await step.act(stage.client);
    told[step.name] = await rest(stage, normaliser, life, step);
  }
  told['Events'] = await normaliser.told(stage.client);
  return told;
}

async function rest(stage: Stage, normaliser: Normaliser, life: Life, { name, until }: Step): Promise<Json> {
  let last = '';
  let same = 0;
  for (let look = 0; look < stage.patience; look++) {
    await movePods(stage, life);
    await stage.pass();
    const snapshot = await normaliser.snapshot(stage.client);
    const text = JSON.stringify(snapshot);
    same = text === last ? same + 1 : 0;
    last = text;
    if (same >= stage.looks && (until === undefined || until(snapshot))) return snapshot;
  }
  throw new Error(`"${name}" did not come to rest: ${last}`);
}

/** In place of a scheduler and a node. Only Pods of DaemonSets are bound: it is clear where they belong. */
async function movePods({ client, now }: Stage, life: Life): Promise<void> {
  const { items } = await client.list(pods, { namespace: NAMESPACE });
  for (const pod of items) {
    await move(client, pod, life(pod, now())).catch(error => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  }
}

async function move(client: Client, pod: Pod, wanted: PodStatus | undefined): Promise<void> {
  const { namespace, name, uid, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) {
    await client.delete(pods, { namespace, name }, { grace: 0, preconditions: { uid } });
    return;
  }
  const node = nodeOf(pod);
  if (node !== undefined && !pod.spec.nodeName) {
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: NAMESPACE }, target };
    await client.subresource(pods, 'binding').create({ namespace, name }, binding);
  }
  if (wanted === undefined || isLike(pod.status, wanted)) return;
  await client.patch(pods, { namespace, name }, { merge: { status: wanted } }, { subresource: 'status' });
}

function isLike(status: PodStatus | undefined, wanted: PodStatus): boolean {
  const ready = (some: PodStatus | undefined) => some?.conditions?.find(({ type }) => type === 'Ready')?.status;
  return status?.phase === wanted.phase && ready(status) === ready(wanted);
}
