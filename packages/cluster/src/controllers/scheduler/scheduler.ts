/** Finds a node for every Pod that has none, and tells the API. Reads nothing but what watches have shown. */
import type { CacheChange, Log, Manager, Recorder } from '@capstan/controller';
import {
  type Client,
  isConflict,
  isNotFound,
  type KubeObject,
  type Node,
  nodes,
  type Pod,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  storageClasses,
  timestamp,
} from '@capstan/kube';
import { ClusterState, isOver } from './cluster-state.ts';
import { PendingPods } from './pending-pods.ts';
import { place } from './placement.ts';
import { type PodInfo, podInfo } from './pod-info.ts';
import { SELECTED_NODE, type VolumeLookup, type VolumeNeeds } from './volumes.ts';

export const SCHEDULER_NAME = 'default-scheduler';
/** Writes under way at a time: enough for the server to commit them together. */
const MOST_WRITES = 100;
const MOST_SHAPES = 1_000;

interface Binding extends KubeObject {
  readonly target: { readonly apiVersion: 'v1'; readonly kind: 'Node'; readonly name: string };
}

export class Scheduler {
  readonly #manager: Manager;
  readonly #client: Client;
  readonly #log: Log;
  readonly #recorder: Recorder;
  readonly #state = new ClusterState();
  readonly #pending: PendingPods;
  readonly #lookup: VolumeLookup;
  /** Why Pods of a shape did not fit, and which cluster. */
  readonly #misfits = new Map<string, { readonly generation: number; readonly message: string }>();
  #writes = 0;
  #running = false;

  constructor(manager: Manager, recorder: Recorder) {
    this.#manager = manager;
    this.#client = manager.client;
    this.#log = manager.log.child({ controller: 'scheduler' });
    this.#recorder = recorder;
    this.#pending = new PendingPods(manager.clock, () => this.#pump());
    const { cache } = manager;
    this.#lookup = {
      claim: (namespace, name) => cache.of(persistentVolumeClaims).now.get({ namespace, name }),
      volume: name => cache.of(persistentVolumes).now.get({ name }),
      storageClass: name => cache.of(storageClasses).now.get({ name }),
      allVolumes: () => cache.of(persistentVolumes).now.list(),
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { cache } = this.#manager;
    const storageChanged = (change: CacheChange): void => {
      if (!change.initial) this.#roomMade();
    };
    const stops = [
      cache.of(nodes).subscribe(change => this.#nodeChanged(change)),
      cache.of(pods).subscribe(change => this.#podChanged(change)),
      cache.of(persistentVolumeClaims).subscribe(storageChanged),
      cache.of(persistentVolumes).subscribe(storageChanged),
      cache.of(storageClasses).subscribe(storageChanged),
    ];
    this.#running = true;
    this.#pump();
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#running = false;
    this.#pending.stop();
    for (const stop of stops) stop();
  }

  #nodeChanged(change: CacheChange<Node>): void {
    const { object } = change;
    if (change.type === 'deleted') {
      this.#state.removeNode(object.metadata.name);
      return;
    }
    if (change.type === 'updated' && !mattersToPods(change.previous, object)) return;
    this.#state.setNode(object);
    this.#pending.changed(this.#state.generation);
  }

  #podChanged({ type, object }: CacheChange<Pod>): void {
    const uid = object.metadata.uid ?? '';
    if (type === 'deleted') {
      this.#pending.remove(uid);
      if (this.#state.remove(uid)) this.#pending.changed(this.#state.generation);
    } else if (object.spec.nodeName) {
      this.#pending.remove(uid);
      if (this.#state.setPod(object)) this.#pending.changed(this.#state.generation);
    } else if (wantsNode(object)) {
      if (this.#state.placed(uid) === undefined) this.#pending.put(podInfo(object));
    } else {
      this.#pending.remove(uid);
    }
  }

  #roomMade(): void {
    this.#state.generation++;
    this.#pending.changed(this.#state.generation);
  }

  #pump(): void {
    while (this.#running && this.#writes < MOST_WRITES) {
      const info = this.#pending.take();
      if (info === undefined) return;
      this.#schedule(info);
    }
  }

  #schedule(info: PodInfo): void {
    const { generation } = this.#state;
    const misfit = this.#misfit(info);
    const placement =
      misfit === undefined
        ? place(info, this.#state, this.#lookup, this.#manager.random.next())
        : ({ type: 'nowhere', message: misfit } as const);
    if (placement.type === 'nowhere') {
      if (info.shape !== undefined) this.#remember(info.shape, placement.message);
      this.#pending.park(info.uid, generation);
      if (isNews(info.pod, placement.message)) this.#write(info, () => this.#report(info, placement.message));
    } else if (placement.volumes.unbound.length > 0) {
      // The Pod follows when the volumes are there; until then their claims remember the node.
      this.#pending.park(info.uid, generation);
      this.#write(info, () => this.#selectNode(placement.volumes, placement.node));
    } else {
      this.#state.place(info, placement.node);
      this.#write(info, () => this.#bind(info, placement.node));
    }
  }

  /** Where Pods decide about each other, each has to be looked at by itself. */
  #misfit({ shape }: PodInfo): string | undefined {
    if (shape === undefined || this.#state.apart.size > 0) return undefined;
    const known = this.#misfits.get(shape);
    return known?.generation === this.#state.generation ? known.message : undefined;
  }

  #remember(shape: string, message: string): void {
    if (this.#misfits.size >= MOST_SHAPES) this.#misfits.clear();
    this.#misfits.set(shape, { generation: this.#state.generation, message });
  }

  #write(info: PodInfo, write: () => Promise<void>): void {
    this.#writes++;
    void write()
      .catch((error: unknown) => {
        if (isNotFound(error) || !this.#running) return;
        if (!isConflict(error)) this.#log.warn({ pod: info.key, error }, 'scheduling a Pod failed');
      })
      .finally(() => {
        this.#writes--;
        this.#pump();
      });
  }

  async #bind({ pod, uid, key }: PodInfo, node: string): Promise<void> {
    const { namespace, name } = pod.metadata;
    try {
      await this.#client.subresource<Binding>(pods, 'binding').create(
        { namespace, name },
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, uid, ...(namespace !== undefined && { namespace }) },
          target: { apiVersion: 'v1', kind: 'Node', name: node },
        },
      );
    } catch (error) {
      // Whether it is bound or not is for the watch to tell; until then the place is free again.
      this.#state.remove(uid);
      this.#pending.park(uid, this.#state.generation - 1);
      this.#pending.changed(this.#state.generation);
      throw error;
    }
    const message = `Successfully assigned ${key} to ${node}`;
    this.#recorder.record(pod, { type: 'Normal', reason: 'Scheduled', message });
  }

  async #report({ pod }: PodInfo, message: string): Promise<void> {
    const { namespace, name, generation } = pod.metadata;
    const now = this.#manager.clock.now();
    const before = scheduledCondition(pod);
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : timestamp(now),
      observedGeneration: generation,
    };
    const strategic = { status: { conditions: [condition] } };
    await this.#client.patch(pods, { namespace, name }, { strategic }, { subresource: 'status' });
    this.#recorder.record(pod, { type: 'Warning', reason: 'FailedScheduling', message });
  }

  async #selectNode({ unbound }: VolumeNeeds, node: string): Promise<void> {
    for (const { metadata } of unbound) {
      if (metadata.annotations?.[SELECTED_NODE] === node) continue;
      const { namespace, name, resourceVersion } = metadata;
      const merge = { metadata: { resourceVersion, annotations: { [SELECTED_NODE]: node } } };
      await this.#client.patch(persistentVolumeClaims, { namespace, name }, { merge });
    }
  }
}

function wantsNode(pod: Pod): boolean {
  const { schedulerName = SCHEDULER_NAME, schedulingGates = [] } = pod.spec as Pod['spec'] & {
    readonly schedulingGates?: readonly unknown[];
  };
  if (schedulerName !== SCHEDULER_NAME || schedulingGates.length > 0) return false;
  return pod.metadata.deletionTimestamp === undefined && !isOver(pod);
}

const scheduledCondition = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'PodScheduled');

function isNews(pod: Pod, message: string): boolean {
  const condition = scheduledCondition(pod);
  return condition?.status !== 'False' || condition.message !== message;
}

/** A node's heartbeat changes nothing for a Pod. */
function mattersToPods(before: Node, after: Node): boolean {
  const view = ({ metadata, spec, status }: Node): string =>
    JSON.stringify([metadata.labels, spec?.unschedulable, spec?.taints, status?.allocatable]);
  return view(before) !== view(after);
}
