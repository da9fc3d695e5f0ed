import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../client/client.ts';
import { TransportError } from '../errors.ts';
import type { Transport, WatchEvent, WatchStream } from '../transport.ts';
import type { Credential } from './credentials.ts';
import { createHttpTransport, type HttpTransportOptions } from './http-transport.ts';
import { event, json, type ScriptedServer, scriptedServer } from './scripted-server.fixture.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function setUp(
  answer: Parameters<typeof scriptedServer>[0],
  options: Partial<HttpTransportOptions> = {},
): Promise<{ server: ScriptedServer; transport: Transport }> {
  const server = await scriptedServer(answer);
  const transport = createHttpTransport({ server: server.url, ...options });
  closers.push(
    () => server.close(),
    () => transport.close(),
  );
  return { server, transport };
}

const get = { method: 'GET', path: '/api/v1/nodes' } as const;
const watch = { ...get, query: { watch: 'true' } } as const;
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    error => error,
  );

async function eventsOf(stream: WatchStream): Promise<AsyncIterator<WatchEvent>> {
  if (stream.refused !== undefined) throw new Error(`refused: ${stream.refused.status}`);
  return stream.events[Symbol.asyncIterator]();
}

describe('requests over HTTP', () => {
  it('carry method, path, query, body and headers', async () => {
    const { server, transport } = await setUp(response => json(response, 201, { made: true }, { 'X-Extra': '1' }));
    const response = await transport.request({
      method: 'PATCH',
      path: '/apis/a/v1/b%2Fc',
      query: { force: 'true', dryRun: ['All', 'x'], none: undefined, labelSelector: 'a in (b,c)' },
      headers: { 'user-agent': 'me' },
      contentType: 'application/merge-patch+json',
      body: { a: 1, b: undefined },
    });
    expect(response).toMatchObject({ status: 201, body: { made: true }, headers: { 'x-extra': '1' } });
    expect(server.asked[0]).toMatchObject({
      method: 'PATCH',
      url: '/apis/a/v1/b%2Fc?force=true&dryRun=All&dryRun=x&labelSelector=a+in+%28b%2Cc%29',
      body: '{"a":1}',
      headers: { 'content-type': ['application/merge-patch+json'], 'user-agent': ['me'], accept: ['application/json'] },
    });
  });

  it('go below the path of the server address', async () => {
    const { server } = await setUp(response => json(response, 200, {}));
    const transport = createHttpTransport({ server: `${server.url}/k8s/clusters/one/` });
    closers.push(() => transport.close());
    await transport.request(get);
    expect(server.asked[0]!.url).toBe('/k8s/clusters/one/api/v1/nodes');
  });

  it('impersonate with one header for each group', async () => {
    const { server, transport } = await setUp(response => json(response, 200, {}), {
      impersonate: { user: 'default' },
    });
    await transport.request({
      ...get,
      impersonate: { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'Example.com/Scope': ['x', 'y'] } },
    });
    await transport.request(get);
    expect(server.asked[0]!.headers).toMatchObject({
      'impersonate-user': ['jane'],
      'impersonate-uid': ['7'],
      'impersonate-group': ['a', 'b'],
      'impersonate-extra-example.com%2fscope': ['x', 'y'],
    });
    expect(server.asked[1]!.headers['impersonate-user']).toEqual(['default']);
  });

  it('give text where the answer is not JSON, and failures as they are', async () => {
    const { transport } = await setUp((response, request) => {
      if (request.url === '/healthz') response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
      else response.writeHead(502, { 'content-type': 'application/json' }).end('{"torn":');
    });
    expect(await transport.request({ ...get, path: '/healthz' })).toMatchObject({ status: 200, body: 'ok' });
    expect(await transport.request(get)).toMatchObject({ status: 502, body: '{"torn":' });
  });

  it('keep connections alive', async () => {
    const ports = new Set<number | undefined>();
    const { transport } = await setUp((response, request) => {
      ports.add(request.socket.remotePort);
      json(response, 200, {});
    });
    for (let count = 0; count < 5; count++) await transport.request(get);
    // The pool opens a second one when the first has not quite finished.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('go on after the server was restarted', async () => {
    const { server, transport } = await setUp(response => json(response, 200, { life: 1 }));
    await transport.request(get);
    await server.close();
    const again = await scriptedServer(response => json(response, 200, { life: 2 }), undefined, server.port);
    closers.push(() => again.close());
    const client = createClient({ transport });
    expect((await client.request(get)).body).toEqual({ life: 2 });
  });

  it('leave nothing on a signal that outlives them', async () => {
    const { transport } = await setUp(response => json(response, 200, {}));
    const { signal } = new AbortController();
    for (let count = 0; count < 20; count++) await transport.request({ ...get, signal });
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
  });

  it('renew refused credentials once', async () => {
    let token = 'old';
    const held: Credential[] = [];
    const credentials = {
      current: async () => ({ authorization: `Bearer ${token}` }),
      refused: async (credential: Credential) => {
        held.push(credential);
        token = 'new';
        return held.length === 1;
      },
    };
    const { server, transport } = await setUp(
      (response, request) => json(response, request.headers.authorization === 'Bearer new' ? 200 : 401, {}),
      { credentials },
    );
    expect((await transport.request({ ...get, method: 'POST', body: { a: 1 } })).status).toBe(200);
    expect(server.asked.map(each => each.body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(held).toEqual([{ authorization: 'Bearer old' }]);
    token = 'worse';
    expect((await transport.request(get)).status).toBe(401);
  });
});

describe('requests that get no answer', () => {
  it('say that nobody listens, and that nothing was sent', async () => {
    const { server } = await setUp(() => {});
    await server.close();
    const transport = createHttpTransport({ server: server.url });
    closers.push(() => transport.close());
    const error = await rejection(transport.request(get));
    expect(error).toBeInstanceOf(TransportError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', neverSent: true });
    expect((error as Error).message).toContain(`GET /api/v1/nodes at ${server.url}: nobody listens there`);
  });

  it('say that the connection broke, before and within the answer', async () => {
    const { transport } = await setUp((response, request) => {
      if (request.url === '/early') response.destroy();
      else response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    for (const path of ['/early', '/late']) {
      const error = await rejection(transport.request({ ...get, path }));
      expect(error).toMatchObject({ name: 'TransportError', code: 'ECONNRESET', neverSent: false });
    }
  });

  it('time out on a server that says nothing, and on one that stops in the middle', async () => {
    const { transport } = await setUp(
      (response, request) => {
        if (request.url === '/slow') response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      },
      { headersTimeout: 100, bodyTimeout: 100 },
    );
    for (const path of ['/silent', '/slow']) {
      expect(await rejection(transport.request({ ...get, path }))).toMatchObject({ code: 'ETIMEDOUT' });
    }
  });

  it('refuse an answer that is too large, torn, or not HTTP', async () => {
    const { transport } = await setUp(
      (response, request) => {
        if (request.url === '/large') json(response, 200, 'x'.repeat(5000));
        else response.writeHead(200, { 'content-type': 'application/json' }).end('{"torn":');
      },
      { largestResponse: 1000 },
    );
    expect(await rejection(transport.request({ ...get, path: '/large' }))).toMatchObject({ code: 'ETOOLARGE' });
    expect(await rejection(transport.request({ ...get, path: '/torn' }))).toMatchObject({ code: 'EBADBODY' });

    const odd = createTcpServer(socket => socket.resume().end('SSH-2.0-surprise\r\n'));
    await new Promise<void>(resolve => odd.listen(0, '127.0.0.1', resolve));
    const { port } = odd.address() as { port: number };
    const other = createHttpTransport({ server: `http://127.0.0.1:${port}` });
    closers.push(
      () => new Promise(resolve => odd.close(resolve)),
      () => other.close(),
    );
    expect(await rejection(other.request(get))).toMatchObject({ code: 'EBADHTTP' });
  });

  it('end with the reason of the signal', async () => {
    const { transport } = await setUp(() => {});
    const controller = new AbortController();
    const pending = rejection(transport.request({ ...get, signal: controller.signal }));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await pending).toBe(reason);
    expect(await rejection(transport.request({ ...get, signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  it('fail when the transport is closed', async () => {
    const { transport } = await setUp(() => {});
    const pending = rejection(transport.request(get));
    await transport.close();
    expect(await pending).toMatchObject({ code: 'ECLOSED' });
    expect(await rejection(transport.request(get))).toMatchObject({ code: 'ECLOSED' });
  });
});

describe('watches over HTTP', () => {
  it('leaves objects unparsed for readers who say so, and parses them when they are read', async () => {
    const metadata = { name: 'a', uid: 'u', resourceVersion: '7', labels: { x: 'y' } };
    const whole = { apiVersion: 'v1', kind: 'Node', metadata: { ...metadata, managedFields: [{}] }, spec: { a: 1 } };
    const line = `${JSON.stringify({ type: 'ADDED', object: whole })}\n`;
    const broken = line.replace('{"a":1}', '{"a":}');
    const { transport } = await setUp(response => {
      response.writeHead(200);
      response.end(line + broken);
    });
    const eager = await eventsOf(await transport.watch(watch));
    expect((await eager.next()).value).toEqual({ type: 'ADDED', object: whole });
    expect(await rejection(eager.next())).toMatchObject({ code: 'EBADSTREAM' });

    const lazy = await eventsOf(await transport.watch({ ...watch, lazy: true }));
    const { value } = await lazy.next();
    expect(value.identity).toEqual({ name: 'a', namespace: undefined, uid: 'u', resourceVersion: '7' });
    expect(value.metadata).toEqual(metadata);
    expect(value.object).toEqual({ ...whole, metadata });
    expect(value.object).toBe(value.object);
    const { value: unreadable } = await lazy.next();
    expect(unreadable.metadata).toEqual(metadata);
    expect(() => unreadable.object).toThrow('is not an event');
  });

  const start = (response: ServerResponse, text: string): boolean =>
    response.writeHead(200, { 'content-type': 'application/json' }).write(text);

  it('give events as they come and end in good order', async () => {
    const { transport } = await setUp(response => {
      start(response, event('ADDED', 'a') + event('MODIFIED', 'a').slice(0, 20));
      response.end(event('MODIFIED', 'a').slice(20) + event('DELETED', 'a').trimEnd());
    });
    const { events } = (await transport.watch(watch)) as { events: AsyncIterable<WatchEvent> };
    expect((await Array.fromAsync(events)).map(each => each.type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
  });

  it('give a refusal with its body', async () => {
    const { transport } = await setUp(response => json(response, 410, { kind: 'Status', reason: 'Expired' }));
    expect(await transport.watch(watch)).toMatchObject({ refused: { status: 410, body: { reason: 'Expired' } } });
  });

  it('stay open while quiet, far beyond the time-out of answers', async () => {
    let finish = (): void => {};
    const { transport } = await setUp(
      (response, request) => {
        start(response, request.url === '/stalls' ? '{' : event('ADDED', 'a'));
        if (request.url !== '/stalls') finish = () => response.end(event('ADDED', 'b'));
      },
      { bodyTimeout: 100 },
    );
    const iterator = await eventsOf(await transport.watch(watch));
    expect((await iterator.next()).value).toMatchObject({ type: 'ADDED' });
    const next = iterator.next();
    for (let count = 0; count < 3; count++) {
      expect(await rejection(transport.request({ ...get, path: '/stalls' }))).toMatchObject({ code: 'ETIMEDOUT' });
    }
    finish();
    expect((await next).value).toMatchObject({ object: { metadata: { name: 'b' } } });
  });

  it.each([
    ['breaks in the middle of an event', event('ADDED', 'a') + event('ADDED', 'b').slice(0, 9), 'ECONNRESET', true],
    ['ends in the middle of an event', event('ADDED', 'a') + event('ADDED', 'b').slice(0, 9), 'EBADSTREAM', false],
    ['sends garbage', `${event('ADDED', 'a')}<html>\n`, 'EBADSTREAM', false],
    ['sends JSON that is no event', `${event('ADDED', 'a')}[1]\n`, 'EBADSTREAM', false],
    ['sends an event without end', event('ADDED', 'a') + 'x'.repeat(9000), 'EBADSTREAM', false],
  ])('throw when the stream %s', async (_, text, code, destroy) => {
    const { transport } = await setUp(
      response => {
        response.writeHead(200).write(text, () => (destroy ? response.destroy() : response.end()));
      },
      { largestEvent: 5000 },
    );
    const iterator = await eventsOf(await transport.watch(watch));
    expect((await iterator.next()).value).toMatchObject({ type: 'ADDED' });
    expect(await rejection(iterator.next())).toMatchObject({ name: 'TransportError', code });
  });

  it('never show what a bad line holds', async () => {
    const { transport } = await setUp(response => response.writeHead(200).end('{"data":{"password":"hunter2"}}\n'));
    const iterator = await eventsOf(await transport.watch(watch));
    expect(String(await rejection(iterator.next()))).not.toContain('hunter2');
  });

  it('close the connection when the reader leaves or aborts', async () => {
    const closed: Promise<void>[] = [];
    const { transport } = await setUp(response => {
      closed.push(new Promise(resolve => response.on('close', resolve)));
      start(response, event('ADDED', 'a'));
    });
    const left = await eventsOf(await transport.watch(watch));
    await left.next();
    await left.return!();
    await closed[0];

    const controller = new AbortController();
    const aborted = await eventsOf(await transport.watch({ ...watch, signal: controller.signal }));
    await aborted.next();
    const next = rejection(aborted.next());
    controller.abort(new Error('enough'));
    expect(await next).toMatchObject({ message: 'enough' });
    await closed[1];

    const unread = new AbortController();
    await transport.watch({ ...watch, signal: unread.signal });
    unread.abort();
    await closed[2];
  });

  it('hold the server back while the reader is slow', async () => {
    let written = 0;
    let stalled = (): void => {};
    const stall = new Promise<void>(resolve => {
      stalled = resolve;
    });
    const line = event('ADDED', 'x'.repeat(10_000));
    const { transport } = await setUp(response => {
      response.writeHead(200);
      const pump = (): void => {
        while (written < 5000) {
          written++;
          if (!response.write(line)) {
            response.once('drain', pump);
            // Nothing drains for half a second: the socket buffers are full, and so is the reader's.
            const before = written;
            setTimeout(() => before === written && stalled(), 500);
            return;
          }
        }
        response.end();
      };
      pump();
    });
    const stream = await transport.watch(watch);
    if (stream.refused !== undefined) throw new Error('refused');
    await stall;
    expect(written).toBeLessThan(2500);
    const active = stream.lastActivity();
    let count = 0;
    for await (const _ of stream.events) count++;
    expect(count).toBe(5000);
    expect(stream.lastActivity()).toBeGreaterThanOrEqual(active);
  });

  it('do not count against the number of requests', async () => {
    const { transport } = await setUp(
      (response, request) => {
        if (request.url?.includes('watch')) start(response, event('ADDED', 'a'));
        else json(response, 200, {});
      },
      { connections: 1 },
    );
    const streams = await Promise.all([1, 2, 3].map(() => transport.watch(watch)));
    expect((await transport.request(get)).status).toBe(200);
    for (const stream of streams) await (await eventsOf(stream)).return!();
  });
});
