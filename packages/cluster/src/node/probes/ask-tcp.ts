/** tcpSocket: whoever accepts a connection is healthy. */
import { connect } from 'node:net';
import type { ProbeAnswer } from './probing.ts';

export function askTcp(host: string, port: number, signal: AbortSignal): Promise<ProbeAnswer> {
  return new Promise(resolve => {
    const socket = connect({ host, port, signal });
    socket.once('connect', () => {
      resolve({ ok: true });
      socket.destroy();
    });
    socket.once('error', error => {
      const code = (error as NodeJS.ErrnoException).code;
      const why = signal.aborted
        ? 'i/o timeout'
        : code === 'ECONNREFUSED'
          ? 'connect: connection refused'
          : error.message;
      resolve({ ok: false, message: `dial tcp ${host}:${port}: ${why}` });
    });
  });
}
