import type { Clock, Timer } from '@capstan/kube';

/** Those who wait for something to become true, to be woken whenever it may have. */
export class Waiters {
  readonly #checks = new Set<() => void>();

  add(check: () => void): () => void {
    this.#checks.add(check);
    return () => this.#checks.delete(check);
  }

  wake(): void {
    for (const check of this.#checks) check();
  }
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
  /** Milliseconds, on the clock. */
  readonly timeout?: number;
  readonly late?: () => Error;
}

/** Resolves as soon as `condition` holds; rejects when the signal is aborted or the time is over. */
export function waitUntil(waiters: Waiters, condition: () => boolean, options: WaitOptions = {}): Promise<void> {
  const { signal, clock, timeout, late } = options;
  if (condition()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined;
    const finish = (settle: () => void): void => {
      timer?.cancel();
      signal?.removeEventListener('abort', abort);
      leave();
      settle();
    };
    const abort = (): void => finish(() => reject(signal?.reason));
    const leave = waiters.add(() => condition() && finish(resolve));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    if (clock !== undefined && timeout !== undefined)
      timer = clock.after(timeout, () => finish(() => reject(late?.())));
  });
}
