import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { delimiter } from 'node:path';
import { findUnpacked } from '../../scripts/parts/find.ts';
import { findOnPath, findPeer } from '../../scripts/peers/find.ts';

/** A stock kubectl of this machine. */
export interface KubectlProgram {
  readonly path: string;
  /** `v1.37.1`. */
  readonly version: string;
  /** 37. */
  readonly minor: number;
}

/**
 * The one that `npm run peers` built, the distribution's that `npm run parts -- kubectl` unpacked, the one on PATH, and those of
 * `CAPSTAN_KUBECTL` (paths); each version once.
 */
export function availableKubectls(environment: NodeJS.ProcessEnv = process.env): KubectlProgram[] {
  const named = (environment['CAPSTAN_KUBECTL'] ?? '').split(delimiter).filter(path => path !== '');
  const candidates = [findPeer('kubectl'), findUnpacked('kubectl')?.program, findOnPath('kubectl'), ...named].filter(
    path => path !== undefined,
  );
  const found = new Map<string, KubectlProgram>();
  for (const path of new Set(candidates.map(candidate => realpathSync(candidate)))) {
    const program = describeProgram(path);
    if (!found.has(program.version)) found.set(program.version, program);
  }
  return [...found.values()].sort((a, b) => a.minor - b.minor);
}

function describeProgram(path: string): KubectlProgram {
  const output = execFileSync(path, ['version', '--client', '--output=json'], { encoding: 'utf8' });
  const version = (JSON.parse(output) as { clientVersion: { gitVersion: string } }).clientVersion.gitVersion;
  return { path, version, minor: Number(version.split('.')[1]) };
}
