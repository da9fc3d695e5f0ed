import { execFile } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { buildGoProgram } from '../../scripts/peers/program.ts';

const source = fileURLToPath(new URL('../../bench/peers/ingest', import.meta.url));
const pod = (index: number, annotations: object = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: {
    name: `pod-${index}`,
    namespace: 'default',
    uid: `${index}`,
    resourceVersion: `${index + 1}`,
    annotations,
  },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
  status: { phase: 'Running' },
});
const event = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;
const listEnd = (version: number) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { resourceVersion: `${version}`, annotations: { 'k8s.io/initial-events-end': 'true' } },
});

describe('the ingest program of controller-runtime', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** A server that answers every watch by this stream and keeps it open. */
  async function replay(stream: (answer: ServerResponse) => void): Promise<string> {
    server = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      stream(answer);
    });
    await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function run(context: TestContext, ...args: string[]): Promise<Record<string, unknown>> {
    const program = await buildGoProgram(source);
    if (program === undefined) context.skip('controller-runtime: install Go 1.24 or later');
    const { stdout } = await promisify(execFile)(program, [...args, '--timeout', '60s']);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  it.for(['typed', 'unstructured'])('fills its cache from a watch, %s', async (mode, context) => {
    const count = 500;
    const url = await replay(answer => {
      for (let index = 0; index < count; index++) answer.write(event('ADDED', pod(index)));
      answer.write(event('BOOKMARK', listEnd(count)));
    });
    const result = await run(context, '--server', url, '--mode', mode, '--events', `${count}`);
    expect(result).toMatchObject({ measure: 'ingest', mode, events: count, objects: count });
    expect(result['rssBytes']).toBeGreaterThan(1_000_000);
  });

  it('tells how long events take to their reconcile', async context => {
    const count = 100;
    const url = await replay(answer => {
      answer.write(event('BOOKMARK', listEnd(1)));
      let index = 0;
      const timer = setInterval(() => {
        const sent = `${Math.round((performance.timeOrigin + performance.now()) * 1000)}`;
        answer.write(event('ADDED', pod(++index, { 'bench.capstan.dev/sent': sent })));
        if (index === count) clearInterval(timer);
      }, 2);
    });
    const result = await run(context, '--server', url, '--measure', 'latency', '--events', `${count}`);
    expect(result).toMatchObject({ measure: 'latency', events: count });
    expect(result['p99Milliseconds']).toBeGreaterThanOrEqual(result['p50Milliseconds'] as number);
    expect(result['p50Milliseconds']).toBeGreaterThan(0);
  });
});
