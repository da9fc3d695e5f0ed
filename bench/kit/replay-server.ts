/**
 * An API server of Pods alone that plays back a watch, as a process of its own: `replay-server.ts <scenario> <count> [rate]`. It
 * prints its port. Scenarios:
 *
 * - `ingest`: nothing at first, then `count` new Pods as fast as they are taken.
 * - `latency`: nothing at first, then events, `rate` a second: two seconds of them to warm up, then `count` that carry when they
 *   were sent.
 * - `restart`: `count` Pods at first; half a second after the watch began, one event that carries when it was sent.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pod, watchLine } from './pods.ts';
import { microsecondsNow } from './wall-clock.ts';

const [scenario = 'ingest', count = '20000', rate = '1000'] = process.argv.slice(2);
const events = Number(count);
const CHUNK = 64 * 1024;

/** All lines in pieces of the size that a socket takes, made before anyone asks. */
function recorded(): Buffer[] {
  const chunks: Buffer[] = [];
  let lines: Buffer[] = [];
  let size = 0;
  for (let index = 0; index < events; index++) {
    const line = watchLine({ type: 'ADDED', index, version: 1_000 + index });
    lines.push(line);
    size += line.length;
    if (size >= CHUNK || index === events - 1) {
      chunks.push(Buffer.concat(lines));
      lines = [];
      size = 0;
    }
  }
  return chunks;
}

const recording = scenario === 'latency' ? [] : recorded();
const initial = scenario === 'restart' ? events : 0;
const initialVersion = 999 + initial;

async function sendAll(response: ServerResponse): Promise<void> {
  for (const chunk of recording) if (!response.write(chunk)) await once(response, 'drain');
}

function sentNow(): Record<string, string> {
  return { 'bench.capstan.dev/sent': String(microsecondsNow()) };
}

const WARM_UP_SECONDS = 2;

/** Sends what is due every millisecond, so that events come one by one and not in bursts. */
async function sendPaced(response: ServerResponse): Promise<void> {
  const began = microsecondsNow();
  const perEvent = 1_000_000 / Number(rate);
  const warmUp = Number(rate) * WARM_UP_SECONDS;
  for (let index = 0; index < warmUp + events; ) {
    const due = Math.min(warmUp + events, Math.floor((microsecondsNow() - began) / perEvent));
    for (; index < due; index++) {
      const type = index < 1_000 ? 'ADDED' : 'MODIFIED';
      const annotations = index < warmUp ? {} : sentNow();
      response.write(watchLine({ type, index: index % 1_000, version: 2_000 + index, annotations }));
    }
    await new Promise(resolve => setTimeout(resolve, 1));
  }
}

async function sendOne(response: ServerResponse): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, 500));
  response.write(
    watchLine({ type: 'MODIFIED', index: events - 1, version: initialVersion + 1, annotations: sentNow() }),
  );
}

async function watch(query: URLSearchParams, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.socket?.setNoDelay(true);
  if (query.get('sendInitialEvents') === 'true') {
    if (scenario === 'restart') await sendAll(response);
    const metadata = { resourceVersion: String(initialVersion), annotations: { 'k8s.io/initial-events-end': 'true' } };
    response.write(`${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', apiVersion: 'v1', metadata } })}\n`);
  }
  if (scenario === 'ingest') await sendAll(response);
  else if (scenario === 'latency') await sendPaced(response);
  else await sendOne(response);
}

function list(response: ServerResponse): void {
  const items = Array.from({ length: initial }, (_, index) => pod({ index, version: 1_000 + index }));
  const metadata = { resourceVersion: String(initialVersion) };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata, items }));
}

const server = createServer((request: IncomingMessage, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (url.pathname !== '/api/v1/pods') {
    response.writeHead(404).end();
  } else if (url.searchParams.get('watch') === 'true' || url.searchParams.get('watch') === '1') {
    watch(url.searchParams, response).catch(() => response.destroy());
  } else list(response);
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
