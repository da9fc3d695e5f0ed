/** How a Job stands: what its Pods amount to, and whether that decides it. No I/O: a Job, its Pods and the time in. */
import type { Job, Pod } from '@capstan/kube';
import { isActive } from '../workload/pod-state.ts';
import { consequenceOf } from './failure-policy.ts';
import { type Indexes, parseIndexes } from './indexes.ts';
import { counts, hasFailed, hasSucceeded, INDEX_FAILURES, indexOf, isIndexed, isTracked, noted } from './pods.ts';
import { successMessage } from './success-policy.ts';

/** The Job is decided: it has failed or succeeded, and what still runs of it is to end. */
export interface Verdict {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

export interface Assessment {
  readonly active: readonly Pod[];
  /** Successes and failures so far, those that the status does not count yet included. */
  readonly succeeded: number;
  readonly failed: number;
  /** Of indexed Jobs. */
  readonly succeededIndexes: Indexes;
  readonly failedIndexes: Indexes;
  readonly verdict: Verdict | undefined;
}

export function assess(job: Job, pods: readonly Pod[], now: number): Assessment {
  const { status = {}, spec } = job;
  const uncounted = new Set([
    ...(status.uncountedTerminatedPods?.succeeded ?? []),
    ...(status.uncountedTerminatedPods?.failed ?? []),
  ]);
  const fresh = pods.filter(pod => isTracked(pod) && !uncounted.has(pod.metadata.uid!) && counts(pod, job));
  const newlySucceeded = fresh.filter(hasSucceeded).length;
  const newlyFailed = fresh.filter(pod => hasFailed(pod, job) && consequenceOf(pod, job).action !== 'Ignore').length;
  const { completions = 0 } = spec;
  const failedIndexes = failedIndexesOf(job, pods);
  const succeededIndexes = union(
    parseIndexes(status.completedIndexes, completions),
    pods.filter(pod => isTracked(pod) && hasSucceeded(pod)).map(pod => indexOf(pod, job)),
  );
  const failed = (status.failed ?? 0) + newlyFailed + (status.uncountedTerminatedPods?.failed?.length ?? 0);
  const counted = (status.succeeded ?? 0) + newlySucceeded + (status.uncountedTerminatedPods?.succeeded?.length ?? 0);
  const tally = {
    active: pods.filter(isActive),
    succeeded: isIndexed(job) ? succeededIndexes.size : counted,
    failed,
    succeededIndexes: isIndexed(job) ? succeededIndexes : new Set<number>(),
    failedIndexes,
  };
  return { ...tally, verdict: verdictOf(job, pods, tally, now) };
}

function verdictOf(
  job: Job,
  pods: readonly Pod[],
  tally: Omit<Assessment, 'verdict'>,
  now: number,
): Verdict | undefined {
  const { spec, status } = job;
  const standing = status?.conditions?.find(({ type, status: value }) => DECISIVE.has(type) && value === 'True');
  if (standing !== undefined) {
    const { type, reason = '', message = '' } = standing;
    return { type: type as Verdict['type'], reason, message };
  }
  const fail = (reason: string, message: string): Verdict => ({ type: 'FailureTarget', reason, message });
  for (const pod of pods.filter(each => hasFailed(each, job))) {
    const consequence = consequenceOf(pod, job);
    if (consequence.action === 'FailJob') return fail('PodFailurePolicy', consequence.message);
  }
  if (tally.failed > (spec.backoffLimit ?? 6) || restartsExceed(job, pods)) {
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  }
  const left = activeDeadline(job, now);
  if (left !== undefined && left <= 0) {
    return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  if (!isIndexed(job)) return undefined;
  const { failedIndexes, succeededIndexes } = tally;
  if (spec.backoffLimitPerIndex !== undefined) {
    if (spec.maxFailedIndexes !== undefined && failedIndexes.size > spec.maxFailedIndexes) {
      const message = 'Job has exceeded the specified maximal number of failed indexes';
      return fail('MaxFailedIndexesExceeded', message);
    }
    if (failedIndexes.size > 0 && failedIndexes.size + succeededIndexes.size >= (spec.completions ?? 0)) {
      return fail('FailedIndexes', 'Job has failed indexes');
    }
  }
  const message = successMessage(job, succeededIndexes);
  return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
}

const DECISIVE: ReadonlySet<string> = new Set(['SuccessCriteriaMet', 'FailureTarget']);

/** All that was asked for has succeeded, and nothing runs any more. */
export function completion({ spec }: Job, succeeded: number, active: number): Verdict | undefined {
  const enough = spec.completions === undefined ? succeeded > 0 : succeeded >= spec.completions;
  if (!enough || active > 0) return undefined;
  const message = 'Reached expected number of succeeded pods';
  return { type: 'SuccessCriteriaMet', reason: 'CompletionsReached', message };
}

/** Milliseconds until the Job has been active for too long. */
export function activeDeadline({ spec, status }: Job, now: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined || spec.suspend) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000 - now;
}

/** Where containers are restarted in place, it is their restarts that the limit is about. */
function restartsExceed({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec.restartPolicy !== 'OnFailure') return false;
  const { backoffLimit = 6 } = spec;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}

function failedIndexesOf(job: Job, pods: readonly Pod[]): Indexes {
  const { backoffLimitPerIndex, completions = 0 } = job.spec;
  if (!isIndexed(job) || backoffLimitPerIndex === undefined) return new Set();
  const gaveUp = pods.filter(pod => {
    if (!isTracked(pod) || !hasFailed(pod, job)) return false;
    const { action } = consequenceOf(pod, job);
    return action === 'FailIndex' || (action !== 'Ignore' && noted(pod, INDEX_FAILURES) >= backoffLimitPerIndex);
  });
  return union(
    parseIndexes(job.status?.failedIndexes, completions),
    gaveUp.map(pod => indexOf(pod, job)),
  );
}

function union(indexes: Indexes, more: readonly (number | undefined)[]): Indexes {
  return new Set([...indexes, ...more.filter(index => index !== undefined)]);
}
