import type { Clock, Timer } from '@capstan/kube';
import type { WebSocket } from 'ws';

const PERIOD_MILLISECONDS = 30_000;

/**
 * Asks for a sign of life now and then, until the connection closes. While a process does not read its input, nothing is read from the
 * client, its farewell neither: only a write shows that it is gone.
 */
export function keepAlive(clock: Clock, socket: WebSocket): void {
  let timer: Timer;
  const ask = (): void => {
    timer = clock.after(PERIOD_MILLISECONDS, () => {
      socket.ping();
      ask();
    });
    timer.unref();
  };
  ask();
  socket.once('close', () => timer.cancel());
}
