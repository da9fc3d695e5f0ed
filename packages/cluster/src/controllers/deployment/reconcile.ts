/** Brings a Deployment one step further: observe → one step for its ReplicaSets → one write of its status. */
import { type Cache, controllerOf, done, type Reconcile, type Recorder, requeueAfter } from '@capstan/controller';
import {
  type Client,
  type Deployment,
  deepEqual,
  deployments,
  labelSelectorMatcher,
  type ObjectMeta,
  pods,
  type ReplicaSet,
  replicaSets,
} from '@capstan/kube';
import { claimObjects } from '../workload/claim.ts';
import { REVISION } from './annotations.ts';
import { type Conditions, conditionOf, withCondition } from './conditions.ts';
import { outdated } from './history.ts';
import { ReplicaSetControl, ReplicaSetRefused } from './replica-set-control.ts';
import { allOf, type Rollout, rolloutOf } from './replica-sets.ts';
import { isScalingEvent, recreateStep, resizeStep, rollingStep, type Scaling } from './scaling.ts';
import { type DeploymentStatus, isComplete, progressCheck, progressDeadline, statusOf } from './status.ts';

export function reconcileDeployment(recorder: Recorder): Reconcile {
  return async ({ namespace, name }, { client, cache, now }) => {
    const deployment = await cache.get(deployments, { namespace, name });
    if (deployment === undefined) return done();
    if (selectsAll(deployment)) {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.';
      recorder.record(deployment, { type: 'Warning', reason: 'SelectingAll', message });
      return done();
    }
    const owned = await claimedReplicaSets(deployment, client, cache);
    const control = new ReplicaSetControl(client, recorder, deployment);
    const step = new Step(deployment, control, now);
    try {
      await step.take(rolloutOf(deployment, owned), () => oldPodsRunning(owned, deployment, cache));
    } catch (error) {
      if (!(error instanceof ReplicaSetRefused)) throw error;
      recorder.record(deployment, { type: 'Warning', reason: 'ReplicaSetCreateError', message: error.message });
      await writeStatus(deployment, step.refused(error.message), client);
      throw error.cause;
    }
    const status = step.status();
    await writeStatus(deployment, { status, annotations: step.annotations() }, client);
    await step.clean(status);
    if (step.moved) return requeueAfter(0);
    const check = step.estimates ? progressCheck(deployment, status, now) : undefined;
    return check === undefined ? done() : requeueAfter(check);
  };
}

/** One pass over a Deployment, and what it adds to the status on the way. */
class Step {
  /** ReplicaSets were written: there may be more to do at once. */
  moved = false;
  /** Whether this pass judges the progress of a rollout. */
  estimates = false;
  readonly #deployment: Deployment;
  readonly #control: ReplicaSetControl;
  readonly #now: number;
  #rollout: Rollout = { current: undefined, old: [] };
  #conditions: Conditions;
  #collisions: number | undefined;

  constructor(deployment: Deployment, control: ReplicaSetControl, now: number) {
    this.#deployment = deployment;
    this.#control = control;
    this.#now = now;
    this.#conditions = deployment.status?.conditions ?? [];
    this.#collisions = deployment.status?.collisionCount;
  }

  async take(observed: Rollout, oldPodsRun: () => Promise<boolean>): Promise<void> {
    const { metadata, spec } = this.#deployment;
    this.#rollout = observed;
    if (metadata.deletionTimestamp !== undefined) return;
    this.#notePause();
    this.#rollout = await this.#control.align(observed);
    this.#noteFound();
    if (spec.paused || isScalingEvent(this.#deployment, this.#rollout)) {
      await this.#scale(resizeStep(this.#deployment, this.#rollout));
      return;
    }
    this.estimates = true;
    if (spec.strategy?.type === 'Recreate') await this.#recreate(oldPodsRun);
    else await this.#roll();
  }

  async #roll(): Promise<void> {
    if (this.#rollout.current === undefined && !(await this.#create())) return;
    await this.#scale(rollingStep(this.#deployment, this.#rollout));
  }

  /** Nothing new before everything old is gone. */
  async #recreate(oldPodsRun: () => Promise<boolean>): Promise<void> {
    await this.#scale(recreateStep(this.#rollout));
    if (this.moved || (await oldPodsRun())) return;
    if (this.#rollout.current === undefined && !(await this.#create())) return;
    const { current } = this.#rollout;
    const { replicas = 1 } = this.#deployment.spec;
    if (current!.spec.replicas !== replicas) await this.#scale([{ replicaSet: current!, replicas }]);
  }

  async #create(): Promise<boolean> {
    const created = await this.#control.create(this.#rollout.old);
    this.moved = true;
    if (created === 'collision') {
      this.#collisions = (this.#collisions ?? 0) + 1;
      return false;
    }
    const { replicaSet, existed } = created;
    this.#rollout = { ...this.#rollout, current: replicaSet };
    if (existed) this.#noteFound();
    else
      this.#noteProgress('NewReplicaSetCreated', `Created new replica set ${JSON.stringify(replicaSet.metadata.name)}`);
    return true;
  }

  async #scale(scalings: readonly Scaling[]): Promise<void> {
    for (const scaling of scalings) {
      const written = await this.#control.scale(scaling);
      const { current, old } = this.#rollout;
      this.moved = true;
      this.#rollout =
        current === scaling.replicaSet
          ? { current: written, old }
          : { current, old: old.map(each => (each === scaling.replicaSet ? written : each)) };
    }
  }

  /** Old ReplicaSets may be needed to go back to until the rollout is over. */
  async clean(status: DeploymentStatus): Promise<void> {
    const over = this.estimates ? isComplete(this.#deployment, status) : this.#deployment.spec.paused;
    if (!over || this.moved || this.#deployment.metadata.deletionTimestamp !== undefined) return;
    for (const each of outdated(this.#deployment, this.#rollout.old)) await this.#control.remove(each);
  }

  /** While it is paused no deadline runs; when it is resumed the time of the pause does not count. */
  #notePause(): void {
    const known = conditionOf(this.#conditions, 'Progressing')?.reason;
    if (progressDeadline(this.#deployment) === undefined || known === 'ProgressDeadlineExceeded') return;
    const { paused = false } = this.#deployment.spec;
    if (paused === (known === 'DeploymentPaused')) return;
    const words = paused
      ? ['DeploymentPaused', 'Deployment is paused']
      : ['DeploymentResumed', 'Deployment is resumed'];
    this.#noteProgress(words[0]!, words[1]!, 'Unknown');
  }

  #noteFound(): void {
    const { current } = this.#rollout;
    if (current === undefined || conditionOf(this.#conditions, 'Progressing') !== undefined) return;
    this.#noteProgress('FoundNewReplicaSet', `Found new replica set ${JSON.stringify(current.metadata.name)}`);
  }

  #noteProgress(reason: string, message: string, status: 'True' | 'False' | 'Unknown' = 'True'): void {
    if (progressDeadline(this.#deployment) === undefined) return;
    this.#conditions = withCondition(this.#conditions, { type: 'Progressing', status, reason, message }, this.#now);
  }

  status(): DeploymentStatus {
    const status = statusOf(this.#deployment, this.#rollout, this.#conditions, this.estimates, this.#now);
    return this.#collisions === undefined ? status : { ...status, collisionCount: this.#collisions };
  }

  annotations(): ObjectMeta['annotations'] {
    const { annotations } = this.#deployment.metadata;
    const revision = this.#rollout.current?.metadata.annotations?.[REVISION];
    return revision === undefined ? annotations : { ...annotations, [REVISION]: revision };
  }

  refused(message: string): StatusWrite {
    this.#noteProgress('ReplicaSetCreateError', message, 'False');
    const status = { ...this.#deployment.status, conditions: this.#conditions };
    return { status, annotations: this.#deployment.metadata.annotations };
  }
}

interface StatusWrite {
  readonly status: DeploymentStatus;
  readonly annotations: ObjectMeta['annotations'];
}

/** The revision is an annotation, but it is written with the status: one decision, one write. */
async function writeStatus(
  deployment: Deployment,
  { status, annotations }: StatusWrite,
  client: Client,
): Promise<void> {
  const { metadata } = deployment;
  if (deepEqual(deployment.status, status) && deepEqual(metadata.annotations, annotations)) return;
  const noted = { ...metadata, ...(annotations !== undefined && { annotations }) };
  await client.updateStatus(deployments, { ...deployment, metadata: noted, status });
}

async function claimedReplicaSets(
  deployment: Deployment,
  client: Client,
  cache: Cache,
): Promise<readonly ReplicaSet[]> {
  const { namespace } = deployment.metadata;
  const selector = labelSelectorMatcher(deployment.spec.selector);
  const all = await cache.list(replicaSets, { namespace });
  return claimObjects(all, { client, kind: replicaSets, owner: deployment, ownerKind: deployments, selector });
}

/** Whether Pods of a template other than the Deployment's are still there. */
async function oldPodsRunning(owned: readonly ReplicaSet[], deployment: Deployment, cache: Cache): Promise<boolean> {
  const { current, old } = rolloutOf(deployment, owned);
  if (old.some(({ status }) => (status?.replicas ?? 0) > 0)) return true;
  const uids = new Set(allOf({ current, old }).map(({ metadata }) => metadata.uid));
  const candidates = await cache.list(pods, { namespace: deployment.metadata.namespace });
  return candidates.some(pod => {
    const uid = controllerOf(pod)?.uid;
    const ended = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    return !ended && uid !== undefined && uid !== current?.metadata.uid && uids.has(uid);
  });
}

function selectsAll({ spec: { selector } }: Deployment): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}
