/**
 * The work queue: which key is reconciled next.
 *
 * A key is in it at most once, and never handed to two workers at a time: a key that is added while a worker has it waits
 * until that worker is finished. Within a priority the order is first in, first out.
 *
 * Low priority is for work that nothing happened to (the initial list, a resync): it runs when nothing else waits, so a fresh
 * change does not stand behind ten thousand old ones after a restart. Low work that has waited `ageAfter` may take every second turn, so
 * it cannot starve either, and a burst of aged work still leaves half of the turns to what is fresh.
 */
import type { Clock, Random, Timer } from '@capstan/kube';
import { type Backoff, backoffDelay } from './backoff.ts';
import { Fifo } from './fifo.ts';

export type Priority = 'normal' | 'low';

/** What a worker reports about the key it had. It replaces whatever was planned for the key before. */
export type Finish =
  /** Nothing more to do until the key is added again. Failures are forgotten. */
  | { readonly type: 'done' }
  /** Once more after this many milliseconds, unless it is added sooner. Failures are forgotten. */
  | { readonly type: 'after'; readonly milliseconds: number }
  /** Once more, later after each failure in a row. */
  | { readonly type: 'failed' };

export interface QueueItem {
  readonly key: string;
  readonly priority: Priority;
  /** Milliseconds it waited for a worker. */
  readonly waited: number;
  /** Failures in a row before this attempt. */
  readonly failures: number;
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly backoff?: Backoff;
  /** Milliseconds after which low-priority work may take every second turn. */
  readonly ageAfter?: number;
}

/**
 * The first retry comes at once for a person (5 ms), as in controller-runtime. The longest wait is 5 minutes, not its 1000 s: whoever
 * repairs a cause that we cannot watch should not wait a quarter of an hour to see it.
 */
export const RETRY_BACKOFF: Backoff = { base: 5, factor: 2, max: 300_000, jitter: 0.2 };

/** Long enough that what changed during a restart overtakes the initial list, short enough that nobody waits for minutes. */
const AGE_AFTER = 5_000;

interface Entry {
  readonly key: string;
  failures: number;
  /** Its place in a lane, while it waits for a worker. */
  place: Place | undefined;
  /** The priority it was taken with, while a worker has it. */
  running: Priority | undefined;
  /** It was added while a worker has it, and goes into this lane when that worker is finished. */
  again: Priority | undefined;
  timer: { readonly timer: Timer; readonly at: number } | undefined;
}

/** A place in a lane. It is void once its entry has another or none: moving up leaves the old place behind. */
interface Place {
  readonly entry: Entry;
  readonly priority: Priority;
  readonly since: number;
}

export class Queue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #backoff: Backoff;
  readonly #ageAfter: number;
  readonly #entries = new Map<string, Entry>();
  readonly #lanes = { normal: new Fifo<Place>(), low: new Fifo<Place>() };
  readonly #takers = new Fifo<(item: QueueItem | undefined) => void>();
  #lowHadTurn = false;
  #closed = false;
  #depth = 0;

  constructor({ clock, random, backoff = RETRY_BACKOFF, ageAfter = AGE_AFTER }: QueueOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#backoff = backoff;
    this.#ageAfter = ageAfter;
  }

  /** Keys that wait for a worker now. */
  get depth(): number {
    return this.#depth;
  }

  /** Keys that the queue knows: waiting, planned for later, or with a worker. */
  get size(): number {
    return this.#entries.size;
  }

  /** Asks for `key` to be worked on. A key that waits already is only moved, and only upward. */
  add(key: string, priority: Priority = 'normal'): void {
    if (this.#closed) return;
    this.#enqueue(this.#entry(key), priority);
    this.#handOut();
  }

  /** Asks for `key` to be worked on in a while. The sooner of several wins. */
  addAfter(key: string, milliseconds: number): void {
    if (this.#closed) return;
    this.#plan(this.#entry(key), milliseconds, 'normal');
  }

  /** The next key, as soon as there is one; `undefined` when the queue is closed. Every key taken must be finished. */
  take(): Promise<QueueItem | undefined> {
    return new Promise(resolve => {
      if (this.#closed) {
        resolve(undefined);
        return;
      }
      this.#takers.push(resolve);
      this.#handOut();
    });
  }

  /** The worker is through with `key`. */
  finish(key: string, finish: Finish): void {
    const entry = this.#entries.get(key);
    if (entry?.running === undefined) throw new Error(`"${key}" was finished but no worker has it`);
    const { running: priority, again } = entry;
    entry.running = undefined;
    entry.again = undefined;
    entry.failures = finish.type === 'failed' ? entry.failures + 1 : 0;
    if (this.#closed) return;
    if (again !== undefined) {
      this.#enqueue(entry, again);
      this.#handOut();
    } else if (finish.type === 'failed') {
      this.#plan(entry, backoffDelay(this.#backoff, entry.failures, this.#random), priority);
    } else if (finish.type === 'after') {
      this.#plan(entry, finish.milliseconds, 'normal');
    } else if (entry.timer === undefined) {
      this.#entries.delete(key);
    }
  }

  /** Nothing is handed out any more; who waits for a key gets `undefined`. */
  close(): void {
    this.#closed = true;
    for (const entry of this.#entries.values()) entry.timer?.timer.cancel();
    for (let taker = this.#takers.shift(); taker !== undefined; taker = this.#takers.shift()) taker(undefined);
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { key, failures: 0, place: undefined, running: undefined, again: undefined, timer: undefined };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  #enqueue(entry: Entry, priority: Priority): void {
    if (entry.running !== undefined) {
      if (entry.again !== 'normal') entry.again = priority;
      return;
    }
    if (entry.place === undefined) this.#depth++;
    else if (entry.place.priority === priority || priority === 'low') return;
    entry.place = { entry, priority, since: this.#clock.monotonic() };
    this.#lanes[priority].push(entry.place);
  }

  #plan(entry: Entry, milliseconds: number, priority: Priority): void {
    const at = this.#clock.monotonic() + milliseconds;
    if (entry.timer !== undefined && entry.timer.at <= at) return;
    entry.timer?.timer.cancel();
    const timer = this.#clock.after(milliseconds, () => {
      entry.timer = undefined;
      this.#enqueue(entry, priority);
      this.#handOut();
    });
    entry.timer = { timer, at };
  }

  #handOut(): void {
    while (this.#takers.peek() !== undefined) {
      const place = this.#next();
      if (place === undefined) return;
      const { entry, priority, since } = place;
      entry.place = undefined;
      entry.running = priority;
      // This run sees everything; what comes next is for its result to say.
      entry.timer?.timer.cancel();
      entry.timer = undefined;
      this.#depth--;
      const waited = this.#clock.monotonic() - since;
      this.#takers.shift()!({ key: entry.key, priority, waited, failures: entry.failures });
    }
  }

  #next(): Place | undefined {
    const normal = this.#head('normal');
    const low = this.#head('low');
    const aged = low !== undefined && this.#clock.monotonic() - low.since >= this.#ageAfter;
    const turn = low !== undefined && (normal === undefined || (aged && !this.#lowHadTurn)) ? 'low' : 'normal';
    this.#lowHadTurn = turn === 'low';
    return this.#lanes[turn].shift();
  }

  /** The first of a lane, after dropping void places. */
  #head(priority: Priority): Place | undefined {
    const lane = this.#lanes[priority];
    for (let place = lane.peek(); place !== undefined; place = lane.peek()) {
      if (place.entry.place === place) return place;
      lane.shift();
    }
    return undefined;
  }
}
