/** From single answers to a verdict: how often a probe has to succeed or fail in a row before it counts. Pure. */
import type { Probe } from '@capstan/kube';

export interface Tally {
  /** What counts at the moment. */
  readonly verdict: 'success' | 'failure' | 'unknown';
  readonly successes: number;
  readonly failures: number;
}

/** A container is not ready until it says so, and alive until it says otherwise. */
export const firstTally: Tally = { verdict: 'unknown', successes: 0, failures: 0 };

export function counted(
  tally: Tally,
  succeeded: boolean,
  { successThreshold = 1, failureThreshold = 3 }: Probe,
): Tally {
  const successes = succeeded ? tally.successes + 1 : 0;
  const failures = succeeded ? 0 : tally.failures + 1;
  if (successes >= successThreshold) return { verdict: 'success', successes, failures };
  if (failures >= failureThreshold) return { verdict: 'failure', successes, failures };
  return { verdict: tally.verdict, successes, failures };
}
