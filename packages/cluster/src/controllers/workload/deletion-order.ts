/** Which Pods go first when there are too many: those that users miss least. */
import type { Pod } from '@capstan/kube';
import { isActive, isReady, readySince } from './pod-state.ts';

/**
 * The `count` Pods to delete. `related` are the Pods of all ReplicaSets of the same Deployment: where a node has several, one of
 * them is missed less.
 */
export function podsToDelete(
  pods: readonly Pod[],
  related: readonly Pod[],
  count: number,
  now: number,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const neighbours = new Map<string, number>();
  for (const { spec } of related.filter(isActive)) {
    if (spec.nodeName) neighbours.set(spec.nodeName, (neighbours.get(spec.nodeName) ?? 0) + 1);
  }
  const crowd = (pod: Pod): number => neighbours.get(pod.spec.nodeName ?? '') ?? 0;
  return pods.toSorted((left, right) => compare(left, right, crowd, now)).slice(0, count);
}

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

/** Negative: `left` goes first. Each line decides only between Pods that are alike in all lines before it. */
function compare(left: Pod, right: Pod, crowd: (pod: Pod) => number, now: number): number {
  return (
    Number(Boolean(left.spec.nodeName)) - Number(Boolean(right.spec.nodeName)) ||
    phase(left) - phase(right) ||
    Number(isReady(left)) - Number(isReady(right)) ||
    deletionCost(left) - deletionCost(right) ||
    crowd(right) - crowd(left) ||
    (isReady(left) && isReady(right) ? byAge(readySince(left), readySince(right), left, right, now) : 0) ||
    restarts(right) - restarts(left) ||
    byAge(createdAt(left), createdAt(right), left, right, now)
  );
}

const phase = ({ status }: Pod): number => PHASES[status?.phase ?? ''] ?? 0;

/** `controller.kubernetes.io/pod-deletion-cost`, a 32-bit number; what is none counts as zero. */
function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '0';
  return /^(0|-?[1-9]\d{0,9})$/.test(text) ? Number(text) : 0;
}

/**
 * The younger goes first, but ages are compared by their order of magnitude only: else all Pods of the newest node would go, and
 * with it the spread over nodes.
 */
function byAge(leftTime: number, rightTime: number, left: Pod, right: Pod, now: number): number {
  if (leftTime === rightTime) return 0;
  if (!Number.isFinite(leftTime) || !Number.isFinite(rightTime)) return Number.isFinite(leftTime) ? 1 : -1;
  const difference = magnitude(now - leftTime) - magnitude(now - rightTime);
  return difference || ((left.metadata.uid ?? '') < (right.metadata.uid ?? '') ? -1 : 1);
}

/** In nanoseconds, as Kubernetes measures it: the steps of its scale lie there. */
const magnitude = (age: number): number => (age > 0 ? Math.floor(Math.log2(age * 1e6)) : -1);

const restarts = ({ status }: Pod): number =>
  Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));

const createdAt = ({ metadata }: Pod): number =>
  metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : Number.POSITIVE_INFINITY;
