/**
 * One Pod on this node: looks at what is, asks what to do, does it, says how it stands. Whatever happens (the Pod changed, a process
 * ended, a probe answered, time has come) leads to the same look.
 */
import { deepEqual, isConflict, isNotFound, type Pod, type PodCondition, pods, type Timer } from '@capstan/kube';
import { imageIdOf } from '../images/catalogue.ts';
import { NodeContainer } from './container.ts';
import type { Surroundings } from './environment/downward.ts';
import { type ContainerFacts, containersOf, type PodFacts } from './pod/container-facts.ts';
import { type Action, type Decision, decide } from './pod/decide.ts';
import { isEnding, isTerminal } from './pod/ending.ts';
import { restoredFacts } from './pod/restore.ts';
import { type NodePodStatus, statusOf } from './pod/status.ts';
import { statusEvents } from './pod/status-events.ts';
import type { PodContext } from './pod-context.ts';
import { type PodEvents, podEvents } from './pod-events.ts';

/** Who writes the status, as `managedFields` tells it. */
export const FIELD_OWNER = 'capstan-node';
const WRITE_RETRY = 1_000;
const MOUNT_RETRY = 2_000;
const LONGEST_MOUNT_RETRY = 120_000;

export class PodWorker {
  readonly uid: string;
  readonly podIP: string;
  readonly containers: readonly NodeContainer[];
  readonly #context: PodContext;
  readonly #events: PodEvents;
  #pod: Pod;
  #written: NodePodStatus | undefined;
  #volumes: ReadonlyMap<string, string> = new Map();
  #volumesFresh = false;
  /** The state of everything that the volumes and the environment are made of. */
  #sources: string;
  #prepared = false;
  #mountFailures = 0;
  #mountRetryAt: number | undefined;
  #refreshAt: number | undefined;
  #initialized = false;
  #endingSince: number | undefined;
  #timer: Timer | undefined;
  /** `gone`: the object is not there any more, nothing is to be written. */
  #life: 'here' | 'gone' | 'halted' = 'here';
  #looking = false;
  #lookAgain = false;
  #released: Promise<void> | undefined;

  constructor(pod: Pod, podIP: string, context: PodContext) {
    this.uid = pod.metadata.uid ?? '';
    this.podIP = podIP;
    this.#pod = pod;
    this.#context = context;
    this.#sources = context.fingerprint(pod);
    this.#events = podEvents(context.recorder, () => this.#pod);
    // What has ended needs no volumes, and its init containers are behind it.
    this.#initialized = isTerminal(pod);
    this.containers = containersOf(pod.spec).map(
      spec =>
        new NodeContainer({
          context,
          events: this.#events,
          facts: restoredFacts(pod, spec, context.clock.now()),
          pod: () => this.#pod,
          surroundings: () => this.#surroundings(),
          volumePaths: () => this.#volumes,
          onChange: () => this.look(),
        }),
    );
  }

  get pod(): Pod {
    return this.#pod;
  }

  /** The Pod, or something that it refers to, may have changed. */
  update(pod: Pod): void {
    this.#pod = pod;
    this.look();
    const sources = this.#context.fingerprint(pod);
    if (sources === this.#sources) return;
    this.#sources = sources;
    this.#volumesFresh = false;
    this.#mountRetryAt = undefined;
    for (const container of this.containers) container.retry();
  }

  /** The object is gone: what still runs is ended at once. Resolves when nothing of the Pod is left on this node. */
  remove(): Promise<void> {
    this.#life = 'gone';
    return this.#release();
  }

  /** The node ends, the Pod does not: its processes are told to end, and nothing is written. */
  async halt(grace: number): Promise<void> {
    this.#life = 'halted';
    this.#timer?.cancel();
    for (const container of this.containers) container.terminate();
    const timer = this.#context.clock.after(grace, () => {
      for (const container of this.containers) container.kill();
    });
    await Promise.all(this.containers.map(({ ended }) => ended));
    timer.cancel();
  }

  /** Looks at everything, soon. Calls while it looks lead to one more look. */
  look(): void {
    this.#lookAgain = true;
    if (this.#looking || this.#life !== 'here') return;
    this.#looking = true;
    queueMicrotask(() => void this.#lookUntilStill());
  }

  async #lookUntilStill(): Promise<void> {
    try {
      while (this.#lookAgain && this.#life === 'here') {
        this.#lookAgain = false;
        await this.#lookOnce();
      }
    } catch (error) {
      this.#context.log.error({ error, pod: this.#pod.metadata.name }, 'a Pod could not be looked after; tried again');
      this.#wakeAt(this.#context.clock.now() + WRITE_RETRY);
    } finally {
      this.#looking = false;
    }
  }

  async #lookOnce(): Promise<void> {
    await this.#prepare();
    const decision = decide(this.#facts());
    this.#initialized = decision.initialized;
    for (const action of decision.actions) this.#act(action);
    const written = await this.#writeStatus();
    // Acting has changed what there is to decide; the next look comes at once.
    if (this.#lookAgain) return;
    if (!written) return this.#wakeAt(this.#context.clock.now() + WRITE_RETRY);
    if (decision.over) await this.#finish();
    else this.#wakeFor(decision);
  }

  #act(action: Action): void {
    const container = this.containers.find(({ name }) => name === action.container)!;
    switch (action.type) {
      case 'start':
        container.start(action.backoff);
        break;
      case 'stop':
        container.stop(action.by, action.message);
        break;
    }
  }

  /** Everything has ended. A Pod that is being deleted is now let go of; another one stays, for its status and logs. */
  async #finish(): Promise<void> {
    if (this.#pod.metadata.deletionTimestamp === undefined) return;
    const { name, namespace } = this.#pod.metadata;
    await Promise.all(this.containers.map(({ ended }) => ended));
    const preconditions = { uid: this.uid };
    await this.#context.client.delete(pods, { namespace, name }, { grace: 0, preconditions }).catch(error => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  }

  async #prepare(): Promise<void> {
    const { clock } = this.#context;
    if (isEnding(this.#facts())) return;
    const due = this.#refreshAt !== undefined && clock.now() >= this.#refreshAt;
    if ((this.#volumesFresh && !due) || clock.now() < (this.#mountRetryAt ?? 0)) return;
    try {
      const { paths, refreshAt } = await this.#context.volumes(this.#pod, this.#surroundings());
      this.#volumes = paths;
      this.#refreshAt = refreshAt;
      this.#volumesFresh = true;
      this.#prepared = true;
      this.#mountFailures = 0;
      this.#mountRetryAt = undefined;
    } catch (error) {
      // Volumes that are there stay as they are until what they come from is back.
      this.#mountRetryAt = clock.now() + Math.min(MOUNT_RETRY * 2 ** this.#mountFailures++, LONGEST_MOUNT_RETRY);
      if (!this.#prepared) this.#events.warning('FailedMount', (error as Error).message);
    }
  }

  async #writeStatus(): Promise<boolean> {
    const status = statusOf(this.#facts(), { hostIP: this.#context.hostIP, podIP: this.podIP, imageID: imageIdOf });
    if (deepEqual(status, this.#written)) return true;
    const { name, namespace } = this.#pod.metadata;
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, uid: this.uid }, status };
    try {
      const options = { owner: FIELD_OWNER, force: true };
      await this.#context.client.subresource(pods, 'status').apply({ namespace, name }, body, options);
      for (const { container, ...event } of statusEvents(this.#pod, this.#written, status)) {
        const spec = containersOf(this.#pod.spec).find(({ name: own }) => own === container);
        this.#events[event.type === 'Normal' ? 'normal' : 'warning'](event.reason, event.message, spec);
      }
      this.#written = status;
      return true;
    } catch (error) {
      // Another Pod has its name now, or none: the watch will say so.
      if (isNotFound(error) || isConflict(error)) return true;
      this.#context.log.warn({ error, pod: name, namespace }, 'the status of a Pod was not written; tried again');
      return false;
    }
  }

  /** What is known now. The status that was written counts before the one that the watch has shown so far. */
  #facts(): PodFacts {
    const now = this.#context.clock.now();
    const facts: PodFacts = {
      pod: this.#written === undefined ? this.#pod : { ...this.#pod, status: mergedStatus(this.#pod, this.#written) },
      now,
      containers: this.containers.map(({ facts }): ContainerFacts => facts),
      prepared: this.#prepared,
      initialized: this.#initialized,
    };
    if (isEnding(facts)) this.#endingSince ??= now;
    return this.#endingSince === undefined ? facts : { ...facts, endingSince: this.#endingSince };
  }

  #surroundings(): Surroundings {
    const { hostIP, allocatable } = this.#context;
    return { podIP: this.podIP, hostIP, allocatable };
  }

  #wakeFor({ wakeAt }: Decision): void {
    const times = [wakeAt, this.#mountRetryAt, this.#refreshAt].filter(time => time !== undefined);
    if (times.length === 0) this.#timer?.cancel();
    else this.#wakeAt(Math.min(...times));
  }

  #wakeAt(time: number): void {
    const { clock } = this.#context;
    this.#timer?.cancel();
    this.#timer = clock.after(Math.max(0, time - clock.now()), () => this.look());
  }

  #release(): Promise<void> {
    this.#released ??= (async () => {
      this.#timer?.cancel();
      for (const container of this.containers) container.kill();
      await Promise.all(this.containers.map(({ ended }) => ended));
      await this.#context.release(this.#pod);
    })();
    return this.#released;
  }
}

/** Conditions of others (readiness gates) come from the Pod, ours from what was written. */
function mergedStatus({ status }: Pod, written: NodePodStatus): NodePodStatus {
  const ours = new Set(written.conditions?.map(({ type }) => type));
  const others = (status?.conditions ?? []).filter(({ type }: PodCondition) => !ours.has(type));
  return { ...status, ...written, conditions: [...(written.conditions ?? []), ...others] };
}
