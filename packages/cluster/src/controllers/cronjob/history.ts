import type { CronJob, Job } from '@capstan/kube';

/** Jobs that have ended and are not worth keeping: the oldest beyond each of the two limits. */
export function outdatedJobs({ spec }: CronJob, children: readonly Job[]): readonly Job[] {
  const ended = (type: 'Complete' | 'Failed'): readonly Job[] =>
    children
      .filter(({ status }) => status?.conditions?.some(each => each.type === type && each.status === 'True'))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .toSorted(byStart);
  const beyond = (sorted: readonly Job[], limit: number | undefined): readonly Job[] =>
    limit === undefined ? [] : sorted.slice(0, Math.max(0, sorted.length - limit));
  return [
    ...beyond(ended('Complete'), spec.successfulJobsHistoryLimit),
    ...beyond(ended('Failed'), spec.failedJobsHistoryLimit),
  ];
}

/** Those that never started come last. */
function byStart(left: Job, right: Job): number {
  const [leftStart, rightStart] = [left.status?.startTime ?? '~', right.status?.startTime ?? '~'];
  if (leftStart !== rightStart) return leftStart < rightStart ? -1 : 1;
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
