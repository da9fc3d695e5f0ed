/** Connections to the ports of a Pod, each as a pair of SPDY streams: one for its data, one for what went wrong with it. */
import type { Duplex } from 'node:stream';
import type { Clock, Timer } from '@capstan/kube';
import { messageOf, unlessAborted } from './abort.ts';
import { repeatedly } from './keep-alive.ts';
import type { PortForwardStream } from './pod-stream.ts';
import { SpdyConnection } from './spdy/connection.ts';
import type { SpdyStream } from './spdy/stream.ts';

/** How long a client may take to send the second stream of a pair: as in Kubernetes. */
const PAIR_MILLISECONDS = 30_000;

interface HalfPair {
  readonly stream: SpdyStream;
  readonly timer: Timer;
}

/** Resolves when the client is gone. */
export async function servePortForward(forward: PortForwardStream, transport: Duplex, clock: Clock): Promise<void> {
  const gone = new AbortController();
  const waiting = new Map<string, HalfPair>();
  const connection = new SpdyConnection(transport, stream => {
    const type = stream.headers.get('streamtype');
    if (portOf(stream) === undefined || (type !== 'data' && type !== 'error')) return false;
    const id = requestIdOf(stream, type);
    const other = waiting.get(id);
    if (!other) {
      const timer = clock.after(PAIR_MILLISECONDS, () => {
        waiting.delete(id);
        stream.end(`request ${id}: timed out waiting for streams`);
        stream.destroy();
      });
      waiting.set(id, { stream, timer });
      return true;
    }
    if (other.stream.headers.get('streamtype') === type) return false;
    waiting.delete(id);
    other.timer.cancel();
    const [data, error] = type === 'data' ? [stream, other.stream] : [other.stream, stream];
    void carry(forward, data, error, gone.signal);
    return true;
  });
  const stop = repeatedly(clock, () => connection.ping());
  await connection.run();
  stop();
  for (const { timer } of waiting.values()) timer.cancel();
  gone.abort(new Error('the client closed the connection'));
}

async function carry(
  { agent, pod }: PortForwardStream,
  data: SpdyStream,
  error: SpdyStream,
  signal: AbortSignal,
): Promise<void> {
  const port = portOf(data)!;
  // The client has nothing to say here, and its silence has to be heard for the stream to end.
  error.resume();
  const closed = AbortSignal.any([signal, closing(data)]);
  try {
    const connection = await unlessAborted(agent.portForward({ pod, port, signal: closed }), closed);
    await joined(data, connection);
  } catch (reason) {
    if (!data.destroyed) {
      error.write(
        `error forwarding port ${port} to pod ${pod.metadata.name}, uid ${pod.metadata.uid}: ${messageOf(reason)}`,
      );
    }
    data.destroy();
  }
  error.end();
}

/**
 * Each direction ends for itself; resolves when the Pod has closed its connection and the client has everything it sent, or when the
 * client is gone. By hand, because what the Pod has sent must go out even when its connection is closed already.
 */
export function joined(client: Duplex, pod: Duplex): Promise<void> {
  return new Promise(resolve => {
    pod.on('error', () => {}); // followed by 'close'
    pod.once('close', () => {
      client.unpipe(pod);
      client.resume();
      if (!pod.readableEnded) client.destroy();
      else if (client.writableFinished) resolve();
      else client.once('finish', resolve);
    });
    const left = (): void => {
      pod.destroy();
      resolve();
    };
    client.once('close', left);
    if (client.destroyed) left();
    client.pipe(pod);
    pod.pipe(client);
  });
}

function closing(stream: Duplex): AbortSignal {
  const controller = new AbortController();
  stream.once('close', () => controller.abort(new Error('the client closed the connection')));
  return controller.signal;
}

function portOf({ headers }: SpdyStream): number | undefined {
  const text = headers.get('port') ?? '';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Old clients do not number their pairs: the stream for errors comes first, the one for data next. */
function requestIdOf({ id, headers }: SpdyStream, type: 'data' | 'error'): string {
  return headers.get('requestid') || String(type === 'data' ? id - 2 : id);
}
