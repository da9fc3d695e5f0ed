import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NODE_VARIABLE, RUN_VARIABLE } from './left-behind.ts';
import { startReaper } from './reaper.ts';

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
