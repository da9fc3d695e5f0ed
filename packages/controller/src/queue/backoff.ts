import type { Random } from '@capstan/kube';

/** How long to wait after the n-th failure in a row. */
export interface Backoff {
  /** Milliseconds after the first failure. */
  readonly base: number;
  /** What each further failure multiplies it by. */
  readonly factor: number;
  /** The longest wait, before jitter. */
  readonly max: number;
  /** Up to this share is added at random, so that many who failed together do not return together. */
  readonly jitter: number;
}

/** Milliseconds to wait after `failures` failures in a row (at least one). */
export function backoffDelay(policy: Backoff, failures: number, random: Random): number {
  const delay = Math.min(policy.max, policy.base * policy.factor ** (failures - 1));
  return delay * (1 + policy.jitter * random.next());
}
