import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NODE_VARIABLE } from './host/left-behind.ts';
import { processesWith } from './host/proc.ts';

const program = fileURLToPath(new URL('./doomed-node.fixture.ts', import.meta.url));
const pod = (name: string, script: string) => ({
  metadata: { name, namespace: 'default' },
  spec: {
    nodeName: 'doomed',
    terminationGracePeriodSeconds: 1,
    containers: [{ name: 'c', image: 'none', command: ['sh', '-c', script] }],
  },
});
/** A plain one, one that ignores SIGTERM and has children, and one whose child leaves its session. */
const someOfEach = [
  pod('plain', 'exec sleep 1000'),
  pod('stubborn', 'trap "" TERM; sleep 1000 & sleep 1000 & wait'),
  pod('runaway', 'setsid sleep 1000 & exec sleep 1000'),
];

let folder: string;
let current: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-killed-'));
});
afterEach(async () => {
  current?.kill('SIGKILL');
  await until(async () => (await ours()).length === 0);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform !== 'linux')('a node that is killed with SIGKILL', () => {
  it('leaves no process behind, in its groups or outside of them', async () => {
    await start();
    await killed();
    await until(async () => (await ours()).length === 0);
  });

  it('leaves nothing to run twice, even if what watches over it was killed as well', async () => {
    const before = await start();
    const pids = await allOfOurs();
    await killed({ withReaper: true });
    expect((await ours()).length).toBeGreaterThan(0);
    const after = await start();
    const survivors = new Set(await allOfOurs());
    expect(pids.filter(pid => survivors.has(pid))).toEqual([]);
    // Pods keep their addresses.
    expect(after).toEqual(before);
  });
});

/** Resolves when all Pods run: their names and addresses. */
async function start(): Promise<unknown> {
  current = spawn(process.execPath, [program, folder, JSON.stringify(someOfEach)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: current.stdout! }), 'line')) as [string];
  // "Running" comes before the scripts have started their children.
  await allOfOurs();
  return (JSON.parse(line) as string[][]).toSorted();
}

async function killed({ withReaper = false } = {}): Promise<void> {
  const child = current!;
  if (withReaper) process.kill(childrenNamed(child.pid!, 'capstan-reaper')[0]!, 'SIGKILL');
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Just those that the scripts make, when all of them are there: one that is about to become another program shows no mark for a moment. */
async function allOfOurs(): Promise<number[]> {
  let pids: number[] = [];
  await until(async () => (pids = await ours()).length === 6);
  return pids;
}

function ours(): Promise<number[]> {
  try {
    return processesWith(NODE_VARIABLE, new Set([readFileSync(join(folder, 'node/node-id'), 'utf8').trim()]));
  } catch {
    return Promise.resolve([]);
  }
}

function childrenNamed(pid: number, name: string): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter(child => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(name));
}

async function until(condition: () => Promise<boolean>, deadline = 30_000): Promise<void> {
  const end = Date.now() + deadline;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('it did not come to that');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
