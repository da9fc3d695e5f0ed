/** A Pod on every node that should have one: observe → create and delete → status → old revisions away. */
import { done, type Reconcile, type Recorder, requeueAfter } from '@capstan/controller';
import {
  type ControllerRevision,
  type DaemonSet,
  daemonSets,
  deepEqual,
  type NewObject,
  nodes,
  type Pod,
} from '@capstan/kube';
import { claimPods, ownedPods } from '../workload/owned-pods.ts';
import { createPodControl, type PodControl, podFromTemplate } from '../workload/pod-control.ts';
import { nextAvailability } from '../workload/pod-state.ts';
import { listRevisions, REVISION_LABEL, truncateHistory, updateRevision } from '../workload/revisions.ts';
import { slowStart } from '../workload/slow-start.ts';
import { FailedPods } from './failed-pods.ts';
import { affinityTo, daemonTolerations, nodeOf } from './placement.ts';
import { statusOf } from './status.ts';
import { nextSteps, type Observed, type Steps, TEMPLATE_GENERATION, TEMPLATE_GENERATION_LABEL } from './steps.ts';

/** At most so many Pods are created or deleted in one go. */
const BURST = 250;

export function reconcileDaemonSet(recorder: Recorder): Reconcile {
  const failedPods = new FailedPods();
  return async ({ namespace, name }, { client, cache, now }) => {
    const set = await cache.get(daemonSets, { namespace, name });
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) {
      if (set === undefined) failedPods.forget(`${namespace}/${name}/`);
      return done();
    }
    const revisions = await listRevisions(set, daemonSets, client, cache);
    const { revision, collisions } = await updateRevision(set, revisions, client);
    const hash = revision.metadata.labels?.[REVISION_LABEL] ?? '';
    const observed: Observed = {
      set,
      nodes: await cache.list(nodes),
      pods: await claimPods(set, { client, cache, ownerKind: daemonSets }),
      hash,
      now,
    };
    const steps = nextSteps(observed);
    const acted = await take(steps, observed, createPodControl(client, recorder), failedPods, recorder);
    const after = { ...observed, pods: acted.changed ? await ownedPods(set, cache) : observed.pods };
    const status = statusOf(after, collisions);
    if (!deepEqual(set.status, status)) await client.updateStatus(daemonSets, { ...set, status });
    if (acted.error !== undefined) throw acted.error;

    const old = revisions.filter(({ metadata }) => metadata.name !== revision.metadata.name);
    await truncateHistory(old, liveRevisions(old, after.pods), limitFor(set, old, after.pods), client);
    if (acted.more) return requeueAfter(0);
    const waits = [acted.wait, nextAvailability(after.pods, set.spec.minReadySeconds ?? 0, now)];
    const known = waits.filter(wait => wait !== undefined);
    return known.length === 0 ? done() : requeueAfter(Math.min(...known));
  };
}

interface Acted {
  readonly changed: boolean;
  readonly more: boolean;
  readonly wait: number | undefined;
  readonly error: unknown;
}

async function take(
  steps: Steps,
  { set, hash, now }: Observed,
  control: PodControl,
  failedPods: FailedPods,
  recorder: Recorder,
): Promise<Acted> {
  const { namespace, name } = set.metadata;
  let wait: number | undefined;
  const ended: Pod[] = [];
  for (const pod of steps.ended) {
    const where = `daemon pod ${namespace}/${pod.metadata.name} on node ${nodeOf(pod)}`;
    const failed = pod.status?.phase === 'Failed';
    const pause = failed ? failedPods.replace(`${namespace}/${name}/${nodeOf(pod)}`, now) : 0;
    if (pause > 0) {
      wait = Math.min(wait ?? pause, pause);
      continue;
    }
    ended.push(pod);
    if (failed) {
      const message = `Found failed ${where}, will try to kill it`;
      recorder.record(set, { type: 'Warning', reason: 'FailedDaemonPod', message });
    } else {
      const message = `Found succeeded ${where}, will try to delete it`;
      recorder.record(set, { type: 'Normal', reason: 'SucceededDaemonPod', message });
    }
  }
  const create = steps.create.slice(0, BURST);
  const unwanted = [...steps.delete, ...ended].slice(0, BURST);
  const created = await slowStart(create.length, async at => {
    await control.create(set, daemonPod(set, hash, create[at]!));
  });
  const deleted = await Promise.allSettled(unwanted.map(pod => control.delete(set, pod)));
  const failure = deleted.find(result => result.status === 'rejected');
  return {
    changed: create.length + unwanted.length > 0,
    more: create.length < steps.create.length || unwanted.length < steps.delete.length + ended.length,
    wait,
    error: created.error ?? failure?.reason,
  };
}

/** Bound to its node by affinity: it is the scheduler that puts it there, with all that it checks. */
export function daemonPod(set: DaemonSet, hash: string, node: string): NewObject<Pod> {
  const pod = podFromTemplate(set.spec.template, set);
  const generation = set.metadata.annotations?.[TEMPLATE_GENERATION];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        [REVISION_LABEL]: hash,
        ...(generation !== undefined && { [TEMPLATE_GENERATION_LABEL]: generation }),
      },
    },
    spec: {
      ...pod.spec,
      affinity: affinityTo(node, pod.spec.affinity),
      tolerations: daemonTolerations(pod.spec),
    },
  };
}

/** Names of revisions that Pods still run. */
function liveRevisions(old: readonly ControllerRevision[], owned: readonly Pod[]): ReadonlySet<string> {
  const hashes = new Set(owned.map(({ metadata }) => metadata.labels?.[REVISION_LABEL]));
  const live = old.filter(({ metadata }) => hashes.has(metadata.labels?.[REVISION_LABEL] ?? ''));
  return new Set(live.map(({ metadata }) => metadata.name));
}

/** Revisions in use count towards the limit, though they are not deleted. */
function limitFor({ spec }: DaemonSet, old: readonly ControllerRevision[], owned: readonly Pod[]): number {
  return Math.max(0, (spec.revisionHistoryLimit ?? 10) - liveRevisions(old, owned).size);
}
