/** The README's first five minutes, typed as they stand there, with every kubectl of this machine. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { availableKubectls } from '../kubectl/kubectls.ts';
import { requirePeers } from '../real/require-peers.ts';
import { until } from '../real/until.ts';
import { type CapstanProgram, npmStart, RUNNING, repository } from './capstan-program.ts';
import { type Step, timeless, transcriptOf } from './transcript.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-first-'));
let capstan: CapstanProgram | undefined;
afterEach(async () => {
  capstan?.signal('SIGTERM');
  await capstan?.exit;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const steps = transcriptOf(readFileSync(join(repository, 'README.md'), 'utf8'), 'First five minutes');

it('a kubectl is there to try', context => requirePeers(context, ['kubectl']));

describe.each(availableKubectls())('the first five minutes of the README, with kubectl $version', kubectl => {
  it('go as they are written', async () => {
    const place = join(folder, kubectl.version);
    mkdirSync(join(place, 'bin'), { recursive: true });
    symlinkSync(kubectl.path, join(place, 'bin/kubectl'));
    capstan = npmStart(join(place, '.capstan'));
    await capstan.until(RUNNING);
    const exports: string[] = [];
    for (const step of steps) {
      if (step.command.startsWith('export ')) exports.push(step.command);
      else await follows(step, kubectl.minor, () => type(step, place, exports));
    }
  });
});

/** Without a readiness probe, a Pod counts as ready before it listens: whoever is refused asks again, as a person would. */
async function follows(step: Step, minor: number, attempt: () => Promise<string>): Promise<void> {
  let heard = timeless(await attempt());
  if (step.command.startsWith('curl')) {
    await until('the Pod answers', async () => (heard ||= timeless(await attempt())) !== '');
  }
  expect([step.command, heard]).toEqual([step.command, said(step, minor)]);
}

/** Older ones say which namespace they deleted from only where it was named. */
function said({ says }: Step, minor: number): string {
  return timeless(minor < 34 ? says.replaceAll(' from default namespace', '') : says);
}

/** What a shell in that folder says to the command. One that does not end by itself is ended once it has said what it should. */
function type({ command, says, interrupted }: Step, place: string, exports: readonly string[]): Promise<string> {
  const env = { PATH: `${join(place, 'bin')}:${process.env['PATH']}`, HOME: place };
  const shell = spawn('bash', ['-c', [...exports, command].join('\n')], { cwd: place, env, detached: true });
  let output = '';
  return new Promise(resolve => {
    const heard = (text: Buffer): void => {
      output += text;
      if (interrupted && timeless(output).includes(timeless(says))) process.kill(-shell.pid!, 'SIGINT');
    };
    shell.stdout.on('data', heard);
    // The progress of curl is for people.
    shell.stderr.on('data', text => command.startsWith('curl') || heard(text));
    shell.once('close', () => resolve(output));
  });
}
