import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cacheFolder } from './cache.ts';
import { findGo, runGo } from './go.ts';

/**
 * Builds a Go program whose sources are part of this repository, and returns its path; nothing where there is no Go.
 *
 * The name in the cache carries a hash of the sources: an edited program is built again, an unchanged one is not.
 */
export async function buildGoProgram(folder: string): Promise<string | undefined> {
  const name = basename(folder);
  const target = join(cacheFolder(), 'programs', `${name}-${sourceHash(folder)}`);
  if (existsSync(target)) return target;
  const go = findGo();
  if (go.state === 'missing') return undefined;
  mkdirSync(join(cacheFolder(), 'programs'), { recursive: true });
  const unfinished = `${target}.building-${process.pid}`;
  await runGo(go.program, ['build', '-mod=readonly', '-trimpath', '-ldflags', '-s -w', '-o', unfinished, '.'], folder);
  renameSync(unfinished, target);
  return target;
}

function sourceHash(folder: string): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort()) {
    if (!/\.go$|^go\.(mod|sum)$/.test(file)) continue;
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
