/**
 * How long to wait before a failed Pod is replaced: 10 s after the first failure, doubling to 10 minutes, anew after a success. It follows from
 * the Pods themselves, so that a restart of the controller forgets nothing.
 */
import type { Job, Pod } from '@capstan/kube';
import { finishedAt, hasFailed, hasSucceeded, INDEX_FAILURES, INDEX_IGNORED_FAILURES, noted } from './pods.ts';

const FIRST = 10_000;
const LONGEST = 600_000;

export function remainingBackoff(pods: readonly Pod[], job: Job, now: number): number {
  const lastSuccess = Math.max(Number.NEGATIVE_INFINITY, ...pods.filter(hasSucceeded).map(finishedAt));
  const failures = pods
    .filter(pod => hasFailed(pod, job))
    .map(finishedAt)
    .filter(at => at > lastSuccess);
  return remaining(failures.length, Math.max(...failures), now);
}

/** The same for one index that fails for itself, from the last Pod that failed for it. */
export function remainingIndexBackoff(lastFailed: Pod | undefined, now: number): number {
  if (lastFailed === undefined) return 0;
  return remaining(indexAttempts(lastFailed) + 1, finishedAt(lastFailed), now);
}

/** Failures of an index before this Pod, those that do not count included. */
export function indexAttempts(pod: Pod): number {
  return noted(pod, INDEX_FAILURES) + noted(pod, INDEX_IGNORED_FAILURES);
}

function remaining(failures: number, last: number, now: number): number {
  if (failures === 0) return 0;
  return Math.max(0, last + Math.min(FIRST * 2 ** (failures - 1), LONGEST) - now);
}
