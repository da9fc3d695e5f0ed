/** Exec and attach over SPDY: a stream each for input, outputs, sizes and the last word. What kubectl before 1.31 speaks. */
import type { Duplex } from 'node:stream';
import type { Clock } from '@capstan/kube';
import { type CommandClient, runCommand } from './command-session.ts';
import { lastWordText } from './command-status.ts';
import { repeatedly } from './keep-alive.ts';
import type { Asked, CommandStream } from './pod-stream.ts';
import { SpdyConnection } from './spdy/connection.ts';
import type { SpdyStream } from './spdy/stream.ts';
import { TerminalSizes } from './terminal-size.ts';

/** How long a client may take to open its streams: as in Kubernetes. */
const STREAMS_MILLISECONDS = 30_000;

/** `protocol` is one of `SPDY_PROTOCOLS.exec`. Resolves when the client is gone. */
export async function serveSpdyCommand(
  stream: CommandStream,
  transport: Duplex,
  protocol: string,
  clock: Clock,
): Promise<void> {
  const expected = expectedStreams(stream.request, protocol);
  const streams = new Map<string, SpdyStream>();
  const gone = new AbortController();
  const late = clock.after(STREAMS_MILLISECONDS, () => connection.close());
  const connection = new SpdyConnection(transport, opened => {
    const type = opened.headers.get('streamtype') ?? '';
    if (!expected.has(type) || streams.has(type)) return false;
    streams.set(type, opened);
    if (streams.size === expected.size) {
      late.cancel();
      // Not before the client has its reply to this stream.
      queueMicrotask(() => void runCommand(stream, clientOf(streams, connection, protocol, gone.signal)));
    }
    return true;
  });
  const stop = repeatedly(clock, () => connection.ping());
  await connection.run();
  stop();
  late.cancel();
  gone.abort(new Error('the client closed the connection'));
}

function expectedStreams({ stdin, stdout, stderr, tty }: Asked, protocol: string): ReadonlySet<string> {
  return new Set([
    'error',
    ...(stdin ? ['stdin'] : []),
    ...(stdout ? ['stdout'] : []),
    ...(stderr ? ['stderr'] : []),
    ...(tty && /^v[34]\./.test(protocol) ? ['resize'] : []),
  ]);
}

function clientOf(
  streams: ReadonlyMap<string, SpdyStream>,
  connection: SpdyConnection,
  protocol: string,
  gone: AbortSignal,
): CommandClient {
  // The client says nothing on its outputs, and that has to be heard for them to end.
  for (const type of ['error', 'stdout', 'stderr']) streams.get(type)?.resume();
  return {
    stdin: streams.get('stdin'),
    stdout: streams.get('stdout'),
    stderr: streams.get('stderr'),
    onResize(listener) {
      const sizes = new TerminalSizes();
      streams.get('resize')?.on('data', bytes => sizes.read(bytes).forEach(listener));
    },
    finish(word) {
      streams.get('error')?.end(lastWordText(word, protocol));
      for (const type of ['stdout', 'stderr']) streams.get(type)?.end();
      connection.close();
    },
    gone,
  };
}
