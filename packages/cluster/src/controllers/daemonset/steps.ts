/** Which Pods of a DaemonSet to create and delete next. */
import type { DaemonSet, Node, Pod } from '@capstan/kube';
import { scaledValue } from '../workload/int-or-percent.ts';
import { isAvailable, isReady } from '../workload/pod-state.ts';
import { REVISION_LABEL } from '../workload/revisions.ts';
import { nodeOf, wishFor } from './placement.ts';

export interface Observed {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  /** Of the template as it is now. */
  readonly hash: string;
  readonly now: number;
}

export interface Steps {
  /** Names of nodes that need a Pod. */
  readonly create: readonly string[];
  readonly delete: readonly Pod[];
  /** Pods that have ended and are to be replaced; they are deleted as well, but not too often. */
  readonly ended: readonly Pod[];
}

const NONE: Steps = { create: [], delete: [], ended: [] };

/** A Pod on every node that should have one comes first; only when that is so does an update go on. */
export function nextSteps(observed: Observed): Steps {
  const placement = place(observed);
  if (placement.create.length + placement.delete.length + placement.ended.length > 0) return placement;
  return observed.set.spec.updateStrategy?.type === 'OnDelete' ? NONE : update(observed);
}

export function podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = nodeOf(pod);
    const over = hasEnded(pod) && isLeaving(pod);
    if (node === undefined || over) continue;
    const there = byNode.get(node);
    if (there === undefined) byNode.set(node, [pod]);
    else there.push(pod);
  }
  return byNode;
}

export function isUpdated({ metadata }: Pod, { metadata: set }: DaemonSet, hash: string): boolean {
  const generation = set.annotations?.[TEMPLATE_GENERATION];
  return (
    metadata.labels?.[REVISION_LABEL] === hash ||
    (generation !== undefined && metadata.labels?.[TEMPLATE_GENERATION_LABEL] === generation)
  );
}

export const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
export const TEMPLATE_GENERATION_LABEL = 'pod-template-generation';

function place({ set, nodes, pods, hash, now }: Observed): Steps {
  const byNode = podsByNode(pods);
  const create: string[] = [];
  const remove: Pod[] = [];
  const ended: Pod[] = [];
  for (const node of nodes) {
    const { run, stay } = wishFor(set, node);
    const there = byNode.get(node.metadata.name) ?? [];
    if (!stay) {
      remove.push(...there.filter(pod => !isLeaving(pod)));
      continue;
    }
    if (run && there.length === 0) create.push(node.metadata.name);
    const staying = there.filter(pod => !isLeaving(pod));
    ended.push(...staying.filter(hasEnded));
    const alive = staying.filter(pod => !hasEnded(pod)).toSorted(byAge);
    if (surge(set, 1) === 0) remove.push(...alive.slice(1));
    else if (alive.length === 0 && run && there.length > 0) create.push(node.metadata.name);
    else remove.push(...surplusOfSurge(alive, set, hash, now));
  }
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  for (const [node, there] of byNode) {
    // Waits for a node that will never come.
    if (!known.has(node)) remove.push(...there.filter(pod => !pod.spec.nodeName && !isLeaving(pod)));
  }
  return { create, delete: remove, ended };
}

/** In an update with surge a node may have an old and a new Pod; the old one goes when the new one is available. */
function surplusOfSurge(alive: readonly Pod[], set: DaemonSet, hash: string, now: number): readonly Pod[] {
  const isNew = (pod: Pod): boolean => pod.metadata.labels?.[REVISION_LABEL] === hash;
  const [newest, ...moreNew] = alive.filter(isNew);
  const [oldest, ...moreOld] = alive.filter(pod => !isNew(pod));
  const surplus = [...moreNew, ...moreOld];
  if (newest === undefined || oldest === undefined) return surplus;
  const replaced = !isReady(oldest) || isAvailable(newest, set.spec.minReadySeconds ?? 0, now);
  return replaced ? [...surplus, oldest] : surplus;
}

function update(observed: Observed): Steps {
  const { set, nodes } = observed;
  const desired = nodes.filter(node => wishFor(set, node).run).length;
  const most = surge(set, desired);
  return most > 0 ? updateWithSurge(observed, most) : updateInPlace(observed, unavailability(set, desired));
}

/** Old Pods go, as many at a time as may be missing; those that serve nobody go at once. */
function updateInPlace({ set, pods, nodes, hash, now }: Observed, most: number): Steps {
  const { minReadySeconds = 0 } = set.spec;
  const byNode = podsByNode(pods);
  const wanted = nodes.filter(node => wishFor(set, node).run).map(({ metadata }) => metadata.name);
  const unserving: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const node of new Set([...byNode.keys(), ...wanted])) {
    const staying = (byNode.get(node) ?? []).filter(pod => !isLeaving(pod));
    const [pod] = staying;
    const serves = staying.length === 1 && isAvailable(pod!, minReadySeconds, now);
    if (!serves) unavailable++;
    if (staying.length !== 1 || isUpdated(pod!, set, hash)) continue;
    if (serves) candidates.push(pod!);
    else unserving.push(pod!);
  }
  return { ...NONE, delete: [...unserving, ...candidates.slice(0, Math.max(0, most - unavailable))] };
}

/** New Pods come beside the old ones, so many at a time. */
function updateWithSurge({ set, pods, nodes, hash, now }: Observed, most: number): Steps {
  const { minReadySeconds = 0 } = set.spec;
  const byNode = podsByNode(pods);
  const runs = new Set(nodes.filter(node => wishFor(set, node).run).map(({ metadata }) => metadata.name));
  const at = { once: [] as string[], later: [] as string[] };
  const remove: Pod[] = [];
  let surging = 0;
  for (const [node, there] of byNode) {
    const staying = there.filter(pod => !isLeaving(pod));
    const old = staying.find(pod => !isUpdated(pod, set, hash));
    const fresh = staying.find(pod => isUpdated(pod, set, hash));
    if (old === undefined) continue;
    if (fresh === undefined) {
      const serves = isAvailable(old, minReadySeconds, now);
      if (!runs.has(node)) {
        if (!serves) remove.push(old);
      } else (serves ? at.later : at.once).push(node);
    } else if (isAvailable(fresh, minReadySeconds, now)) remove.push(old);
    else surging++;
  }
  return { ...NONE, create: [...at.once, ...at.later.slice(0, Math.max(0, most - surging))], delete: remove };
}

function surge({ spec }: DaemonSet, desired: number): number {
  if (spec.updateStrategy?.type === 'OnDelete') return 0;
  return scaledValue(spec.updateStrategy?.rollingUpdate?.maxSurge, desired, 'up');
}

/** Neither missing nor surging would never get anywhere: then one may be missing. */
function unavailability({ spec }: DaemonSet, desired: number): number {
  return Math.max(1, scaledValue(spec.updateStrategy?.rollingUpdate?.maxUnavailable, desired, 'up'));
}

const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;
const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';

/** One that is on its node comes before one that is not, then the older. */
function byAge(left: Pod, right: Pod): number {
  const placed = Number(Boolean(right.spec.nodeName)) - Number(Boolean(left.spec.nodeName));
  const [leftTime, rightTime] = [left.metadata.creationTimestamp ?? '', right.metadata.creationTimestamp ?? ''];
  return placed || leftTime.localeCompare(rightTime) || left.metadata.name.localeCompare(right.metadata.name);
}
