/** The writes to a Deployment's ReplicaSets, with the Events that tell of them. */
import { isOwnedBy, type Recorder } from '@capstan/controller';
import {
  type Client,
  type Deployment,
  deepEqual,
  isAlreadyExists,
  isNotFound,
  type ReplicaSet,
  replicaSets,
} from '@capstan/kube';
import { currentAnnotations, nextRevision, sizeAnnotations } from './annotations.ts';
import { newReplicaSet } from './new-replica-set.ts';
import { equalTemplates, type Rollout, sizeOf } from './replica-sets.ts';
import type { Scaling } from './scaling.ts';

export class ReplicaSetControl {
  readonly #client: Client;
  readonly #recorder: Recorder;
  readonly #deployment: Deployment;

  constructor(client: Client, recorder: Recorder, deployment: Deployment) {
    this.#client = client;
    this.#recorder = recorder;
    this.#deployment = deployment;
  }

  /** Brings revision, annotations and minReadySeconds of the current ReplicaSet in line with the Deployment. */
  async align({ current, old }: Rollout): Promise<Rollout> {
    if (current === undefined) return { current, old };
    const { minReadySeconds = 0 } = this.#deployment.spec;
    const existing = current.metadata.annotations ?? {};
    const annotations = currentAnnotations(this.#deployment, existing, nextRevision(old));
    if (deepEqual(existing, annotations) && (current.spec.minReadySeconds ?? 0) === minReadySeconds) {
      return { current, old };
    }
    const metadata = { ...current.metadata, annotations };
    const changed = { ...current, metadata, spec: { ...current.spec, minReadySeconds } };
    return { current: await this.#client.update(replicaSets, changed), old };
  }

  /** `collision`: another template has the name already. */
  async create(
    old: readonly ReplicaSet[],
  ): Promise<{ readonly replicaSet: ReplicaSet; readonly existed: boolean } | 'collision'> {
    const wanted = newReplicaSet(this.#deployment, old);
    try {
      const replicaSet = await this.#client.create(replicaSets, wanted);
      if (sizeOf(replicaSet) > 0) this.#tell(replicaSet.metadata.name, 0, sizeOf(replicaSet));
      return { replicaSet, existed: false };
    } catch (error) {
      if (!isAlreadyExists(error)) throw new ReplicaSetRefused(wanted.metadata.name!, error);
    }
    const { namespace } = this.#deployment.metadata;
    const replicaSet = await this.#client.get(replicaSets, { namespace, name: wanted.metadata.name! });
    const ours = isOwnedBy(replicaSet, this.#deployment);
    if (!ours || !equalTemplates(replicaSet.spec.template, this.#deployment.spec.template)) return 'collision';
    return { replicaSet, existed: true };
  }

  async scale({ replicaSet, replicas }: Scaling): Promise<ReplicaSet> {
    const { metadata, spec } = replicaSet;
    const annotations = { ...metadata.annotations, ...sizeAnnotations(this.#deployment) };
    const changed = { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, replicas } };
    const written = await this.#client.update(replicaSets, changed);
    if (sizeOf(replicaSet) !== replicas) this.#tell(metadata.name, sizeOf(replicaSet), replicas);
    return written;
  }

  async remove({ metadata: { namespace, name, uid } }: ReplicaSet): Promise<void> {
    try {
      await this.#client.delete(replicaSets, { namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  #tell(name: string, from: number, to: number): void {
    const message = `Scaled ${from < to ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
    this.#recorder.record(this.#deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message });
  }
}

/** The server does not take the ReplicaSet: users have to hear of it. */
export class ReplicaSetRefused extends Error {
  override readonly name = 'ReplicaSetRefused';

  constructor(replicaSet: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`Failed to create new replica set ${JSON.stringify(replicaSet)}: ${why}`, { cause });
  }
}
