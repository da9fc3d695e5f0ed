/**
 * How long a container that ended waits before it runs again: not at all the first time, then 10 s doubling to 5 minutes, counted
 * from its end. An end more than 10 minutes after the last restart begins anew.
 */
export interface RestartBackoff {
  readonly delay: number;
  /** When it was last restarted. */
  readonly updatedAt: number;
}

const FIRST = 10_000;
const LONGEST = 300_000;
const FORGIVEN_AFTER = 2 * LONGEST;

export type NextStart =
  | { readonly type: 'now'; readonly backoff: RestartBackoff }
  | { readonly type: 'later'; readonly at: number; readonly delay: number };

export function nextStart(backoff: RestartBackoff | undefined, finishedAt: number, now: number): NextStart {
  if (backoff === undefined || finishedAt - backoff.updatedAt > FORGIVEN_AFTER) {
    return { type: 'now', backoff: { delay: FIRST, updatedAt: now } };
  }
  const at = finishedAt + backoff.delay;
  if (now < at) return { type: 'later', at, delay: backoff.delay };
  return { type: 'now', backoff: { delay: Math.min(backoff.delay * 2, LONGEST), updatedAt: now } };
}

/** How often a failed pull of an image is tried again: the same steps, without end. */
export function pullRetryDelay(failures: number): number {
  return Math.min(FIRST * 2 ** Math.max(0, failures - 1), LONGEST);
}

/** As Go prints durations: `10s`, `1m20s`, `5m0s`. */
export function goDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
