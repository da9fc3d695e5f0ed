/** Pods that wait for a node: which is next, and which of those that did not fit are worth another try. */
import type { Clock, Timer } from '@capstan/kube';
import type { PodInfo } from './pod-info.ts';

interface Waiting {
  info: PodInfo;
  /** Order of arrival among equals. */
  readonly order: number;
  attempts: number;
  /** Being placed or bound at this moment. */
  state: 'active' | 'working' | 'parked' | 'gone';
  /** When it may be tried again, and the state of the cluster that it did not fit. */
  notBefore: number;
  generation: number;
}

/** A Pod that did not fit is not tried again sooner, and not later, than this. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
/** Changes come in bursts: they are looked at together. */
const GATHERING = 20;

export class PendingPods {
  readonly #clock: Clock;
  readonly #ready: () => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #parked = new Set<Waiting>();
  readonly #heap: Waiting[] = [];
  #order = 0;
  #generation = 0;
  #timer: { readonly timer: Timer; readonly at: number } | undefined;

  /** `ready` is called when there is something to take. */
  constructor(clock: Clock, ready: () => void) {
    this.#clock = clock;
    this.#ready = ready;
  }

  get parked(): number {
    return this.#parked.size;
  }

  /** A Pod is there, or has changed. */
  put(info: PodInfo): void {
    const existing = this.#waiting.get(info.uid);
    if (existing !== undefined) {
      existing.info = info;
      return;
    }
    const state = 'active';
    const waiting: Waiting = { info, order: this.#order++, attempts: 0, state, notBefore: 0, generation: 0 };
    this.#waiting.set(info.uid, waiting);
    this.#push(waiting);
    this.#ready();
  }

  /** A Pod needs no node any more. */
  remove(uid: string): void {
    const waiting = this.#waiting.get(uid);
    if (waiting === undefined) return;
    this.#waiting.delete(uid);
    this.#parked.delete(waiting);
    waiting.state = 'gone';
  }

  /** The most important Pod, the first of its equals. It has to be parked or removed afterwards. */
  take(): PodInfo | undefined {
    for (let next = this.#pop(); next !== undefined; next = this.#pop()) {
      if (next.state !== 'active') continue;
      next.state = 'working';
      return next.info;
    }
    return undefined;
  }

  /** A Pod did not fit the cluster of this generation. */
  park(uid: string, generation: number): void {
    const waiting = this.#waiting.get(uid);
    if (waiting === undefined) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** waiting.attempts++, LONGEST_PAUSE);
    Object.assign(waiting, { state: 'parked', generation, notBefore: this.#clock.monotonic() + pause });
    this.#parked.add(waiting);
    if (generation < this.#generation) this.#plan(pause);
  }

  /** The cluster has changed in a way that may help: it is of this generation now. */
  changed(generation: number): void {
    this.#generation = generation;
    if (this.#parked.size > 0) this.#plan(GATHERING);
  }

  stop(): void {
    this.#timer?.timer.cancel();
  }

  #plan(milliseconds: number): void {
    const at = this.#clock.monotonic() + milliseconds;
    if (this.#timer !== undefined && this.#timer.at <= at) return;
    this.#timer?.timer.cancel();
    this.#timer = { at, timer: this.#clock.after(milliseconds, () => this.#wake()) };
  }

  #wake(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    let next = Number.POSITIVE_INFINITY;
    for (const waiting of this.#parked) {
      if (waiting.generation >= this.#generation) continue;
      if (waiting.notBefore > now) {
        next = Math.min(next, waiting.notBefore);
        continue;
      }
      this.#parked.delete(waiting);
      waiting.state = 'active';
      this.#push(waiting);
    }
    if (next < Number.POSITIVE_INFINITY) this.#plan(next - now);
    if (this.#heap.length > 0) this.#ready();
  }

  #push(waiting: Waiting): void {
    const heap = this.#heap;
    let at = heap.push(waiting) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(waiting, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = waiting;
  }

  #pop(): Waiting | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

const isBefore = (left: Waiting, right: Waiting): boolean =>
  left.info.priority === right.info.priority ? left.order < right.order : left.info.priority > right.info.priority;
