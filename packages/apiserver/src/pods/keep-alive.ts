import type { Clock, Timer } from '@capstan/kube';

const PERIOD_MILLISECONDS = 30_000;

/**
 * Asks for a sign of life now and then, until it is stopped. While a process does not read its input, nothing is read from the client,
 * its farewell neither: only a write shows that it is gone.
 */
export function repeatedly(clock: Clock, ask: () => void): () => void {
  let timer: Timer;
  const later = (): void => {
    timer = clock
      .after(PERIOD_MILLISECONDS, () => {
        ask();
        later();
      })
      .unref();
  };
  later();
  return () => timer.cancel();
}
