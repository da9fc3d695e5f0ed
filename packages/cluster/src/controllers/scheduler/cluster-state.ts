/** The nodes and what runs on them, kept up to date change by change. */
import type { Node, Pod } from '@capstan/kube';
import { type Amounts, numbers, type PodInfo, podInfo } from './pod-info.ts';
import type { Taint } from './tolerations.ts';

export interface NodeState {
  readonly name: string;
  node: Node;
  allocatable: Amounts;
  taints: readonly Taint[];
  readonly pods: Map<string, PodInfo>;
  readonly requested: Record<string, number>;
  readonly hostPorts: Map<string, number>;
  /** How many Pods of each controller. */
  readonly owners: Map<string, number>;
}

export class ClusterState {
  readonly nodes = new Map<string, NodeState>();
  /** Counts what can make room: a Pod that did not fit is worth another try only when this has moved. */
  generation = 0;
  /** Pods by uid, with the node they are on. */
  readonly #placed = new Map<string, { readonly info: PodInfo; readonly node: string }>();
  /** Of nodes that are not known (yet). */
  readonly #stray = new Map<string, Map<string, PodInfo>>();
  /** Pods that want to be apart from others: new ones have to respect that. */
  readonly apart = new Map<string, { readonly info: PodInfo; readonly node: string }>();

  setNode(node: Node): void {
    const { name } = node.metadata;
    const allocatable = numbers(node.status?.allocatable ?? {});
    const taints = node.spec?.taints ?? [];
    this.generation++;
    const existing = this.nodes.get(name);
    if (existing !== undefined) {
      Object.assign(existing, { node, allocatable, taints });
      return;
    }
    const state: NodeState = {
      name,
      node,
      allocatable,
      taints,
      pods: new Map(),
      requested: {},
      hostPorts: new Map(),
      owners: new Map(),
    };
    this.nodes.set(name, state);
    for (const info of this.#stray.get(name)?.values() ?? []) occupy(state, info);
    this.#stray.delete(name);
  }

  removeNode(name: string): void {
    const state = this.nodes.get(name);
    if (state === undefined) return;
    this.nodes.delete(name);
    if (state.pods.size > 0) this.#stray.set(name, state.pods);
  }

  placed(uid: string): string | undefined {
    return this.#placed.get(uid)?.node;
  }

  *all(): Generator<{ readonly info: PodInfo; readonly node: string }> {
    yield* this.#placed.values();
  }

  /** A Pod is on a node, or is about to be. */
  place(info: PodInfo, node: string): void {
    const before = this.#placed.get(info.uid);
    if (before?.node === node) return;
    if (before !== undefined) this.remove(info.uid);
    this.#placed.set(info.uid, { info, node });
    if (info.apart.length > 0) this.apart.set(info.uid, { info, node });
    const state = this.nodes.get(node);
    if (state !== undefined) occupy(state, info);
    else {
      const strays = this.#stray.get(node) ?? new Map<string, PodInfo>();
      this.#stray.set(node, strays.set(info.uid, info));
    }
  }

  /** A Pod does not use its node any more. */
  remove(uid: string): boolean {
    const found = this.#placed.get(uid);
    if (found === undefined) return false;
    this.#placed.delete(uid);
    this.apart.delete(uid);
    this.generation++;
    const state = this.nodes.get(found.node);
    if (state !== undefined) release(state, found.info);
    else this.#stray.get(found.node)?.delete(uid);
    return true;
  }

  /** Takes in a Pod as it is now. True when room was made. */
  setPod(pod: Pod): boolean {
    const uid = pod.metadata.uid ?? '';
    const { nodeName } = pod.spec;
    if (!nodeName) return false;
    if (isOver(pod)) return this.remove(uid);
    if (this.placed(uid) !== nodeName) this.place(podInfo(pod), nodeName);
    return false;
  }
}

/** What has ended keeps its node's name, but nothing of the node. */
export const isOver = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

function occupy(state: NodeState, info: PodInfo): void {
  state.pods.set(info.uid, info);
  change(state, info, 1);
}

function release(state: NodeState, info: PodInfo): void {
  if (state.pods.delete(info.uid)) change(state, info, -1);
}

function change(state: NodeState, { requests, hostPorts, owner }: PodInfo, sign: 1 | -1): void {
  for (const name in requests) state.requested[name] = (state.requested[name] ?? 0) + sign * requests[name]!;
  for (const port of hostPorts) count(state.hostPorts, port, sign);
  if (owner !== undefined) count(state.owners, owner, sign);
}

function count(counts: Map<string, number>, key: string, sign: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + sign;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}
