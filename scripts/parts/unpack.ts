/**
 * Brings a Debian package and whatever it needs that the system does not have, unpacked into the cache. Nothing on the system is
 * changed: no root, no installation, no service is started.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findOnPath } from '../peers/find.ts';
import { partFolder } from './find.ts';
import type { Part } from './table.ts';

export class UnpackFailed extends Error {}

/** Why packages cannot be brought on this machine; undefined where they can. */
export function whyNot(): string | undefined {
  const missing = ['apt-get', 'dpkg'].filter(program => findOnPath(program) === undefined);
  return missing.length === 0
    ? undefined
    : `there is no ${missing.join(' and no ')} here (Debian and Ubuntu have them)`;
}

/** The folder appears under its name when everything is in it. */
export function unpackPart(part: Part): void {
  const folder = partFolder(part);
  mkdirSync(dirname(folder), { recursive: true });
  const workshop = mkdtempSync(`${folder}-`);
  try {
    run('apt-get', ['download', ...neededPackages(part)], workshop);
    const root = join(workshop, 'root');
    mkdirSync(root);
    for (const file of readdirSync(workshop).filter(name => name.endsWith('.deb'))) {
      run('dpkg', ['-x', join(workshop, file), root], workshop);
    }
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    renameSync(root, folder);
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** The package and what would be installed with it: `apt-get` works that out without doing it. */
function neededPackages(part: Part): string[] {
  const plan = run('apt-get', ['install', '--simulate', '--no-install-recommends', part.package], '/');
  const packages = plan
    .split('\n')
    .map(line => /^Inst (\S+)/.exec(line)?.[1])
    .filter(name => name !== undefined);
  return packages.length > 0 ? packages : [part.package];
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  const why = error?.message ?? stderr.trim().split('\n').at(-1) ?? `it ended with ${status}`;
  throw new UnpackFailed(`${program} ${args.join(' ')}: ${why}`);
}
