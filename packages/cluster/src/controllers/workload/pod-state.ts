/** What a Pod's status says about it, as all workload controllers read it. */
import type { Pod, PodCondition } from '@capstan/kube';

/** Has neither ended nor been told to. */
export function isActive({ metadata, status }: Pod): boolean {
  return !hasEnded(status?.phase) && metadata.deletionTimestamp === undefined;
}

/** Told to end, and not there yet. */
export function isTerminating({ metadata, status }: Pod): boolean {
  return !hasEnded(status?.phase) && metadata.deletionTimestamp !== undefined;
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/** Ready for at least so long: only then does it count as something that users can rely on. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  return minReadySeconds === 0 || readySince(pod) + minReadySeconds * 1000 <= now;
}

/** In how many milliseconds the next of these Pods becomes available merely by the passing of time. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds === 0) return undefined;
  const waits = pods
    .filter(pod => isReady(pod) && !isAvailable(pod, minReadySeconds, now))
    .map(pod => readySince(pod) + minReadySeconds * 1000 - now)
    .filter(Number.isFinite);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** When the Pod last became ready, in milliseconds; infinity when it does not say. */
export function readySince(pod: Pod): number {
  const { lastTransitionTime } = readyCondition(pod) ?? {};
  return lastTransitionTime ? Date.parse(lastTransitionTime) : Number.POSITIVE_INFINITY;
}

function readyCondition({ status }: Pod): PodCondition | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}

function hasEnded(phase: string | undefined): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}
