/** What the Job controller reads from its Pods and writes on them. */
import type { Job, Pod } from '@capstan/kube';

/**
 * Keeps a Pod from vanishing before it is counted. It is taken off only after the Job's status names the Pod, and the status forgets the Pod
 * only after it is off: so whenever the controller is killed, each Pod is counted once.
 */
export const TRACKING_FINALIZER = 'batch.kubernetes.io/job-tracking';
export const COMPLETION_INDEX = 'batch.kubernetes.io/job-completion-index';
export const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';
export const INDEX_IGNORED_FAILURES = 'batch.kubernetes.io/job-index-ignored-failure-count';

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

/** The index that a Pod works on; `undefined` for none, or one that the Job does not have. */
export function indexOf({ metadata }: Pod, { spec }: Job): number | undefined {
  const text = metadata.annotations?.[COMPLETION_INDEX];
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const index = Number(text);
  return index < (spec.completions ?? 0) ? index : undefined;
}

/** Whether the Pod counts for the Job: one without a valid index does not, in an indexed Job. */
export function counts(pod: Pod, job: Job): boolean {
  return !isIndexed(job) || indexOf(pod, job) !== undefined;
}

/** Where Pods are replaced as soon as they are told to end, such a Pod counts as failed from then on. */
export function hasFailed({ status, metadata }: Pod, { spec }: Job): boolean {
  if (status?.phase === 'Failed') return true;
  if (spec.podReplacementPolicy === 'Failed') return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

export const hasSucceeded = ({ status }: Pod): boolean => status?.phase === 'Succeeded';

export function noted({ metadata }: Pod, annotation: typeof INDEX_FAILURES | typeof INDEX_IGNORED_FAILURES): number {
  const value = Number(metadata.annotations?.[annotation] ?? 0);
  return Number.isSafeInteger(value) ? value : 0;
}

/** When a Pod ended, in milliseconds: by its containers, by when it ceased to be ready, or by when it was told to. */
export function finishedAt({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  if (ends.length > 0 && ends.every(end => end !== undefined)) return Math.max(...ends.map(end => Date.parse(end!)));
  const unready = status?.conditions?.find(({ type, status: value }) => type === 'Ready' && value === 'False');
  if (unready?.lastTransitionTime) return Date.parse(unready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp ?? '');
}
