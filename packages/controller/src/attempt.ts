import type { Clock, Timer } from '@capstan/kube';

/**
 * One try at something that may never answer. It has a signal of its own, aborted by the parent's, by a deadline, or by
 * silence, and remembers which error it was aborted with. After `end` it holds neither timers nor listeners.
 */
export interface Attempt {
  readonly signal: AbortSignal;
  /** Why it was aborted, if it was and not by the parent. */
  readonly error: unknown;
  /** Aborts unless the next `deadline`, `watchSilence` or `end` comes within `milliseconds`. */
  deadline(milliseconds: number, reason: () => Error): void;
  /** Aborts when `source` has been silent for `milliseconds`. */
  watchSilence(source: { lastActivity(): number }, milliseconds: number, reason: () => Error): void;
  end(): void;
}

export function attempt(clock: Clock, parent: AbortSignal): Attempt {
  const controller = new AbortController();
  let error: unknown;
  let timer: Timer | undefined;
  const follow = (): void => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener('abort', follow, { once: true });
  const abort = (reason: Error): void => {
    error = reason;
    controller.abort(reason);
  };
  return {
    signal: controller.signal,
    get error() {
      return error;
    },
    deadline(milliseconds, reason) {
      timer?.cancel();
      timer = clock.after(milliseconds, () => abort(reason()));
    },
    watchSilence(source, milliseconds, reason) {
      const since = clock.monotonic();
      const check = (): void => {
        // A stream of which no byte came yet is silent since it was opened, not since the machine started.
        const silent = clock.monotonic() - Math.max(since, source.lastActivity());
        if (silent >= milliseconds) abort(reason());
        else timer = clock.after(milliseconds - silent, check);
      };
      timer?.cancel();
      timer = clock.after(milliseconds, check);
    },
    end() {
      timer?.cancel();
      parent.removeEventListener('abort', follow);
    },
  };
}
