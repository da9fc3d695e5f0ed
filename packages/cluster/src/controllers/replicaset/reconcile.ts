/** Keeps as many Pods as the ReplicaSet asks for: observe → create or delete the difference → status. */
import { type Cache, controllerOf, done, type Reconcile, type Result, requeueAfter } from '@capstan/controller';
import { type Client, deepEqual, type Pod, type ReplicaSet, replicaSets } from '@capstan/kube';
import { podsToDelete } from '../workload/deletion-order.ts';
import { claimPods, ownedPods } from '../workload/owned-pods.ts';
import { type PodControl, podFromTemplate } from '../workload/pod-control.ts';
import { isActive, nextAvailability } from '../workload/pod-state.ts';
import { slowStart } from '../workload/slow-start.ts';
import { Pace } from './pace.ts';
import { type ReplicaFailure, statusOf } from './status.ts';

/** At most so many Pods are created or deleted in one go, so that one large ReplicaSet does not keep a worker for minutes. */
const BURST = 500;

export function reconcileReplicaSet(control: (client: Client) => PodControl): Reconcile {
  const pace = new Pace();
  return async ({ namespace, name }, { client, cache, now }) => {
    const key = `${namespace}/${name}`;
    const replicaSet = await cache.get(replicaSets, { namespace, name });
    if (replicaSet === undefined) {
      pace.forget(key);
      return done();
    }
    const pause = pace.wait(key, now);
    if (pause > 0) return requeueAfter(pause);
    const owned = await claimPods(replicaSet, { client, cache, ownerKind: replicaSets, adoptable: isActive });
    const leaving = replicaSet.metadata.deletionTimestamp !== undefined;
    const managed = leaving ? NOTHING_TO_DO : await manage(replicaSet, owned, control(client), cache, now);
    // Read again after having created or deleted: the status tells of the result, in one write.
    const current = managed.changed ? await ownedPods(replicaSet, cache) : owned;
    await writeStatus(replicaSet, current, managed.failure, client, now);
    if (managed.error !== undefined) throw managed.error;
    if (!managed.changed) pace.looked(key, current.length, now);
    if (managed.more) return requeueAfter(0);
    return whenAvailable(current, replicaSet, now);
  };
}

interface Managed {
  readonly changed: boolean;
  /** There is more to do than fits into one burst. */
  readonly more: boolean;
  readonly failure: ReplicaFailure | undefined;
  readonly error: unknown;
}

const NOTHING_TO_DO: Managed = { changed: false, more: false, failure: undefined, error: undefined };

async function manage(
  replicaSet: ReplicaSet,
  owned: readonly Pod[],
  control: PodControl,
  cache: Cache,
  now: number,
): Promise<Managed> {
  const active = owned.filter(isActive);
  const missing = (replicaSet.spec.replicas ?? 1) - active.length;
  if (missing === 0) return NOTHING_TO_DO;
  const amount = Math.min(Math.abs(missing), BURST);
  const more = amount < Math.abs(missing);
  if (missing > 0) {
    const pod = podFromTemplate(replicaSet.spec.template!, replicaSet);
    const { error } = await slowStart(amount, async () => void (await control.create(replicaSet, pod)));
    return { changed: true, more, ...failed('FailedCreate', error) };
  }
  const unwanted = podsToDelete(active, await relatedPods(replicaSet, cache), amount, now);
  const results = await Promise.allSettled(unwanted.map(each => control.delete(replicaSet, each)));
  const failure = results.find(result => result.status === 'rejected');
  return { changed: true, more, ...failed('FailedDelete', failure?.reason) };
}

function failed(reason: ReplicaFailure['reason'], error: unknown): Pick<Managed, 'failure' | 'error'> {
  if (error === undefined) return { failure: undefined, error: undefined };
  return { failure: { reason, message: error instanceof Error ? error.message : String(error) }, error };
}

/** The Pods of all ReplicaSets that have the same owner, this one's included. */
async function relatedPods(replicaSet: ReplicaSet, cache: Cache): Promise<readonly Pod[]> {
  const controller = controllerOf(replicaSet);
  if (controller === undefined) return ownedPods(replicaSet, cache);
  const { namespace } = replicaSet.metadata;
  const siblings = await cache.list(replicaSets, { namespace, owner: controller.uid });
  return (await Promise.all(siblings.map(each => ownedPods(each, cache)))).flat();
}

async function writeStatus(
  replicaSet: ReplicaSet,
  owned: readonly Pod[],
  failure: ReplicaFailure | undefined,
  client: Client,
  now: number,
): Promise<void> {
  const status = statusOf(replicaSet, owned, failure, now);
  if (deepEqual(replicaSet.status, status)) return;
  await client.updateStatus(replicaSets, { ...replicaSet, status });
}

function whenAvailable(owned: readonly Pod[], { spec }: ReplicaSet, now: number): Result {
  const wait = nextAvailability(owned.filter(isActive), spec.minReadySeconds ?? 0, now);
  return wait === undefined ? done() : requeueAfter(wait);
}
