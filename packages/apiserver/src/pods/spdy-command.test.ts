/** Exec and attach as kubectl before 1.31 speaks them: SPDY, a stream each for input, outputs and the last word. */
import { once } from 'node:events';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';
import { SteppedClock } from '@capstan/lab';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from './eventually.fixture.ts';
import { PODS, type PodServer, startPodServer } from './pod-server.fixture.ts';
import { SpdyClient } from './spdy/client.fixture.ts';

let pods: PodServer;
let clock: SteppedClock;
beforeEach(async () => {
  clock = new SteppedClock();
  pods = await startPodServer({ clock });
  await pods.run('web');
});
afterEach(() => pods.close());

async function connect(query: string, protocol = 'v4.channel.k8s.io', subresource = 'exec'): Promise<SpdyClient> {
  const { authority: ca, tokens, listener } = pods;
  const upgrade = { connection: 'Upgrade', upgrade: 'SPDY/3.1', 'x-stream-protocol-version': protocol };
  const outgoing = request(`${listener.url}${PODS}/web/${subresource}?${query}`, {
    method: 'POST',
    ca,
    agent: false,
    headers: { authorization: `Bearer ${tokens.admin}`, ...upgrade },
  });
  const [answer, socket] = (await once(outgoing.end(), 'upgrade')) as [{ headers: Record<string, string> }, Duplex];
  expect(answer.headers['x-stream-protocol-version']).toBe(protocol);
  return new SpdyClient(socket);
}

const open = (client: SpdyClient, streamtype: string) => client.open({ streamtype });

it('carries input, outputs and the exit code', async () => {
  const client = await connect('command=sh&command=-c&command=cat;echo+oops>%262;exit+3&stdin=1&stdout=1&stderr=1');
  const error = await open(client, 'error');
  const stdin = await open(client, 'stdin');
  const [stdout, stderr] = [await open(client, 'stdout'), await open(client, 'stderr')];
  client.send(stdin, Buffer.from('hello'), true);
  await eventually(() => expect(client.closed).toBe(true));
  expect([client.text(stdout), client.text(stderr)]).toEqual(['hello', 'oops\n']);
  expect(JSON.parse(client.text(error))).toMatchObject({
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  });
});

it('tells failures as text in older versions, and success by silence', async () => {
  const last = async (command: string) => {
    const client = await connect(`command=${command}&stdout=1`, 'v2.channel.k8s.io');
    const error = await open(client, 'error');
    await open(client, 'stdout');
    await eventually(() => expect(client.closed).toBe(true));
    return client.text(error);
  };
  expect(await last('true')).toBe('');
  expect(await last('false')).toContain('exit code 1');
});

it('tells the sizes of a terminal', async () => {
  const client = await connect('stdin=1&stdout=1&tty=1', 'v4.channel.k8s.io', 'attach');
  for (const type of ['error', 'stdout']) await open(client, type);
  const stdin = await open(client, 'stdin');
  const resize = await open(client, 'resize');
  client.send(resize, Buffer.from('{"Width":80,"Height":24}\n'));
  await eventually(() => expect(pods.agent.sizes).toEqual([{ columns: 80, rows: 24 }]));
  client.send(stdin, Buffer.alloc(0), true);
  await eventually(() => expect(client.closed).toBe(true));
});

it('starts nothing before all streams are there, and gives up after half a minute', async () => {
  const client = await connect('command=ls&stdout=1');
  await open(client, 'error');
  await eventually(() => expect(client.frames).toHaveLength(1));
  expect(pods.agent.children).toEqual([]);
  await clock.advance(30_000);
  await eventually(() => expect(client.closed).toBe(true));
  expect(pods.agent.children).toEqual([]);
});

it('refuses streams that nobody asked for, and a second of the same kind', async () => {
  const client = await connect('command=ls&stdout=1');
  await open(client, 'error');
  const [second, stdin] = [await open(client, 'error'), await open(client, 'stdin')];
  await eventually(() =>
    expect(client.frames.filter(({ type }) => type === 'reset')).toEqual([
      { type: 'reset', id: second },
      { type: 'reset', id: stdin },
    ]),
  );
  client.close();
});

it('asks for a sign of life every half minute', async () => {
  const client = await connect('command=cat&stdin=1&stdout=1');
  for (const type of ['error', 'stdin', 'stdout']) await open(client, type);
  await eventually(() => expect(pods.agent.children).toHaveLength(1));
  const pings = () => client.frames.filter(({ type }) => type === 'ping');
  expect(pings()).toEqual([]);
  await clock.advance(60_000);
  await eventually(() => expect(pings()).toEqual([2, 4].map(id => ({ type: 'ping', id }))));
  client.close();
});

it('ends the command of a client that vanishes', async () => {
  const client = await connect('command=sleep&command=1000&stdout=1');
  for (const type of ['error', 'stdout']) await open(client, type);
  await eventually(() => expect(pods.agent.children).toHaveLength(1));
  client.close();
  await eventually(() => expect(pods.agent.children[0]!.signalCode).toBe('SIGKILL'));
});
