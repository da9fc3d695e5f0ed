import type { Clock, Timer } from '@capstan/kube';

/** An arbitrary but fixed beginning, so that every run shows the same times. */
export const BEGINNING = Date.UTC(2026, 0, 1);

interface Alarm {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * Time that stands still until someone moves it. Timers fire in the order of their time, and of their making where that is the
 * same; between two of them everything that follows from the first has happened.
 */
export class SteppedClock implements Clock {
  #now: number;
  #order = 0;
  /** Sorted, the next one last: the common operation is to take it. */
  readonly #alarms: Alarm[] = [];

  constructor(start: number = BEGINNING) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - BEGINNING;
  }

  after(milliseconds: number, callback: () => void): Timer {
    const alarm: Alarm = { at: this.#now + Math.max(0, milliseconds), order: this.#order++, callback };
    this.#alarms.splice(this.#position(alarm), 0, alarm);
    const timer: Timer = {
      cancel: () => {
        const at = this.#alarms.indexOf(alarm);
        if (at >= 0) this.#alarms.splice(at, 1);
      },
      unref: () => timer,
    };
    return timer;
  }

  /** When the next timer fires; undefined when none waits. */
  get next(): number | undefined {
    return this.#alarms.at(-1)?.at;
  }

  /**
   * Moves time to `until`, firing what is due on the way. After each timer, everything that it set off runs to its end: promises
   * only, since inside the lab nothing waits for a socket or a disk.
   */
  async runUntil(until: number): Promise<void> {
    await drained();
    for (let next = this.next; next !== undefined && next <= until; next = this.next) {
      const { at, callback } = this.#alarms.pop()!;
      this.#now = Math.max(this.#now, at);
      callback();
      await drained();
    }
    this.#now = Math.max(this.#now, until);
  }

  /** Moves time by so many milliseconds. */
  advance(milliseconds: number): Promise<void> {
    return this.runUntil(this.#now + milliseconds);
  }

  /** Sets the clock without firing anything, as an administrator does: it may go back. */
  jump(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #position({ at, order }: Alarm): number {
    let low = 0;
    let high = this.#alarms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#alarms[middle]!;
      if (other.at > at || (other.at === at && other.order > order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Resolves when no promise is left to settle: Node runs all of them before it turns to this. */
export function drained(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
