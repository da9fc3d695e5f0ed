/** When a failed request is sent again, and after how long. Decisions only: `send.ts` acts on them. */
import type { Random } from '../clock.ts';
import { ApiError, TransportError } from '../errors.ts';

/**
 * - `auto`: again after 429, and after a 503 that says when. After other failures (5xx, broken connection) it is not known
 *   whether the request took effect, so only requests that do no harm when done twice go out again: reads, updates, applies,
 *   merge patches, deletions of one `uid`. One that names a version and did take effect the first time answers Conflict the
 *   second time, as it would if someone else had been faster: read again and decide anew.
 * - `idempotent`: the caller knows that doing it twice does no harm (a create with a fixed name that treats AlreadyExists as
 *   success).
 * - `never`: the first failure is the answer. For callers with a backoff of their own.
 */
export type RetryMode = 'auto' | 'idempotent' | 'never';

export interface RetryPolicy {
  /** How often to send in all. Default: 4. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; they double from then on. Default: 100. */
  readonly baseDelay: number;
  /** No wait of our own choosing is longer. Default: 5 s. */
  readonly mostDelay: number;
  /** If the server asks for a longer wait than this, the failure is given to the caller instead. Default: 30 s. */
  readonly longestRetryAfter: number;
}

export const defaultRetryPolicy: RetryPolicy = Object.freeze({
  attempts: 4,
  baseDelay: 100,
  mostDelay: 5_000,
  longestRetryAfter: 30_000,
});

export interface FailedAttempt {
  readonly failure: unknown;
  /** Counted from 1. */
  readonly attempt: number;
  readonly mode: RetryMode;
  /** Whether this request does no harm when it is done twice. */
  readonly repeatable: boolean;
}

/** Milliseconds to wait before the next attempt, or undefined when the failure is final. */
export function retryDelay(failed: FailedAttempt, policy: RetryPolicy, random: Random): number | undefined {
  const { failure, attempt, mode, repeatable } = failed;
  if (mode === 'never' || attempt >= policy.attempts) return undefined;
  const effect = effectOf(failure);
  if (effect === 'final') return undefined;
  if (effect === 'unknown' && !repeatable && mode !== 'idempotent') return undefined;
  const asked = failure instanceof ApiError ? (failure.retryAfterSeconds ?? 0) * 1000 : 0;
  if (asked > policy.longestRetryAfter) return undefined;
  const backoff = Math.min(policy.baseDelay * 2 ** (attempt - 1), policy.mostDelay);
  // Between half and all of it, so that many clients that failed together do not come back together. When the server names
  // a time, that is the least: we come a little later, never earlier.
  return asked > 0 ? asked + random.next() * backoff : backoff * (0.5 + random.next() / 2);
}

/** What is known about a request that failed: it had no effect, perhaps it had, or trying again is pointless. */
export function effectOf(failure: unknown): 'none' | 'unknown' | 'final' {
  if (failure instanceof TransportError) {
    if (POINTLESS.has(failure.code)) return 'final';
    return failure.neverSent ? 'none' : 'unknown';
  }
  if (!(failure instanceof ApiError)) return 'final';
  if (failure.code === 429) return 'none';
  if (failure.code === 503 && failure.retryAfterSeconds !== undefined) return 'none';
  return failure.code >= 500 && failure.code !== 501 && failure.code !== 505 ? 'unknown' : 'final';
}

/** It would end the same way: certificates and log-ins do not mend themselves, answers do not shrink, closed is closed. */
const POINTLESS: ReadonlySet<string> = new Set(['ETLS', 'ECREDENTIALS', 'ETOOLARGE', 'ECLOSED']);
