import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { Container, ProbeAction } from '@capstan/kube';
import { systemClock } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { counted, firstTally } from './probe-tally.ts';
import { portOf, runAction } from './run-action.ts';

const container: Container = { name: 'c', ports: [{ name: 'web', containerPort: 8080 }] };
const ask = (action: ProbeAction, timeout = 5_000) =>
  runAction(
    action,
    {
      clock: systemClock,
      container,
      podIP: '127.0.0.1',
      execute: async ([word]) => ({ exitCode: word === 'ok' ? 0 : 3, output: 'said no' }),
    },
    timeout,
  );

async function listening<
  S extends { listen(port: number, host: string, done: () => void): unknown; address(): unknown; close(): unknown },
>(server: S, use: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.close();
  }
}

describe('counting', () => {
  const verdicts = (answers: string, probe: object): string => {
    let tally = firstTally;
    return [...answers]
      .map(answer => {
        tally = counted(tally, answer === '+', probe);
        return { success: 'S', failure: 'F', unknown: '?' }[tally.verdict];
      })
      .join('');
  };
  it.each([
    ['+', {}, 'S'],
    ['---', {}, '??F'],
    ['+--+---+', {}, 'SSSSSSFS'],
    ['-++-+++', { successThreshold: 2, failureThreshold: 1 }, 'FFSFFSS'],
  ])('%s with %j gives %s', (answers, probe, expected) => {
    expect(verdicts(answers, probe)).toBe(expected);
  });
});

describe('httpGet', () => {
  const server = () =>
    createServer((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(request.headers['x-key'] === 'right' || request.url === '/moved' ? 302 : 503).end();
    });

  it('is healthy from 200 to 399', () =>
    listening(server(), async port => {
      const httpHeaders = [{ name: 'X-Key', value: 'right' }];
      expect(await ask({ httpGet: { port, path: '/', httpHeaders } })).toEqual({ ok: true });
      expect(await ask({ httpGet: { port, path: 'moved' } })).toEqual({ ok: true });
      expect(await ask({ httpGet: { port } })).toEqual({
        ok: false,
        message: 'HTTP probe failed with statuscode: 503',
      });
    }));

  it('tells of a timeout and of a closed port in familiar words', () =>
    listening(server(), async port => {
      expect(await ask({ httpGet: { port, path: '/slow' } }, 50)).toMatchObject({
        message: expect.stringContaining('Client.Timeout exceeded'),
      });
      expect(await ask({ httpGet: { port: 1 } })).toEqual({
        ok: false,
        message: 'Get "http://127.0.0.1:1/": dial tcp 127.0.0.1:1: connect: connection refused',
      });
    }));
});

it('tcpSocket is healthy when someone accepts', () =>
  listening(createTcpServer(), async port => {
    expect(await ask({ tcpSocket: { port } })).toEqual({ ok: true });
    expect(await ask({ tcpSocket: { port: 1 } })).toMatchObject({ ok: false });
  }));

it('exec is healthy when the command succeeds, and its output is told otherwise', async () => {
  expect(await ask({ exec: { command: ['ok'] } })).toEqual({ ok: true });
  expect(await ask({ exec: { command: ['no'] } })).toEqual({ ok: false, message: 'said no' });
});

describe('grpc', () => {
  /** Answers a health check: a status for the service that was asked for, or none at all. */
  const server = (statusOf: (service: string) => number | undefined) => {
    const http2 = createHttp2Server();
    http2.on('stream', stream => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const status = statusOf(Buffer.concat(chunks).subarray(7).toString());
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status === undefined ? '12' : '0' }));
        stream.end(status === undefined ? undefined : Buffer.from([0, 0, 0, 0, 2, 8, status]));
      });
    });
    return http2;
  };

  it('is healthy while the service is SERVING', () =>
    listening(
      server(service => (service === 'db' ? 1 : 2)),
      async port => {
        expect(await ask({ grpc: { port, service: 'db' } })).toEqual({ ok: true });
        expect(await ask({ grpc: { port } })).toEqual({
          ok: false,
          message: 'service unhealthy (responded with "NOT_SERVING")',
        });
      },
    ));

  it('says when a server has no health service', () =>
    listening(
      server(() => undefined),
      async port => {
        expect(await ask({ grpc: { port } })).toMatchObject({
          message: expect.stringContaining('does not implement the grpc health protocol'),
        });
      },
    ));
});

it('ports go by number, by name, or by a number in quotes', () => {
  expect([portOf(1, container), portOf('web', container), portOf('99', container)]).toEqual([1, 8080, 99]);
  expect(() => portOf('none', container)).toThrow('no port named "none"');
});
