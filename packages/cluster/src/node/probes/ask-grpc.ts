/** grpc: one call of `grpc.health.v1.Health/Check`, written by hand: a string goes out, a number comes back. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import type { ProbeAnswer } from './probing.ts';

const SERVING = 1;
const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const UNIMPLEMENTED = '12';

export function askGrpc(host: string, port: number, service: string, signal: AbortSignal): Promise<ProbeAnswer> {
  return new Promise(resolve => {
    let session: ClientHttp2Session | undefined;
    const answer = (result: ProbeAnswer): void => {
      resolve(result);
      session?.destroy();
    };
    const failed = (why: string): void => answer({ ok: false, message: why });
    const onAbort = (): void => failed(`timeout: failed to connect service "${host}:${port}" in time`);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    session = connect(`http://${host}:${port}`);
    session.on('error', error => failed(`failed to connect service "${host}:${port}": ${error.message}`));
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    readAnswer(stream, answer);
    stream.end(framed(checkRequest(service)));
  });
}

function readAnswer(stream: ClientHttp2Stream, answer: (result: ProbeAnswer) => void): void {
  const chunks: Buffer[] = [];
  let status: string | undefined;
  const note = (headers: Readonly<Record<string, unknown>>): void => {
    if (headers['grpc-status'] !== undefined) status = String(headers['grpc-status']);
  };
  stream.on('response', note);
  stream.on('trailers', note);
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('error', error => answer({ ok: false, message: error.message }));
  stream.on('end', () => {
    const serving = servingStatus(Buffer.concat(chunks));
    if (status === '0' && serving === SERVING) return answer({ ok: true });
    if (status === UNIMPLEMENTED)
      return answer({
        ok: false,
        message: 'this server does not implement the grpc health protocol (grpc.health.v1.Health)',
      });
    if (status !== '0') return answer({ ok: false, message: `health rpc probe failed with code ${status ?? 'none'}` });
    answer({ ok: false, message: `service unhealthy (responded with "${STATUSES[serving] ?? 'UNKNOWN'}")` });
  });
}

/** `HealthCheckRequest { string service = 1; }`; a name is shorter than 128 bytes or its length takes two. */
function checkRequest(service: string): Buffer {
  const name = Buffer.from(service);
  if (name.length === 0) return name;
  const length = name.length < 128 ? [name.length] : [(name.length & 0x7f) | 0x80, name.length >> 7];
  return Buffer.concat([Buffer.from([0x0a, ...length]), name]);
}

/** gRPC puts a flag and a length before each message. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** `HealthCheckResponse { ServingStatus status = 1; }`; a status that is not sent is 0. */
function servingStatus(frame: Buffer): number {
  return frame.length >= 7 && frame[5] === 0x08 ? frame[6]! : 0;
}
