import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));
let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-setup-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly child: ChildProcess;
  output(): string;
  readonly exit: Promise<number | null>;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Run {
  const child = spawn(process.execPath, args, { cwd: folder, env });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', data => {
      output += data;
    });
  }
  return { child, output: () => output, exit: new Promise(resolve => child.once('close', resolve)) };
}

/** Takes the lock, says so, lets `work` be done, and ends when it is told to. */
function holder(work = 'await new Promise(resolve => process.stdin.once("end", resolve).resume());'): Run {
  const script = `
    import { spawnSync } from 'node:child_process';
    const { takeSetupLock } = await import(${JSON.stringify(join(here, 'setup-lock.mjs'))});
    const lock = await takeSetupLock(${JSON.stringify(folder)}, () => console.log('waiting'));
    console.log('holding');
    ${work}
    lock.release();`;
  return run(['--input-type=module', '--eval', script]);
}

const says = (who: Run, text: string) => expect.poll(who.output, { timeout: 20_000 }).toContain(text);

describe('the lock of the set-up', () => {
  it('is one process’s; the next has it when that is done', async () => {
    const first = holder();
    await says(first, 'holding');
    const second = holder();
    await says(second, 'waiting');
    expect(second.output()).not.toContain('holding');
    first.child.stdin!.end();
    await says(second, 'holding');
    second.child.stdin!.end();
    expect([await first.exit, await second.exit]).toEqual([0, 0]);
  });

  it('ends with who has it, also by kill -9', async () => {
    const first = holder();
    await says(first, 'holding');
    const second = holder();
    await says(second, 'waiting');
    first.child.kill('SIGKILL');
    await says(second, 'holding');
  });

  it('lasts as long as a program that works for a killed one', async () => {
    const worker = `console.log('worker ' + process.pid); setInterval(() => {}, 1000);`;
    const first = holder(
      `spawnSync(process.execPath, ['--eval', ${JSON.stringify(worker)}], { stdio: ['inherit', 'inherit', 'inherit', lock.fd] });`,
    );
    await says(first, 'worker ');
    const second = holder();
    await says(second, 'waiting');
    const pid = Number(/worker (\d+)/.exec(first.output())![1]);
    process.kill(first.child.pid!, 'SIGKILL');
    await expect.poll(() => first.child.signalCode, { timeout: 20_000 }).toBe('SIGKILL');
    process.kill(pid, 0); // it goes on by itself
    expect(second.output()).not.toContain('holding');
    process.kill(pid, 'SIGKILL');
    await says(second, 'holding');
  });
});

describe('two set-ups of one clone at the same time', () => {
  it('install once, and both are done afterwards', async () => {
    mkdirSync(join(folder, 'scripts'));
    mkdirSync(join(folder, 'packages'));
    for (const name of ['setup.mjs', 'setup-lock.mjs']) cpSync(join(here, name), join(folder, 'scripts', name));
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    // Stands in for npm: says when it begins and ends, and takes its time in between.
    writeFileSync(
      join(folder, 'npm.mjs'),
      `import { appendFileSync, mkdirSync } from 'node:fs';
       appendFileSync('log', 'begin ');
       await new Promise(resolve => setTimeout(resolve, 300));
       mkdirSync('node_modules', { recursive: true });
       appendFileSync('log', 'end ');`,
    );
    const env = { ...process.env, npm_execpath: join(folder, 'npm.mjs') };
    const runs = [1, 2, 3].map(() => run(['scripts/setup.mjs'], env));
    expect(await Promise.all(runs.map(({ exit }) => exit))).toEqual([0, 0, 0]);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('begin end ');
    expect(await run(['scripts/setup.mjs'], env).exit).toBe(0);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('begin end ');
  });
});
