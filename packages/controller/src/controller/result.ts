import { type Duration, milliseconds } from '../duration.ts';

/** What a reconcile came to. Throwing is the fourth way: it counts as a failure that nobody foresaw. */
export type Result =
  /** All is as it should be, or waits for something that is watched. */
  | { readonly type: 'done' }
  /** Come back after this many milliseconds, or as soon as something changes. */
  | { readonly type: 'requeueAfter'; readonly milliseconds: number }
  /** It could not be done, for a reason that is known; it is tried again, later after each failure in a row. */
  | { readonly type: 'fail'; readonly reason: string };

const DONE: Result = Object.freeze({ type: 'done' });

export function done(): Result {
  return DONE;
}

/** @example return requeueAfter('30s') */
export function requeueAfter(duration: Duration): Result {
  return { type: 'requeueAfter', milliseconds: milliseconds(duration) };
}

/** @example return fail('the robot is offline') */
export function fail(reason: string): Result {
  return { type: 'fail', reason };
}

/** Whether something that a reconcile returned is a result. Callers in plain JavaScript, and `any`, can return anything. */
export function isResult(value: unknown): value is Result {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  const result = value as Partial<Record<string, unknown>>;
  switch (result['type']) {
    case 'done':
      return true;
    case 'requeueAfter':
      return typeof result['milliseconds'] === 'number' && result['milliseconds'] >= 0;
    case 'fail':
      return typeof result['reason'] === 'string';
    default:
      return false;
  }
}
