import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLeashed } from './leash.ts';
import { until } from './until.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a program on a leash', () => {
  let folder: string;
  let log: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-leash-'));
    log = join(folder, 'log');
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** A program that writes its process id and then stays for as long as it is let. */
  const endless = ['sh', '-c', 'echo $$; exec sleep 1000'];
  const pidWhenWritten = async () => {
    await until('the program has written its id', () => readFileSync(log, 'utf8').includes('\n'));
    return Number(readFileSync(log, 'utf8'));
  };

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends on %s', async signal => {
    const program = startLeashed('sleep', endless, log);
    const pid = await pidWhenWritten();
    expect(program.exitCode()).toBeUndefined();
    await program.stop(signal);
    expect(isAlive(pid)).toBe(false);
  });

  it('says with which code it ended by itself, and its last words', async () => {
    const program = startLeashed('failing', ['sh', '-c', 'echo no such flag; exit 3'], log);
    await until('it is gone', () => program.exitCode() !== undefined);
    expect(program.exitCode()).toBe(3);
    expect(program.lastLines()).toBe('no such flag');
    await program.stop();
  });

  it('does not outlive the process that started it, even when that one is killed', async () => {
    const leash = new URL('leash.ts', import.meta.url).href;
    const leftovers = mkdtempSync(join(folder, 'leftovers-'));
    const owner = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { startLeashed } from ${JSON.stringify(leash)};
       startLeashed('sleep', ${JSON.stringify(endless)}, ${JSON.stringify(log)}, ${JSON.stringify(leftovers)});
       setInterval(() => {}, 1000);`,
    ]);
    await until('the program is started', () => {
      try {
        return readFileSync(log, 'utf8').includes('\n');
      } catch {
        return false;
      }
    });
    const pid = await pidWhenWritten();
    owner.kill('SIGKILL');
    await until('the program is gone with its owner', () => !isAlive(pid), { deadline: 10_000 });
    await until('its data is gone, too', () => !existsSync(leftovers), { deadline: 10_000 });
  });
});
