/** Coming to a release that another run may hold: wait, refuse, resume, or clear up after it. */
import { microTimestamp, sleep } from '@capstan/kube';
import { ReleaseError } from '../release/errors.ts';
import type { Journal } from '../release/journal.ts';
import { isUnderWay, type Release } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';
import type { Helm } from './context.ts';
import { Holding } from './holding.ts';
import { claimOn } from './lease.ts';

/** A look at the record this often while waiting for its holder to show life. */
const LOOK = 2_000;

/**
 * The history of a release once nobody is at work on it: at once, or when the holder has ended, or when it has shown no life for the
 * length of its lease. Fails with `HeldByAnother` when it does show life: two runs never act at once.
 *
 * @param force take over what Helm left pending without waiting until it cannot be alive any more
 */
export async function historyWhenFree(helm: Helm, name: string, force = false): Promise<readonly StoredRelease[]> {
  for (;;) {
    const history = await helm.store.history(name);
    // Whoever works on a release holds its latest revision; a lease on an earlier one is of a run that died.
    const held = history.at(-1);
    if (held === undefined) return history;
    const claim = claimOn(held, helm.clock.now());
    if (claim.kind === 'free') return history;
    if (claim.kind === 'helm') {
      if (force) return history;
      throw heldByHelm(held.release, claim.until);
    }
    helm.onProgress({ kind: 'held', holder: claim.holder, seconds: claim.seconds });
    if ((await watchHolder(helm, held, claim.seconds)) === 'dead') return history;
  }
}

/** Dead: the record has not changed for the length of a lease, by this machine's own clock. Ended: look again. */
async function watchHolder(helm: Helm, held: StoredRelease, seconds: number): Promise<'dead' | 'ended'> {
  const { clock, store, signal } = helm;
  const { name, version } = held.release;
  const end = clock.monotonic() + seconds * 1000;
  while (clock.monotonic() < end) {
    await sleep(clock, Math.min(LOOK, end - clock.monotonic()), signal);
    const now = await store.get(name, version).catch(error => {
      if (error instanceof ReleaseError && error.code === 'ReleaseNotFound') return undefined;
      throw error;
    });
    if (now?.journal?.lease === undefined) return 'ended';
    if (now.resourceVersion !== held.resourceVersion) throw heldByAnother(now.release, now.journal);
  }
  return 'dead';
}

function heldByAnother({ name, version }: Release, { operation, lease }: Journal): ReleaseError {
  return new ReleaseError(
    'HeldByAnother',
    `${lease?.holder} is running ${operation} on release ${name} (revision ${version}): wait for it to end. ` +
      'If it dies, the next run takes over by itself',
  );
}

function heldByHelm({ name, info }: Release, until: number): ReleaseError {
  const at = microTimestamp(until * 1000).slice(0, 19);
  return new ReleaseError(
    'HeldByAnother',
    `helm has release ${name} in status ${info.status} and may still be at work: it is taken to be dead from ${at}Z on, ` +
      'or at once with --take-over',
  );
}

/** What a dead run left under way: the latest revision, unless it has ended. */
export function leftUnderWay(history: readonly StoredRelease[]): StoredRelease | undefined {
  const last = history.at(-1);
  return last && isUnderWay(last.release.info.status) ? last : undefined;
}

/** Goes on where a dead run ended. */
export async function resume(helm: Helm, left: StoredRelease): Promise<Holding> {
  const { sequence: _, lease: __, ...journal } = left.journal!;
  const holding = await Holding.take(helm, left, left.release, journal);
  helm.onProgress({ kind: 'taken-over', outcome: 'resumed', revision: left.release.version });
  return holding;
}

/** Says of what a dead run left that it has failed; what it made is removed by the operation that follows. */
export async function declareFailed(helm: Helm, left: StoredRelease): Promise<void> {
  const { release, journal } = left;
  const at = journal ? ` at step "${journal.step}"` : '';
  const description = `Release "${release.name}" failed: the run was cut off${at}, and something else was asked for next`;
  const failed: Release = { ...release, info: { ...release.info, status: 'failed', description } };
  const { lease: _, ...rest } = journal ?? { id: '', intent: '', operation: 'upgrade' as const, sequence: 0 };
  await helm.store.update(left, failed, { ...rest, step: 'done', sequence: rest.sequence + 1 });
  helm.onProgress({ kind: 'taken-over', outcome: 'failed', revision: release.version });
}
