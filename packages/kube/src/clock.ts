/**
 * Time and chance, as things that are handed in. This is the one module that may touch the real ones: everything else takes a
 * `Clock` and a `Random`, so that tests can step time and replay a run from a seed.
 */
import { randomBytes } from 'node:crypto';

export interface Clock {
  /** Milliseconds since the epoch. May jump when someone sets the machine's clock. */
  now(): number;
  /** Milliseconds from an arbitrary start that never go back: for measuring how long something took. */
  monotonic(): number;
  /** Calls `callback` once after `milliseconds`. */
  after(milliseconds: number, callback: () => void): Timer;
}

export interface Timer {
  cancel(): void;
  /** Lets the process end while this timer waits. */
  unref(): Timer;
}

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** Bytes fit for names and identifiers; secrets come from `node:crypto` directly. */
  bytes(count: number): Uint8Array;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, callback) {
    const handle = setTimeout(callback, Math.min(milliseconds, MAX_TIMEOUT));
    const timer: Timer = {
      cancel: () => clearTimeout(handle),
      unref: () => {
        handle.unref();
        return timer;
      },
    };
    return timer;
  },
};

/** Node fires timers beyond 2^31-1 ms at once. Nothing in Capstan waits 24 days: it would be asked again long before. */
const MAX_TIMEOUT = 2 ** 31 - 1;

export const systemRandom: Random = {
  next: () => Math.random(),
  bytes: count => fromPool(count),
};

/** Every object has a uid, and asking the operating system costs more than the rest of making one: it is asked for many at a time. */
const POOL_SIZE = 4096;
let pool: Uint8Array = new Uint8Array(0);

function fromPool(count: number): Uint8Array {
  if (count > POOL_SIZE) return randomBytes(count);
  if (pool.length < count) pool = randomBytes(POOL_SIZE);
  const taken = pool.slice(0, count);
  pool = pool.subarray(count);
  return taken;
}

/** Resolves after `milliseconds`; rejects with the signal's reason as soon as the signal is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A version 4 UUID, as Kubernetes gives every object. */
export function uuid(random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** metav1.Time: RFC 3339 in whole seconds, e.g. `2026-01-02T03:04:05Z`. */
export function timestamp(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

/** Thousands of objects are stamped within a second, and formatting is not free. */
let lastSecond = Number.NaN;
let lastText = '';

/** metav1.MicroTime: exactly six digits, e.g. `2026-01-02T03:04:05.678000Z`. The API server refuses any other number of them. */
export function microTimestamp(milliseconds: number): string {
  const micros = Math.floor((milliseconds - Math.floor(milliseconds)) * 1000);
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
}
