/** Brings a StatefulSet one step further: observe → steps for its Pods → status → old revisions away. */
import { type Cache, done, type Reconcile, type Recorder, requeueAfter } from '@capstan/controller';
import {
  type ControllerRevision,
  deepEqual,
  persistentVolumeClaims,
  type StatefulSet,
  statefulSets,
} from '@capstan/kube';
import { claimPods, ownedPods } from '../workload/owned-pods.ts';
import { nextAvailability } from '../workload/pod-state.ts';
import { listRevisions, truncateHistory, updateRevision } from '../workload/revisions.ts';
import { slowStart } from '../workload/slow-start.ts';
import { isLeaving } from './claim-retention.ts';
import { claimsFor, ordinalOf, revisionOf } from './identity.ts';
import { StatefulPods } from './stateful-pods.ts';
import { statusOf } from './status.ts';
import { nextSteps, type Step } from './steps.ts';

export function reconcileStatefulSet(recorder: Recorder): Reconcile {
  return async ({ namespace, name }, { client, cache, now }) => {
    const set = await cache.get(statefulSets, { namespace, name });
    if (set === undefined) return done();
    const revisions = await listRevisions(set, statefulSets, client, cache);
    const observed = await claimPods(set, {
      client,
      cache,
      ownerKind: statefulSets,
      adoptable: pod => ordinalOf(pod, set) >= 0,
    });
    const { revision: update, collisions } = await updateRevision(set, revisions, client);
    const current = revisions.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;

    let failure: unknown;
    let after = observed;
    if (set.metadata.deletionTimestamp === undefined) {
      const steps = nextSteps({
        set,
        pods: observed,
        update: update.metadata.name,
        claimsLeaving: leaving(set, cache),
        now,
      });
      const control = new StatefulPods(client, cache, recorder, set);
      failure = await take(steps, { current, update }, set, control);
      after = await ownedPods(set, cache);
    }
    const names = { current: current.metadata.name, update: update.metadata.name, collisions };
    const status = statusOf(set, after, names, now);
    if (!deepEqual(set.status, status)) await client.updateStatus(statefulSets, { ...set, status });
    if (failure !== undefined) throw failure;

    const live = new Set([status.currentRevision!, status.updateRevision!, ...after.map(revisionOf)]);
    await truncateHistory(revisions, live, set.spec.revisionHistoryLimit ?? 10, client);
    const wait = nextAvailability(after, set.spec.minReadySeconds ?? 0, now);
    return wait === undefined ? done() : requeueAfter(wait);
  };
}

/** Gives the error that stopped it, if one did: the status is written all the same. */
async function take(
  steps: readonly Step[],
  revisions: { readonly current: ControllerRevision; readonly update: ControllerRevision },
  { spec }: StatefulSet,
  control: StatefulPods,
): Promise<unknown> {
  const act = async (step: Step): Promise<void> => {
    switch (step.type) {
      case 'create':
        return control.create(revisions[step.revision], step.ordinal);
      case 'delete':
        return control.delete(step.pod);
      case 'repair':
        return control.repair(step.pod);
    }
  };
  if (spec.podManagementPolicy === 'Parallel')
    return (await slowStart(steps.length, index => act(steps[index]!))).error;
  try {
    for (const step of steps) await act(step);
    return undefined;
  } catch (error) {
    return error;
  }
}

function leaving(set: StatefulSet, cache: Cache): (ordinal: number) => boolean {
  return ordinal =>
    claimsFor(set, ordinal).some(({ metadata: { namespace, name = '' } }) => {
      const claim = cache.of(persistentVolumeClaims).now.get({ namespace, name });
      return claim !== undefined && isLeaving(claim, `${set.metadata.name}-${ordinal}`, set);
    });
}
