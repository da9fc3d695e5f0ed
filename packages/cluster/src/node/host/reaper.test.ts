import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NODE_VARIABLE, RUN_VARIABLE } from './left-behind.ts';
import { bootId, startTimeOf } from './proc.ts';
import { startReaper } from './reaper.ts';
import { RunningFiles } from './running-files.ts';

let folder: string;
const programs: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-reaper-'));
});
afterEach(() => {
  for (const program of programs.splice(0)) program.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function programOf(run: string): ChildProcess {
  const program = spawn('sleep', ['1000'], {
    env: { [NODE_VARIABLE]: 'the-same', [RUN_VARIABLE]: run },
    stdio: 'ignore',
  });
  programs.push(program);
  return program;
}

it.skipIf(process.platform !== 'linux')(
  'ends the processes in its files with their groups, marked or not',
  async () => {
    const files = new RunningFiles(folder);
    const group = spawn('sh', ['-c', 'sleep 1000 & echo begun; wait'], {
      detached: true,
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    programs.push(group);
    await once(group.stdout!, 'data');
    const pid = group.pid!;
    files.write({ containerId: 'c', pid, startTime: startTimeOf(pid)!, bootId: bootId(), podUid: 'u' });
    const reaper = startReaper(folder, `${process.pid}-unmarked`);
    reaper.stop();
    expect(await once(group, 'exit')).toEqual([null, 'SIGKILL']);
    // Its output is closed when the last of the group is gone, and not before.
    if (!group.stdout!.closed) await once(group.stdout!, 'close');
  },
);

it.skipIf(process.platform !== 'linux')('spares a process that has the number of one that is gone', async () => {
  const files = new RunningFiles(folder);
  const other = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  programs.push(other);
  await once(other, 'spawn');
  files.write({ containerId: 'c', pid: other.pid!, startTime: '1', bootId: bootId(), podUid: 'u' });
  // The files come before the marks: when this one has ended, they are through.
  const marked = programOf(`${process.pid}-mark`);
  await once(marked, 'spawn');
  startReaper(folder, `${process.pid}-mark`).stop();
  await once(marked, 'exit');
  expect([other.exitCode, other.signalCode]).toEqual([null, null]);
});

it.skipIf(process.platform !== 'linux')(
  'ends what its run left behind, and spares the run that came after it',
  async () => {
    const reaper = startReaper(folder, `${process.pid}-former`);
    // Looked at first, as its number is the smaller one.
    const next = programOf(`${process.pid}-next`);
    const former = programOf(`${process.pid}-former`);
    await Promise.all([once(next, 'spawn'), once(former, 'spawn')]);
    reaper.stop();
    expect(await once(former, 'exit')).toEqual([null, 'SIGKILL']);
    expect([next.exitCode, next.signalCode]).toEqual([null, null]);
  },
);
