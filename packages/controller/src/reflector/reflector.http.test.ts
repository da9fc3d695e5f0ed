import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configMaps, createHttpTransport, type Transport } from '@capstan/kube';
import { afterEach, expect, it, vi } from 'vitest';
import { fastClock } from '../testing/fast-clock.fixture.ts';
import { seededRandom } from '../testing/manual-clock.fixture.ts';
import { listWatch } from './list-watch.ts';
import { Reflector, type ReflectorState } from './reflector.ts';

/** What the server does with one watch request. `line` writes an event of a version. */
type Behaviour = (response: ServerResponse, line: (version: number) => string) => void;

const event = (version: number): string =>
  `${JSON.stringify({ type: 'ADDED', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: `c-${version}`, namespace: 'default', uid: `u-${version}`, resourceVersion: String(version) } } })}\n`;
const endOfInitial = (version: number): string =>
  `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: String(version), annotations: { 'k8s.io/initial-events-end': 'true' } } } })}\n`;
const status = (code: number, reason: string): string =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason });

let server: Server;
let transport: Transport;
let stop: AbortController;
afterEach(async () => {
  stop.abort();
  await transport.close();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

/** Serves the behaviours one after the other, each from where the client says that it is. */
async function serve(behaviours: Behaviour[]): Promise<{ asked: string[] }> {
  const asked: string[] = [];
  server = createServer((request: IncomingMessage, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const streamed = searchParams.get('sendInitialEvents') === 'true';
    asked.push(streamed ? 'stream' : (searchParams.get('resourceVersion') ?? 'list'));
    const behaviour = behaviours.shift();
    if (behaviour === undefined) return void response.writeHead(500).end();
    behaviour(response, event);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  transport = createHttpTransport({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return { asked };
}

it('a reflector over HTTP survives broken, silent, slow and senseless answers, and misses nothing', async () => {
  const { asked } = await serve([
    // A refusal with a time, an error without a body, an answer that is no JSON.
    response => response.writeHead(429, { 'retry-after': '3' }).end(status(429, 'TooManyRequests')),
    response => response.writeHead(500).end(),
    response => response.writeHead(200).end('<html>a login page</html>\n'),
    // The list, and then the connection breaks in the middle of a line.
    (response, line) => {
      response.write(line(1) + line(2) + endOfInitial(2) + line(3) + line(4).slice(0, 50));
      setImmediate(() => response.socket?.destroy());
    },
    // Garbage after an event.
    (response, line) => response.end(`${line(4)}{"type":"ADDED",,,\n`),
    // Byte by byte, then silence: nobody closes the connection.
    (response, line) => {
      for (const byte of Buffer.from(line(5))) response.write(Buffer.from([byte]));
    },
    // No answer at all.
    () => {},
    // The version is gone: a new list, in which something is missing and something is new.
    response => response.end(`${JSON.stringify({ type: 'ERROR', object: JSON.parse(status(410, 'Expired')) })}\n`),
    (response, line) => {
      response.write(line(5) + line(9) + endOfInitial(9) + line(10));
    },
  ]);
  const told: string[] = [];
  const states: ReflectorState[] = [];
  stop = new AbortController();
  const reflector = new Reflector({
    name: 'config maps',
    listWatch: listWatch(transport, configMaps),
    sink: {
      replaced: arrivals => void told.push(`= ${arrivals.map(({ metadata }) => metadata.name)}`),
      changed: (type, { metadata }) => void told.push(`${type} ${metadata.name}`),
      passed() {},
    },
    clock: fastClock(50),
    random: seededRandom(1),
    onState: state => states.push(state),
  });
  const running = reflector.run(stop.signal);
  await vi.waitFor(() => expect(told).toContain('ADDED c-10'), { timeout: 15_000 });
  expect(told).toEqual(['= c-1,c-2', 'ADDED c-3', 'ADDED c-4', 'ADDED c-5', '= c-5,c-9', 'ADDED c-10']);
  expect(asked).toEqual(['stream', 'stream', 'stream', 'stream', '3', '4', '5', '5', 'stream']);
  stop.abort();
  await running;
  expect(states.at(-1)).toEqual({ name: 'stopped' });
});
