/** Which Pods a Job that is not decided yet should create or delete now. */
import type { Job, Pod } from '@capstan/kube';
import { podsToDelete } from '../workload/deletion-order.ts';
import { isTerminating } from '../workload/pod-state.ts';
import type { Assessment } from './assessment.ts';
import { indexAttempts, remainingBackoff, remainingIndexBackoff } from './backoff.ts';
import { firstPending, type Indexes } from './indexes.ts';
import { finishedAt, hasFailed, indexOf, isIndexed, isTracked } from './pods.ts';

export interface Creation {
  /** `undefined` in a Job without indexes. */
  readonly index: number | undefined;
  /** The Pod that failed for the index before, if failures are counted by index. */
  readonly replaces: Pod | undefined;
}

export type Plan =
  | { readonly type: 'delete'; readonly pods: readonly Pod[] }
  | { readonly type: 'create'; readonly creations: readonly Creation[] }
  /** There are Pods to create, but not before so many milliseconds have passed. */
  | { readonly type: 'wait'; readonly milliseconds: number }
  | { readonly type: 'rest' };

const BURST = 500;

export function planFor(job: Job, pods: readonly Pod[], assessment: Assessment, now: number): Plan {
  const { spec } = job;
  const { active, succeeded } = assessment;
  if (spec.suspend) return active.length > 0 ? { type: 'delete', pods: active } : { type: 'rest' };
  const wanted = wantedActive(job, active.length, succeeded);
  const unwanted = surplus(job, active, Math.max(0, active.length - wanted), now).slice(0, BURST);
  if (unwanted.length > 0) return { type: 'delete', pods: unwanted };
  const ending = spec.podReplacementPolicy === 'Failed' ? pods.filter(isTerminating) : [];
  const missing = Math.min(BURST, wanted - ending.length - active.length);
  if (missing <= 0) return { type: 'rest' };
  if (spec.backoffLimitPerIndex === undefined) {
    const milliseconds = remainingBackoff(pods, job, now);
    if (milliseconds > 0) return { type: 'wait', milliseconds };
  }
  if (!isIndexed(job))
    return { type: 'create', creations: Array(missing).fill({ index: undefined, replaces: undefined }) };
  return byIndex(job, pods, assessment, ending, missing, now);
}

/** How many Pods should run: as many as are still needed, at most `parallelism`. Without `completions`, one success ends it. */
function wantedActive({ spec }: Job, active: number, succeeded: number): number {
  const { parallelism = 1, completions } = spec;
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Pods that are one too many: of the same index as another, of an index that there is no more, and then those that cost least. */
function surplus(job: Job, active: readonly Pod[], least: number, now: number): readonly Pod[] {
  if (!isIndexed(job)) return least === 0 ? [] : podsToDelete(active, [], least, now);
  const first = new Map<number, Pod>();
  const duplicates = active.filter(pod => {
    const index = indexOf(pod, job);
    if (index === undefined) return true;
    if (first.has(index)) return true;
    first.set(index, pod);
    return false;
  });
  const more = least - duplicates.length;
  return more <= 0 ? duplicates : [...duplicates, ...podsToDelete([...first.values()], [], more, now)];
}

function byIndex(
  job: Job,
  pods: readonly Pod[],
  { active, succeededIndexes, failedIndexes }: Assessment,
  ending: readonly Pod[],
  missing: number,
  now: number,
): Plan {
  const indexesOf = (some: readonly Pod[]): Indexes =>
    new Set(some.map(pod => indexOf(pod, job)).filter(index => index !== undefined));
  const taken = [succeededIndexes, failedIndexes, indexesOf(active), indexesOf(ending)];
  const pending = firstPending(missing, job.spec.completions ?? 0, taken);
  if (job.spec.backoffLimitPerIndex === undefined) {
    return { type: 'create', creations: pending.map(index => ({ index, replaces: undefined })) };
  }
  const last = lastFailedByIndex(job, pods, { active, succeededIndexes, failedIndexes });
  const waits = pending.map(index => remainingIndexBackoff(last.get(index), now));
  const due = pending.filter((_, at) => waits[at] === 0);
  if (due.length === 0)
    return pending.length === 0 ? { type: 'rest' } : { type: 'wait', milliseconds: Math.min(...waits) };
  return { type: 'create', creations: due.map(index => ({ index, replaces: last.get(index) })) };
}

/**
 * The last Pod that failed for each index that is open. It keeps its finalizer until another takes its place: it alone knows how often the
 * index has failed.
 */
export function lastFailedByIndex(
  job: Job,
  pods: readonly Pod[],
  { active, succeededIndexes, failedIndexes }: Pick<Assessment, 'active' | 'succeededIndexes' | 'failedIndexes'>,
): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>();
  if (job.spec.backoffLimitPerIndex === undefined) return last;
  const running = new Set(active.map(pod => indexOf(pod, job)));
  for (const pod of pods.filter(each => isTracked(each) && hasFailed(each, job))) {
    const index = indexOf(pod, job);
    if (index === undefined || succeededIndexes.has(index) || failedIndexes.has(index) || running.has(index)) continue;
    const known = last.get(index);
    const later =
      known === undefined || (indexAttempts(known) <= indexAttempts(pod) && finishedAt(known) <= finishedAt(pod));
    if (later) last.set(index, pod);
  }
  return last;
}
