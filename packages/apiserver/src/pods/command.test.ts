/** Exec and attach as a WebSocket client meets them, over HTTPS. */
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { SteppedClock } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { eventually } from './eventually.fixture.ts';
import type { ExecRequest, NodeAgent } from './node-agent.ts';
import { PODS, type PodServer, startPodServer } from './pod-server.fixture.ts';

const V5 = 'v5.channel.k8s.io';
const EXEC = `${PODS}/web/exec`;

let pods: PodServer;
beforeEach(async () => {
  pods = await startPodServer();
  await pods.run('web');
});
afterEach(() => pods.close());

/** What a client heard on each channel until the connection closed. */
class Heard {
  readonly channels = new Map<number, string>();
  code = 0;
  constructor(socket: WebSocket, base64 = false) {
    socket.on('error', () => {});
    socket.on('close', code => {
      this.code = code;
    });
    socket.on('message', (message: Buffer) => {
      const channel = base64 ? message[0]! - 0x30 : message[0]!;
      const rest = message.subarray(1);
      const text = base64 ? Buffer.from(rest.toString(), 'base64').toString() : rest.toString();
      this.channels.set(channel, (this.channels.get(channel) ?? '') + text);
    });
  }
  get status(): unknown {
    return JSON.parse(this.channels.get(3) ?? 'null');
  }
}

function query(command: readonly string[], streams: readonly string[]): string {
  const words = [...command.map(word => ['command', word]), ...streams.map(name => [name, 'true'])];
  return new URLSearchParams(words as [string, string][]).toString();
}

function exec(command: readonly string[], streams: readonly string[], protocol = V5): [WebSocket, Heard] {
  const socket = pods.webSocket(`${EXEC}?${query(command, streams)}`, protocol);
  return [socket, new Heard(socket, protocol.includes('base64'))];
}

const message = (channel: number, text: string): Buffer => Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);

const SUCCESS = { metadata: {}, status: 'Success' };

describe('exec', () => {
  it('carries both outputs and the exit code', async () => {
    const [socket, heard] = exec(['sh', '-c', 'echo out; echo err >&2; exit 3'], ['stdout', 'stderr']);
    await once(socket, 'close');
    expect(heard.channels.get(1)).toBe('out\n');
    expect(heard.channels.get(2)).toBe('err\n');
    expect(heard.status).toEqual({
      metadata: {},
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: 'command terminated with non-zero exit code: command terminated with exit code 3',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
    expect(heard.code).toBe(1000);
  });

  it('carries input, whose end the client tells with 255', async () => {
    const [socket, heard] = exec(['cat'], ['stdin', 'stdout']);
    await once(socket, 'open');
    expect(socket.protocol).toBe(V5);
    socket.send(message(0, 'hello '));
    socket.send(message(0, 'there'));
    socket.send(Buffer.from([255, 0]));
    await once(socket, 'close');
    expect([heard.channels.get(1), heard.status]).toEqual(['hello there', SUCCESS]);
  });

  it('is spoken in base64 and in older versions', async () => {
    const speak = async (protocol: string, command: readonly string[]) => {
      const [socket, heard] = exec(command, ['stdout'], protocol);
      await once(socket, 'close');
      return [heard.channels.get(1), heard.channels.get(3)];
    };
    expect(await speak('v4.base64.channel.k8s.io', ['echo', 'a'])).toEqual(['a\n', JSON.stringify(SUCCESS)]);
    expect(await speak('channel.k8s.io', ['echo', 'a'])).toEqual(['a\n', undefined]);
    expect(await speak('channel.k8s.io', ['false'])).toEqual(['', expect.stringContaining('exit code 1')]);
  });

  it('tells the size of a terminal that came before the command was started', async () => {
    const { exec: start } = pods.agent;
    let go = (): void => {};
    const held = new Promise<void>(resolve => (go = resolve));
    pods.agent.exec = async request => held.then(() => start(request));
    const [socket] = exec(['cat'], ['stdin', 'stdout', 'tty']);
    await once(socket, 'open');
    socket.send(message(4, '{"Width":80,"Height":24}\n'));
    socket.ping();
    await once(socket, 'pong');
    go();
    await eventually(() => expect(pods.agent.sizes).toEqual([{ columns: 80, rows: 24 }]));
  });

  it('tells the sizes of a terminal', async () => {
    const [socket] = exec(['cat'], ['stdin', 'stdout', 'stderr', 'tty']);
    await once(socket, 'open');
    socket.send(message(4, '{"Width":80,"Height":24}\n'));
    socket.send(message(4, '{"Width":132,"Height":50}\n'));
    socket.send(Buffer.from([255, 0]));
    await once(socket, 'close');
    expect(pods.agent.sizes).toEqual([
      { columns: 80, rows: 24 },
      { columns: 132, rows: 50 },
    ]);
  });

  it('says why a command could not be started', async () => {
    const [socket, heard] = exec(['/no/such/program'], ['stdout']);
    await once(socket, 'close');
    expect(heard.status).toMatchObject({
      status: 'Failure',
      reason: 'InternalError',
      code: 500,
      message: expect.stringMatching(/^Internal error occurred: error executing command in container: .*ENOENT/),
    });
  });

  it('does not wait for input that a command leaves unread', async () => {
    const [socket, heard] = exec(['true'], ['stdin', 'stdout']);
    await once(socket, 'open');
    for (let count = 0; count < 20; count++) socket.send(message(0, 'x'.repeat(100_000)));
    await once(socket, 'close');
    expect(heard.status).toEqual(SUCCESS);
  });

  it('carries much without a loss', async () => {
    const [socket] = exec(['head', '-c', '20000000', '/dev/zero'], ['stdout']);
    let size = 0;
    socket.on('message', (data: Buffer) => {
      if (data[0] === 1) size += data.length - 1;
    });
    await once(socket, 'close');
    expect(size).toBe(20_000_000);
  });
});

it('attach joins the container, and says no exit code', async () => {
  const socket = pods.webSocket(`${PODS}/web/attach?stdin=1&stdout=1`, V5);
  const heard = new Heard(socket);
  await once(socket, 'open');
  socket.send(message(0, 'hello'));
  socket.send(Buffer.from([255, 0]));
  await once(socket, 'close');
  expect([heard.channels.get(1), heard.status]).toEqual(['hello', SUCCESS]);
});

describe('before the connection changes hands', () => {
  const headers = (token: string, protocol = V5, upgrade = 'websocket') => ({
    ...{ authorization: `Bearer ${token}`, connection: 'Upgrade', upgrade },
    ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
    'sec-websocket-protocol': protocol,
  });
  const path = `${EXEC}?command=ls&stdout=1`;

  it('who is not known is answered 401, and who may not 403', async () => {
    expect(await pods.upgrade(path, headers('nonsense'))).toEqual({ status: 401, message: 'Unauthorized' });
    expect(await pods.upgrade(path, headers(pods.tokens.bob))).toEqual({
      status: 403,
      message: expect.stringContaining('User "bob" cannot get resource "pods/exec"'),
    });
    expect(pods.agent.children).toEqual([]);
  });

  it('the right to get is not enough: a command is created', async () => {
    await grant(['get']);
    expect(await pods.upgrade(path, headers(pods.tokens.bob))).toEqual({
      status: 403,
      message: 'pods "web" is forbidden: ',
    });
    await grant(['get', 'create']);
    const socket = pods.webSocket(path, V5, pods.tokens.bob);
    const heard = new Heard(socket);
    await once(socket, 'close');
    expect(heard.status).toEqual(SUCCESS);
  });

  async function grant(verbs: readonly string[]): Promise<void> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const transport = pods.server.transport();
    const rules = [{ apiGroups: [''], resources: ['pods/exec'], verbs }];
    const name = verbs.join('-');
    await transport.request({ method: 'POST', path: `${rbac}/roles`, body: { metadata: { name }, rules } });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
    const subjects = [{ kind: 'User', name: 'bob', apiGroup: 'rbac.authorization.k8s.io' }];
    const binding = { metadata: { name }, roleRef, subjects };
    const { status } = await transport.request({ method: 'POST', path: `${rbac}/rolebindings`, body: binding });
    expect(status).toBe(201);
  }

  it.each([
    ['/missing/exec?command=ls&stdout=1', 404, 'pods "missing" not found'],
    ['/web/exec?command=ls', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['/web/exec?stdout=1', 400, 'you must specify at least one command for the container'],
    ['/web/exec?command=ls&stdout=1&container=x', 400, 'container x is not valid for pod web'],
    ['/unbound/exec?command=ls&stdout=1', 400, 'pod unbound does not have a host assigned'],
    ['/unbound/portforward', 400, 'pod unbound does not have a host assigned'],
    ['/web/portforward?ports=x', 400, 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'],
  ])('%s is answered %d', async (rest, status, text) => {
    await pods.run('unbound', ['main'], '');
    expect(await pods.upgrade(`${PODS}${rest}`, headers(pods.tokens.admin))).toEqual({ status, message: text });
  });

  it('a protocol that is not spoken is refused, and so is none at all', async () => {
    expect(await pods.upgrade(path, headers(pods.tokens.admin, 'v9.channel.k8s.io'))).toEqual({
      status: 403,
      message: expect.stringContaining('client supports [v9.channel.k8s.io], server accepts [v5.channel.k8s.io'),
    });
    expect(await pods.upgrade(path, { authorization: `Bearer ${pods.tokens.admin}` })).toEqual({
      status: 400,
      message: 'Upgrade request required',
    });
  });

  it('what asks for another upgrade is served as if it had not', async () => {
    const { authorization } = headers(pods.tokens.admin);
    const other = { authorization, connection: 'Upgrade', upgrade: 'h2c' };
    expect(await pods.upgrade(`${PODS}/missing`, other)).toEqual({ status: 404, message: 'pods "missing" not found' });
  });
});

describe('whatever a client does', () => {
  it('one that vanishes takes its command with it', async () => {
    const [socket] = exec(['sleep', '1000'], ['stdin', 'stdout']);
    await eventually(() => expect(pods.agent.children).toHaveLength(1));
    socket.terminate();
    const [child] = pods.agent.children;
    await eventually(() => expect(child!.signalCode).toBe('SIGKILL'));
  });

  it('is asked for a sign of life every half minute', async () => {
    const clock = new SteppedClock();
    const other = await startPodServer({ clock });
    await other.run('web');
    const socket = other.webSocket(`${EXEC}?${query(['cat'], ['stdin', 'stdout'])}`, V5);
    let pings = 0;
    socket.on('ping', () => {
      pings += 1;
    });
    await once(socket, 'open');
    await clock.advance(60_000);
    await eventually(() => expect(pings).toBe(2));
    await other.close();
  });

  it('a message of 17 MiB closes the connection', async () => {
    const [socket, heard] = exec(['cat'], ['stdin', 'stdout']);
    await once(socket, 'open');
    socket.send(Buffer.alloc(17 * 1024 * 1024));
    await once(socket, 'close');
    expect([1006, 1009]).toContain(heard.code);
    const [child] = pods.agent.children;
    await eventually(() => expect(child!.signalCode).toBe('SIGKILL'));
  });

  it('channels that nobody has are passed over, empty messages too', async () => {
    const [socket, heard] = exec(['cat'], ['stdin', 'stdout']);
    await once(socket, 'open');
    for (const bytes of [[], [9, 1, 2], [1, 65], [3], [255, 200], [0]]) socket.send(Buffer.from(bytes));
    socket.send(message(0, 'still here'));
    socket.send(Buffer.from([255, 0]));
    socket.send(message(0, 'too late'));
    await once(socket, 'close');
    expect([heard.channels.get(1), heard.status]).toEqual(['still here', SUCCESS]);
  });

  it('an end of nothing breaks the protocol', async () => {
    const [socket, heard] = exec(['cat'], ['stdin', 'stdout']);
    await once(socket, 'open');
    socket.send(Buffer.from([255]));
    await once(socket, 'close');
    expect(heard.code).toBe(1002);
  });

  it('a server that closes ends what is under way', async () => {
    const [socket] = exec(['sleep', '1000'], ['stdout']);
    await once(socket, 'open');
    const closed = once(socket, 'close');
    await pods.listener.close();
    await closed;
    await eventually(() => expect(pods.agent.children.every(child => child.signalCode === 'SIGKILL')).toBe(true));
  });
});

describe('a node', () => {
  async function withExec(start: (request: ExecRequest) => ReturnType<NodeAgent['exec']>): Promise<WebSocket> {
    pods.agent.exec = start;
    const [socket] = exec(['any'], ['stdin', 'stdout']);
    await once(socket, 'open');
    return socket;
  }

  it('that never answers is told when the client has left', async () => {
    let asked: AbortSignal | undefined;
    const socket = await withExec(({ signal }) => {
      asked = signal;
      return new Promise(() => {});
    });
    await eventually(() => expect(asked?.aborted).toBe(false));
    socket.terminate();
    await eventually(() => expect(asked?.aborted).toBe(true));
  });

  it('that fails to say how a command ended has failed', async () => {
    const socket = await withExec(async () => ({
      stdin: new Writable(),
      stdout: Readable.from([]),
      resize: () => {},
      exit: Promise.reject(new Error('lost')),
    }));
    const heard = new Heard(socket);
    await once(socket, 'close');
    expect(heard.status).toMatchObject({ status: 'Failure', message: expect.stringContaining('container: lost') });
  });

  it('is read no faster than the client reads', async () => {
    let produced = 0;
    const piece = Buffer.alloc(64 * 1024);
    const endless = () =>
      new Readable({
        read() {
          produced += piece.length;
          setImmediate(() => this.push(piece));
        },
      });
    const socket = await withExec(async () => ({
      stdin: new Writable(),
      stdout: endless(),
      resize: () => {},
      exit: new Promise(() => {}),
    }));
    socket.pause();
    await steady(() => produced);
    expect(produced).toBeGreaterThan(0);
    expect(produced).toBeLessThan(32 * 1024 * 1024);
    socket.terminate();
  });

  it('is written to no faster than it takes', async () => {
    const stuck = new Writable({ write: () => {} });
    const socket = await withExec(async () => ({
      stdin: stuck,
      stdout: new Readable({ read: () => {} }),
      resize: () => {},
      exit: new Promise(() => {}),
    }));
    for (let count = 0; count < 50; count++) socket.send(message(0, 'x'.repeat(1024 * 1024)));
    await steady(() => socket.bufferedAmount);
    expect(socket.bufferedAmount).toBeGreaterThan(10 * 1024 * 1024);
    expect(stuck.writableLength).toBeLessThan(4 * 1024 * 1024);
    socket.terminate();
  });
});

/** Resolves when a number has not changed for a while. */
async function steady(read: () => number): Promise<void> {
  let last = Number.NaN;
  await vi.waitFor(
    () => {
      const before = last;
      last = read();
      expect(last).toBe(before);
    },
    { interval: 200, timeout: 30_000 },
  );
}
