/** What kubectl does with a running Pod, done by kubectl itself, over WebSocket and as it did before. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../../scripts/peers/find.ts';
import { eventually } from './eventually.fixture.ts';
import { type PodServer, portOf, startPodServer } from './pod-server.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-pods-'));
const BIG = randomBytes(10_000_000);
let pods: PodServer;
let program: Server;

beforeAll(async () => {
  pods = await startPodServer();
  await pods.run('web');
  await pods.run('two', ['a', 'b']);
  for (const line of ['one', 'two', 'three']) pods.agent.log.write(`${line}\n`, 1_700_000_000_000);
  writeFileSync(join(folder, 'config'), await pods.kubeconfig(), { mode: 0o600 });
  program = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET') outgoing.end(BIG);
    else incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(program, 'listening');
});
beforeEach(context => requirePeers(context, ['kubectl']));
afterAll(async () => {
  await pods?.close();
  program?.close();
  rmSync(folder, { recursive: true });
});

const SPDY = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' };

const flags = ['--kubeconfig', join(folder, 'config'), '--cache-dir', join(folder, 'cache')];

function start(words: readonly string[], environment: object): ChildProcess {
  return spawn(findPeer('kubectl')!, [...flags, ...words], { env: { ...process.env, ...environment }, cwd: folder });
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

async function run(words: readonly string[], input?: Uint8Array, environment: object = {}): Promise<Outcome> {
  const child = start(words, environment);
  const [stdout, stderr] = [gather(child.stdout!), gather(child.stderr!)];
  child.stdin!.on('error', () => {}).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: await stdout, stderr: (await stderr).toString() };
}

async function gather(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const said = async (...words: string[]): Promise<string> => {
  const { stdout, stderr } = await run(words);
  return (stdout + stderr).trim();
};

describe('kubectl logs', () => {
  it('shows all, the last, and with times', async () => {
    expect(await said('logs', 'web')).toBe('one\ntwo\nthree');
    expect(await said('logs', 'web', '--tail=1')).toBe('three');
    expect(await said('logs', 'web', '--tail=1', '--timestamps')).toBe('2023-11-14T22:13:20.000000000Z three');
    expect(await said('logs', 'web', '--limit-bytes=5')).toBe('one\nt');
    expect(await said('logs', 'web', '--since=1m')).toBe('');
  });

  it('says what is wrong', async () => {
    expect(await said('logs', 'web', '-p')).toBe(
      'Error from server (BadRequest): previous terminated container "main" in pod "web" not found',
    );
    // kubectl asks for the containers in no particular order.
    const both = await said('logs', 'two', '--all-containers', '--tail=1', '--prefix');
    expect(both.split('\n').sort()).toEqual(['[pod/two/a] three', '[pod/two/b] three']);
  });

  it('-f goes on', async () => {
    const child = start(['logs', '-f', 'web', '--tail=0'], {});
    let heard = '';
    child.stdout!.on('data', part => {
      heard += part;
    });
    await eventually(() => expect(pods.agent.log.readers).toBe(1));
    pods.agent.log.write('four\n');
    await eventually(() => expect(heard).toBe('four\n'));
    child.kill('SIGINT');
    await eventually(() => expect(pods.agent.log.readers).toBe(0));
  });
});

describe.each([
  ['WebSocket', {}],
  ['SPDY', SPDY],
])('over %s, kubectl', (_, environment) => {
  it('exec carries outputs, the exit code and input', async () => {
    const script = 'echo out; echo err >&2; exit 3';
    const { code, stdout, stderr } = await run(['exec', 'web', '--', 'sh', '-c', script], undefined, environment);
    expect([code, stdout.toString(), stderr]).toEqual([3, 'out\n', 'err\ncommand terminated with exit code 3\n']);
    const echo = await run(['exec', '-i', 'web', '--', 'cat'], BIG, environment);
    expect([echo.code, echo.stdout.equals(BIG)]).toEqual([0, true]);
  });

  it('exec says why a command cannot run, and attach joins', async () => {
    const failed = await run(['exec', 'web', '--', '/no/such'], undefined, environment);
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('error executing command in container')]);
    const attached = await run(['attach', '-i', 'web'], Buffer.from('hello'), environment);
    expect([attached.code, attached.stdout.toString()]).toEqual([0, 'hello']);
  });

  it('exec that is interrupted leaves nothing behind', async () => {
    const before = pods.agent.children.length;
    const child = start(['exec', 'web', '--', 'sleep', '1000'], environment);
    await eventually(() => expect(pods.agent.children).toHaveLength(before + 1));
    child.kill('SIGKILL');
    await eventually(() => expect(pods.agent.children.at(-1)!.signalCode).toBe('SIGKILL'));
  });

  it('cp copies both ways', async () => {
    writeFileSync(join(folder, 'big'), BIG);
    const up = await run(['cp', 'big', `web:${folder}/up`], undefined, environment);
    const down = await run(['cp', `web:${folder}/up`, 'down'], undefined, environment);
    expect([up.code, down.code]).toEqual([0, 0]);
    expect(readFileSync(join(folder, 'down')).equals(BIG)).toBe(true);
    for (const name of ['up', 'down']) rmSync(join(folder, name));
  });

  it('port-forward carries several connections, each way', async () => {
    const child = start(['port-forward', 'pod/web', `:${portOf(program)}`], environment);
    let heard = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', part => {
        heard += part;
      });
    }
    await eventually(() => expect(heard).toMatch(/Forwarding from 127.0.0.1:\d+ -> \d+/));
    const url = `http://127.0.0.1:${/127.0.0.1:(\d+)/.exec(heard)![1]}/`;
    const get = async () => Buffer.from(await (await fetch(url)).arrayBuffer());
    const post = async () =>
      Buffer.from(await (await fetch(url, { method: 'POST', body: new Uint8Array(BIG) })).arrayBuffer());
    const answers = await Promise.all([get(), post(), get(), post()]);
    expect(answers.map(answer => answer.equals(BIG))).toEqual([true, true, true, true]);
    expect(heard).not.toContain('error');
    child.kill('SIGINT');
    await once(child, 'exit');
  });
});

it('exec -it tells the size of the terminal', async context => {
  if (!existsSync('/usr/bin/script')) context.skip('needs script(1), which gives a program a terminal');
  const exec = [findPeer('kubectl')!, ...flags, 'exec', '-it', 'web', '--', 'cat'].join(' ');
  const typed = `stty cols 101 rows 37; ${exec}`;
  const terminal = spawn('/usr/bin/script', ['-qec', typed, '/dev/null']);
  await eventually(() => expect(pods.agent.sizes.at(-1)).toEqual({ columns: 101, rows: 37 }));
  terminal.kill();
});
