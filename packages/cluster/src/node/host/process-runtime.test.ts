import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ContainerRuntime, Launch } from './container-runtime.ts';
import { endLeftBehind } from './left-behind.ts';
import { allListeners, wildcardPorts } from './listeners.ts';
import { detectRootMode } from './private-root.ts';
import { bootId, startTimeOf } from './proc.ts';
import { createProcessRuntime } from './process-runtime.ts';
import { RunningFiles } from './running-files.ts';

const linux = process.platform === 'linux';
let folder: string;
let files: RunningFiles;
let runtime: ContainerRuntime;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-runtime-'));
  files = new RunningFiles(join(folder, 'running'));
  runtime = createProcessRuntime({
    clock: systemClock,
    nodeId: 'test',
    runId: 'test',
    files,
    rootMode: Promise.resolve('none'),
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function launch(
  script: string,
  more: Partial<Launch> = {},
): { readonly launch: Launch; readonly output: () => string } {
  const chunks: string[] = [];
  return {
    output: () => chunks.join(''),
    launch: {
      id: Buffer.from(systemRandom.bytes(32)).toString('hex'),
      podUid: 'u',
      command: ['sh', '-c', script],
      env: { PATH: process.env['PATH'] ?? '' },
      workingDir: folder,
      stdin: false,
      onOutput: (_stream, chunk) => chunks.push(String(chunk)),
      ...more,
    },
  };
}

/** One that has ended may still wait to be buried by its parent. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe.skipIf(!linux)('a process', () => {
  it('has its output heard and its exit code told', async () => {
    const { launch: wanted, output } = launch('echo $GREETING from $PWD; exit 3', {
      env: { PATH: '/bin:/usr/bin', GREETING: 'hi' },
    });
    const running = await runtime.start(wanted);
    expect(await running.exited).toEqual({ exitCode: 3 });
    expect(output()).toBe(`hi from ${folder}\n`);
  });

  it('is on record while it runs, and not after', async () => {
    const { launch: wanted } = launch('exec sleep 1000');
    const running = await runtime.start(wanted);
    expect(files.all()).toEqual([
      { containerId: wanted.id, pid: running.pid, startTime: startTimeOf(running.pid), bootId: bootId(), podUid: 'u' },
    ]);
    running.terminate();
    expect(await running.exited).toEqual({ exitCode: 143 });
    expect(files.all()).toEqual([]);
  });

  it('takes its children with it, also one that left its session', async () => {
    const { launch: wanted, output } = launch('sleep 1000 & echo $!; setsid sleep 1000 & echo $!; exit 0');
    const running = await runtime.start(wanted);
    await running.exited;
    const pids = (output().match(/\d+/g) ?? []).map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('is killed with 137 when it does not listen', async () => {
    const { promise: up, resolve } = Promise.withResolvers<void>();
    const { launch: wanted } = launch('trap "" TERM; echo up; while :; do sleep 1; done', {
      onOutput: () => resolve(),
    });
    const running = await runtime.start(wanted);
    await up;
    running.terminate();
    running.kill();
    expect(await running.exited).toEqual({ exitCode: 137 });
  });

  it.each([
    [['no-such-program'], 'executable file not found in $PATH'],
    [['/etc/passwd'], 'permission denied'],
    [['/no/such/file'], 'no such file or directory'],
  ])('of %j cannot start', async (command, message) => {
    await expect(runtime.start(launch('', { command }).launch)).rejects.toThrow(message);
  });

  it('can be joined by a further command', async () => {
    const { launch: wanted } = launch('exec sleep 1000', { env: { PATH: process.env['PATH'] ?? '', A: 'b' } });
    const running = await runtime.start(wanted);
    const request = { process: running, launch: wanted, stdin: true, tty: false };
    const execution = await runtime.execute({ ...request, command: ['sh', '-c', 'cat; echo $A >&2; exit 4'] });
    execution.stdin!.end('typed');
    expect((await execution.stdout.toArray()).join('')).toBe('typed');
    expect((await execution.stderr!.toArray()).join('')).toBe('b\n');
    expect(await execution.exit).toBe(4);
    running.kill();
    await running.exited;
  });
});

describe.skipIf(!linux)('what an earlier node left', () => {
  it('is ended, but not a stranger who got the same pid', async () => {
    const [left, stranger] = [1, 2].map(() => spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }));
    const record = { bootId: bootId(), podUid: 'u' };
    files.write({ ...record, containerId: 'a', pid: left!.pid!, startTime: startTimeOf(left!.pid!)! });
    files.write({ ...record, containerId: 'b', pid: stranger!.pid!, startTime: '1' });
    files.write({
      ...record,
      containerId: 'c',
      pid: stranger!.pid!,
      startTime: startTimeOf(stranger!.pid!)!,
      bootId: 'another',
    });
    expect(await endLeftBehind(files, systemClock)).toBe(1);
    if (left!.signalCode === null) await once(left!, 'exit');
    expect(left!.signalCode).toBe('SIGKILL');
    expect(isAlive(stranger!.pid!)).toBe(true);
    expect(files.all()).toEqual([]);
    stranger!.kill('SIGKILL');
  });
});

describe.skipIf(!linux)('a file system of its own', () => {
  it('has the volumes in place, and leaves no trace on the machine', async context => {
    const rootMode = await detectRootMode(folder);
    if (rootMode === 'none') return context.skip('neither root nor user namespaces on this machine');
    runtime = createProcessRuntime({
      clock: systemClock,
      nodeId: 'test',
      runId: 'test',
      files,
      rootMode: Promise.resolve(rootMode),
    });
    const volume = join(folder, 'volume');
    mkdirSync(volume);
    writeFileSync(join(volume, 'file'), 'from the volume');
    const root = {
      folder: join(folder, 'root'),
      mounts: [
        { source: volume, target: '/etc/capstan-test/deep', readOnly: true },
        { source: volume, target: '/var/run/capstan-test', readOnly: false },
      ],
    };
    const script =
      'cat /etc/capstan-test/deep/file; echo; pwd; echo x >/var/run/capstan-test/made; touch /etc/capstan-test/deep/no; exit 5';
    const { launch: wanted, output } = launch(script, { root, workingDir: '/capstan-home' });
    const running = await runtime.start(wanted);
    expect(await running.exited).toEqual({ exitCode: 5 });
    expect(output()).toContain('from the volume\n/capstan-home');
    expect(output()).toContain('Read-only file system');
    expect(readFileSync(join(volume, 'made'), 'utf8')).toBe('x\n');
    expect(
      ['/etc/capstan-test', '/var/run/capstan-test', '/capstan-home', root.folder].filter(path => existsSync(path)),
    ).toEqual([]);
  });
});

it.skipIf(!linux)('finds out who listens on every address', async () => {
  const [everywhere, one] = [createServer(), createServer()];
  await new Promise<void>(resolve => void everywhere.listen(0, '0.0.0.0', resolve));
  await new Promise<void>(resolve => void one.listen(0, '127.64.9.9', resolve));
  const portOf = (server: typeof one) => (server.address() as { port: number }).port;
  const ports = await wildcardPorts(process.pid);
  expect(ports).toContain(portOf(everywhere));
  expect(ports).not.toContain(portOf(one));
  expect(await allListeners()).toContainEqual(expect.objectContaining({ address: '127.64.9.9', port: portOf(one) }));
  everywhere.close();
  one.close();
});
