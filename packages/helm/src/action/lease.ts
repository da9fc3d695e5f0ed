/** Whether a release is someone's at this moment. Decisions only; see docs/decisions/helm-operations.md. */
import { isUnderWay } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';

/** A holder that is alive renews three times in this; one that has not for so long is dead. */
export const LEASE_SECONDS = 30;

/** Clocks of two machines differ, but not by this much: a lease that is older is not watched first. */
const SURELY_DEAD_SECONDS = 600;

/**
 * Helm itself keeps no lease. Its operations end within its `--timeout`, five minutes by default, a few times over (hooks, objects,
 * hooks): a record that it left pending and has not touched for so long is nobody's.
 */
export const HELM_PATIENCE_SECONDS = 15 * 60;

export type Claim =
  | { readonly kind: 'free' }
  /** Someone held it a moment ago: free if nothing changes for so long. */
  | { readonly kind: 'watch'; readonly holder: string; readonly seconds: number }
  /** Helm may be at work, which cannot be seen; free at that time (seconds since the epoch). */
  | { readonly kind: 'helm'; readonly until: number };

export function claimOn({ release, journal, writtenAt }: StoredRelease, now: number): Claim {
  const lease = journal?.lease;
  if (lease !== undefined) {
    const age = (now - Date.parse(lease.renewed)) / 1000;
    if (age > SURELY_DEAD_SECONDS) return { kind: 'free' };
    return { kind: 'watch', holder: lease.holder, seconds: lease.seconds };
  }
  // With a journal and without a lease, whoever ran it has let go.
  if (journal !== undefined || !isUnderWay(release.info.status)) return { kind: 'free' };
  const until = writtenAt + HELM_PATIENCE_SECONDS;
  return now / 1000 >= until ? { kind: 'free' } : { kind: 'helm', until };
}
