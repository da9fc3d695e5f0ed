/** Which run of a CronJob is due, and when to look again. */
import type { CronJob } from '@capstan/kube';
import type { Schedule } from './schedule.ts';

export interface Due {
  /** The latest time that has passed without a run; earlier ones that were missed are not made up for. */
  readonly at: number | undefined;
  /** So many were missed that something must be wrong (a clock, or a controller that was away for long). */
  readonly tooMany: boolean;
}

const TOO_MANY = 100;

export function dueRun(cronJob: CronJob, schedule: Schedule, now: number): Due {
  const { startingDeadlineSeconds } = cronJob.spec;
  const last = lastRun(cronJob);
  const earliest = startingDeadlineSeconds === undefined ? last : Math.max(last, now - startingDeadlineSeconds * 1000);
  return latest(schedule, earliest, now);
}

/** Milliseconds until the next run; a little later than the very moment, so that it has come for sure. */
export function untilNext(cronJob: CronJob, schedule: Schedule, now: number): number | undefined {
  const last = lastRun(cronJob);
  const next = schedule.next(latest(schedule, last, now).at ?? last);
  return next === undefined ? undefined : Math.max(0, next - now) + SLACK;
}

const SLACK = 100;

function lastRun({ metadata, status }: CronJob): number {
  return Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '');
}

function latest(schedule: Schedule, earliest: number, now: number): Due {
  const first = schedule.next(earliest);
  if (first === undefined || first > now) return { at: undefined, tooMany: false };
  const second = schedule.next(first);
  if (second === undefined || second > now) return { at: first, tooMany: false };
  // After a long absence it would take for ever to walk through all that were missed: begin near the end.
  const interval = second - first;
  const missed = Math.floor((now - first) / interval) + 1;
  let at: number | undefined;
  let time = schedule.next(first + Math.max(0, missed - 2) * interval);
  for (; time !== undefined && time <= now; time = schedule.next(time)) at = time;
  return { at: at ?? second, tooMany: missed > TOO_MANY };
}
