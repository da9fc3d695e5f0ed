/** The writes for the Pods of a StatefulSet and their claims, with the Events that tell of them. */
import type { Cache, Recorder } from '@capstan/controller';
import {
  type Client,
  type ControllerRevision,
  isAlreadyExists,
  isNotFound,
  type NewObject,
  type PersistentVolumeClaim,
  type Pod,
  persistentVolumeClaims,
  pods,
  type StatefulSet,
} from '@capstan/kube';
import { retentionOwners } from './claim-retention.ts';
import { claimsFor, hasIdentity, isInRange, ordinalOf, podFor, withIdentity } from './identity.ts';

type Verb = 'Create' | 'Update' | 'Delete';

export class StatefulPods {
  readonly #client: Client;
  readonly #cache: Cache;
  readonly #recorder: Recorder;
  readonly #set: StatefulSet;

  constructor(client: Client, cache: Cache, recorder: Recorder, set: StatefulSet) {
    this.#client = client;
    this.#cache = cache;
    this.#recorder = recorder;
    this.#set = set;
  }

  /** The claims first: a Pod without them could not be scheduled. */
  async create(revision: ControllerRevision, ordinal: number): Promise<void> {
    const wanted = podFor(this.#set, revision, ordinal);
    const name = wanted.metadata.name!;
    await this.#telling('Create', name, async () => {
      await this.#createClaims(ordinal, name);
      const pod = await this.#client.create(pods, wanted);
      await this.#retainClaims(pod);
    });
  }

  async delete({ metadata: { namespace, name, uid } }: Pod): Promise<void> {
    await this.#telling('Delete', name, () =>
      this.#client.delete(pods, { namespace, name }, { preconditions: { uid } }).catch(error => {
        if (!isNotFound(error)) throw error;
      }),
    );
  }

  async repair(pod: Pod): Promise<void> {
    const ordinal = ordinalOf(pod, this.#set);
    const stays = pod.metadata.deletionTimestamp === undefined && isInRange(ordinal, this.#set);
    if (stays) await this.#createClaims(ordinal, pod.metadata.name);
    await this.#retainClaims(pod);
    if (!stays || hasIdentity(pod)) return;
    await this.#telling('Update', pod.metadata.name, () => this.#client.update(pods, withIdentity(pod, this.#set)));
  }

  async #createClaims(ordinal: number, podName: string): Promise<void> {
    for (const claim of claimsFor(this.#set, ordinal)) {
      const { namespace, name = '' } = claim.metadata;
      const existing = await this.#cache.get(persistentVolumeClaims, { namespace, name });
      if (existing?.metadata.deletionTimestamp !== undefined) throw new Error(`pvc ${name} is being deleted`);
      if (existing === undefined) await this.#createClaim(claim, podName);
    }
  }

  async #createClaim(claim: NewObject<PersistentVolumeClaim>, podName: string): Promise<void> {
    const where = `Claim ${claim.metadata.name}`;
    const set = this.#set.metadata.name;
    try {
      await this.#client.create(persistentVolumeClaims, claim);
      this.#tell('Normal', 'SuccessfulCreate', `Create ${where} Pod ${podName} in StatefulSet ${set} success`);
    } catch (error) {
      if (isAlreadyExists(error)) return;
      const why = error instanceof Error ? error.message : String(error);
      const message = `Create ${where} for Pod ${podName} in StatefulSet ${set} failed error: ${why}`;
      this.#tell('Warning', 'FailedCreate', message);
      throw error;
    }
  }

  async #retainClaims(pod: Pod): Promise<void> {
    for (const { metadata } of claimsFor(this.#set, ordinalOf(pod, this.#set))) {
      const { namespace, name = '' } = metadata;
      const claim = await this.#cache.get(persistentVolumeClaims, { namespace, name });
      if (claim === undefined) continue;
      const ownerReferences = retentionOwners(claim, this.#set, pod);
      if (ownerReferences === undefined) continue;
      await this.#client.update(persistentVolumeClaims, {
        ...claim,
        metadata: { ...claim.metadata, ownerReferences },
      });
    }
  }

  async #telling(verb: Verb, pod: string, act: () => Promise<unknown>): Promise<void> {
    const what = `${verb} Pod ${pod} in StatefulSet ${this.#set.metadata.name}`;
    try {
      await act();
      this.#tell('Normal', `Successful${verb}`, `${what} successful`);
    } catch (error) {
      if (!isAlreadyExists(error)) {
        const why = error instanceof Error ? error.message : String(error);
        this.#tell('Warning', `Failed${verb}`, `${what} failed error: ${why}`);
      }
      throw error;
    }
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#recorder.record(this.#set, { type, reason, message });
  }
}
