/** Port-forward as clients meet it: SPDY inside of a WebSocket, SPDY alone, and channels. */
import { once } from 'node:events';
import { request } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebSocketStream, WebSocket } from 'ws';
import { eventually } from './eventually.fixture.ts';
import { PODS, type PodServer, portOf, startPodServer } from './pod-server.fixture.ts';
import { SpdyClient } from './spdy/client.fixture.ts';

const PATH = `${PODS}/web/portforward`;

let pods: PodServer;
let program: Server;
let sockets: Socket[];
let serve: (socket: Socket) => void;
beforeEach(async () => {
  pods = await startPodServer();
  await pods.run('web');
  sockets = [];
  serve = socket => socket.pipe(socket);
  program = createServer({ allowHalfOpen: true }, socket => {
    sockets.push(socket.on('error', () => {}));
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(program, 'listening');
});
afterEach(async () => {
  await pods.close();
  for (const socket of sockets) socket.destroy();
  program.close();
});

/** As kubectl from 1.31 on. */
async function tunnel(): Promise<Duplex> {
  const { authority: ca, tokens, listener } = pods;
  const headers = { authorization: `Bearer ${tokens.admin}`, ...WEBSOCKET };
  const outgoing = request(`${listener.url}${PATH}`, { ca, headers, agent: false }).end();
  const [answer, socket] = (await once(outgoing, 'upgrade')) as [{ headers: Record<string, string> }, Duplex];
  expect(answer.headers['sec-websocket-protocol']).toBe('SPDY/3.1+portforward.k8s.io');
  return createWebSocketStream(adopt(socket));
}

/** The library refuses the slash in the name of the protocol, so that a connection that is there already has to be given to it. */
function adopt(socket: Duplex): WebSocket {
  const webSocket = new WebSocket(null as never, undefined, { autoPong: true }) as WebSocket & {
    _isServer: boolean;
    setSocket(socket: Duplex, head: Buffer, options: object): void;
  };
  webSocket._isServer = false;
  webSocket.setSocket(socket, Buffer.alloc(0), { allowSynchronousEvents: true, maxPayload: 0 });
  return webSocket;
}

const WEBSOCKET = {
  ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-protocol': 'SPDY/3.1+portforward.k8s.io',
};

/** As kubectl before 1.31. */
async function plain(): Promise<Duplex> {
  const { authority: ca, tokens, listener } = pods;
  const outgoing = request(`${listener.url}${PATH}`, {
    method: 'POST',
    ca,
    agent: false,
    headers: {
      ...{ authorization: `Bearer ${tokens.admin}`, connection: 'Upgrade', upgrade: 'SPDY/3.1' },
      'x-stream-protocol-version': 'portforward.k8s.io',
    },
  }).end();
  const [answer, socket] = (await once(outgoing, 'upgrade')) as [{ headers: Record<string, string> }, Duplex];
  expect(answer.headers['x-stream-protocol-version']).toBe('portforward.k8s.io');
  return socket;
}

/** Opens a connection as kubectl does; gives the numbers of its streams. */
async function dial(client: SpdyClient, port: number, requestid: string): Promise<{ error: number; data: number }> {
  const error = await client.open({ streamtype: 'error', port: String(port), requestid });
  client.send(error, Buffer.alloc(0), true);
  return { error, data: await client.open({ streamtype: 'data', port: String(port), requestid }) };
}

describe.each([
  ['SPDY in a WebSocket', tunnel],
  ['SPDY alone', plain],
])('over %s', (_, connect) => {
  it('carries several connections at once', async () => {
    const client = new SpdyClient(await connect());
    const port = portOf(program);
    const [one, two] = [await dial(client, port, '0'), await dial(client, port, '1')];
    client.send(two.data, Buffer.from('second'), true);
    client.send(one.data, Buffer.from('first'), true);
    await eventually(() => expect([...client.ended].sort()).toEqual([one.error, one.data, two.error, two.data].sort()));
    expect([client.text(one.data), client.text(two.data)]).toEqual(['first', 'second']);
    client.close();
  });

  it('carries 10 MB that a program sends before it closes', async () => {
    const bytes = Buffer.alloc(10_000_000, 'x');
    serve = socket => socket.end(bytes);
    const client = new SpdyClient(await connect());
    const { data, error } = await dial(client, portOf(program), '0');
    await eventually(() => expect(client.ended).toContain(data));
    expect(client.size(data)).toBe(bytes.length);
    client.reset(data); // as kubectl does then
    await eventually(() => expect(client.ended).toContain(error));
    expect(client.text(error)).toBe('');
    client.close();
  });

  it('says what is wrong with a port on the stream for errors', async () => {
    const port = portOf(program);
    program.close();
    const client = new SpdyClient(await connect());
    const { error } = await dial(client, port, '0');
    await eventually(() => expect(client.ended).toContain(error));
    expect(client.text(error)).toMatch(/^error forwarding port \d+ to pod web, uid [-0-9a-f]{36}: .*ECONNREFUSED/);
    client.close();
  });

  it('lets go of the program when the client resets, and when it vanishes', async () => {
    const client = new SpdyClient(await connect());
    const port = portOf(program);
    const one = await dial(client, port, '0');
    await dial(client, port, '1');
    await eventually(() => expect(sockets).toHaveLength(2));
    client.reset(one.data);
    await eventually(() => expect(sockets.filter(socket => socket.readableEnded || socket.destroyed)).toHaveLength(1));
    client.close();
    await eventually(() => expect(sockets.every(socket => socket.readableEnded || socket.destroyed)).toBe(true));
  });

  it.each([{}, { streamtype: 'data' }, { streamtype: 'data', port: '0' }, { streamtype: 'video', port: '80' }])(
    'refuses a stream of %j',
    async headers => {
      const client = new SpdyClient(await connect());
      const id = await client.open(headers as Record<string, string>);
      await eventually(() => expect(client.frames).toEqual([{ type: 'reset', id }]));
      client.close();
    },
  );
});

it('carries a port over two channels of a WebSocket', async () => {
  const port = portOf(program);
  const socket = pods.webSocket(`${PATH}?ports=${port}`, 'v4.channel.k8s.io');
  const heard: Buffer[] = [];
  socket.on('message', (message: Buffer) => heard.push(message));
  await once(socket, 'open');
  socket.send(Buffer.from('\0hello'));
  await eventually(() => expect(heard).toHaveLength(3));
  const number = Buffer.from([port & 0xff, port >> 8]);
  expect(heard[0]).toEqual(Buffer.concat([Buffer.from([0]), number]));
  expect(heard[1]).toEqual(Buffer.concat([Buffer.from([1]), number]));
  expect(heard[2]!.toString()).toBe('\0hello');
  sockets[0]!.end();
  sockets[0]!.destroy();
  await once(socket, 'close');
});
