/** A release that this run holds: everything it records goes through here, and so does the proof that it still holds it. */
import { microTimestamp } from '@capstan/kube';
import { ReleaseError } from '../release/errors.ts';
import type { Journal, Step } from '../release/journal.ts';
import type { Release } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';
import type { Helm } from './context.ts';
import { LEASE_SECONDS } from './lease.ts';

/** What a run writes down: the record that Helm reads, and how far it has come. */
export interface Entry {
  readonly release: Release;
  readonly step: Step;
  /** Which hooks were begun and which have ended, by `event/kind/name`. */
  readonly hooks?: Readonly<Record<string, 'running' | 'succeeded'>>;
}

export class Holding {
  readonly #helm: Helm;
  /** Aborted when the release is lost to someone else, or the caller wants an end. */
  readonly signal: AbortSignal;
  readonly #lost = new AbortController();
  #stored: StoredRelease;
  #writing: Promise<unknown> = Promise.resolve();
  #renewedAt: number;
  #beat: { cancel(): void } | undefined;

  private constructor(helm: Helm, stored: StoredRelease, renewedAt: number) {
    this.#helm = helm;
    this.#stored = stored;
    this.#renewedAt = renewedAt;
    this.signal = AbortSignal.any([helm.signal, this.#lost.signal]);
    this.#scheduleBeat();
  }

  /** Makes a new revision and holds it from its first moment. */
  static async begin(helm: Helm, release: Release, journal: Omit<Journal, 'sequence' | 'lease'>): Promise<Holding> {
    const at = helm.clock.monotonic();
    const stored = await helm.store.create(release, { ...journal, sequence: 1, lease: leaseOf(helm) });
    return new Holding(helm, stored, at);
  }

  /** Takes a revision over that nobody holds any more. Fails with `LeaseLost` if someone else was faster. */
  static async take(helm: Helm, stored: StoredRelease, release: Release, journal: Omit<Journal, 'sequence' | 'lease'>) {
    const at = helm.clock.monotonic();
    const sequence = (stored.journal?.sequence ?? 0) + 1;
    const taken = await helm.store.update(stored, release, { ...journal, sequence, lease: leaseOf(helm) });
    return new Holding(helm, taken, at);
  }

  get release(): Release {
    return this.#stored.release;
  }

  get journal(): Journal {
    return this.#stored.journal!;
  }

  /** Writes down what is about to be done. After it has resolved, it may be done. */
  async record(entry: Partial<Entry>): Promise<void> {
    await this.#write(entry);
  }

  /** Call it before each act that another holder must not see: fails when the release may be someone else's by now. */
  async ensure(): Promise<void> {
    this.signal.throwIfAborted();
    const age = this.#helm.clock.monotonic() - this.#renewedAt;
    if (age > (LEASE_SECONDS * 1000) / 2) await this.#write({});
  }

  /** The operation has ended: the last word, and the lease is given back. */
  end(release: Release): Promise<Release> {
    return this.#giveBack(release, 'done');
  }

  /** The operation has not ended, but this run has: whoever comes next may go on at once. */
  letGo(release: Release): Promise<Release> {
    return this.#giveBack(release, this.journal.step);
  }

  #giveBack(release: Release, step: Step): Promise<Release> {
    this.#beat?.cancel();
    return this.#queue(async () => {
      const { lease: _, ...journal } = this.journal;
      const ended: Journal = { ...journal, step, sequence: journal.sequence + 1 };
      this.#stored = await this.#helm.store.update(this.#stored, release, ended);
      return release;
    });
  }

  /** Stops renewing, without a word: for a record that was removed, or lost. */
  abandon(): void {
    this.#beat?.cancel();
  }

  #write({ release = this.release, step, hooks }: Partial<Entry>): Promise<void> {
    return this.#queue(async () => {
      this.#lost.signal.throwIfAborted();
      const at = this.#helm.clock.monotonic();
      const { journal } = this;
      const next: Journal = {
        ...journal,
        step: step ?? journal.step,
        sequence: journal.sequence + 1,
        lease: leaseOf(this.#helm),
        ...(hooks && { hooks }),
      };
      try {
        this.#stored = await this.#helm.store.update(this.#stored, release, next);
        this.#renewedAt = at;
      } catch (error) {
        if (error instanceof ReleaseError && error.code === 'LeaseLost') this.#lost.abort(error);
        throw error;
      }
    });
  }

  /** One write at a time: each is guarded by the version that the one before gave. */
  #queue<T>(write: () => Promise<T>): Promise<T> {
    const result = this.#writing.then(write);
    this.#writing = result.catch(() => {});
    return result;
  }

  #scheduleBeat(): void {
    const { clock } = this.#helm;
    this.#beat = clock.after((LEASE_SECONDS * 1000) / 3, () => {
      // A renewal that fails is no harm: `ensure` tries again before the next act, and finds out.
      this.#write({}).catch(() => {});
      if (!this.#lost.signal.aborted) this.#scheduleBeat();
    });
  }
}

function leaseOf({ holder, clock }: Helm) {
  return { holder, renewed: microTimestamp(clock.now()), seconds: LEASE_SECONDS };
}
