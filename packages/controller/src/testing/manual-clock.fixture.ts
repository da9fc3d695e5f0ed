import type { Clock, Random, Timer } from '@capstan/kube';

/**
 * A clock that moves only when a test moves it. `advance` fires what is due in order of time, and lets every promise that a
 * timer woke run to its next wait before the next timer fires.
 */
export class ManualClock implements Clock {
  #now: number;
  #started: number;
  #sequence = 0;
  readonly #timers = new Map<number, { readonly at: number; readonly callback: () => void }>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
    this.#started = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#started;
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.#timers.size;
  }

  after(milliseconds: number, callback: () => void): Timer {
    const id = this.#sequence++;
    this.#timers.set(id, { at: this.#now + Math.max(0, milliseconds), callback });
    const timer: Timer = { cancel: () => void this.#timers.delete(id), unref: () => timer };
    return timer;
  }

  /** Moves time forward, firing timers on the way. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settle();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      const { at, callback } = this.#timers.get(next)!;
      this.#timers.delete(next);
      this.#now = at;
      callback();
      await settle();
    }
    this.#now = end;
  }

  /** Moves time forward to whatever timer is next, again and again, until `condition` holds; fails after `limit` of clock time. */
  async until(condition: () => boolean, limit = 3_600_000): Promise<void> {
    const end = this.#now + limit;
    await settle();
    while (!condition()) {
      const next = this.#next(end);
      if (next === undefined) throw new Error(`the condition did not hold within ${limit} ms: ${condition}`);
      await this.advance(this.#timers.get(next)!.at - this.#now);
    }
  }

  /** Sets the time without firing anything: what a process sees that was stopped for a while. */
  pause(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #next(end: number): number | undefined {
    let best: number | undefined;
    let bestAt = Number.POSITIVE_INFINITY;
    for (const [id, { at }] of this.#timers) {
      if (at <= end && at < bestAt) {
        best = id;
        bestAt = at;
      }
    }
    return best;
  }
}

/** Lets every promise that can go on do so. */
export function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}

/** The same numbers from the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, bytes: count => Uint8Array.from({ length: count }, () => Math.floor(next() * 256)) };
}
