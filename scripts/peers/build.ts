import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peerFolder } from './cache.ts';
import { GoFailed, runGo } from './go.ts';
import { linkerFlags, moduleFile } from './module-file.ts';
import type { Peer } from './table.ts';

/** How far a build is; `total` counts packages that Go may still have in its own cache, so it is an upper bound. */
export type Progress = (compiled: number, total: number) => void;

const recipe = (peer: Peer): string => JSON.stringify(peer, null, 2);

/** Whether the peer in the cache is the one that the table describes. */
export function isBuilt(peer: Peer): boolean {
  const folder = peerFolder(peer);
  const made = join(folder, 'recipe.json');
  return existsSync(join(folder, peer.name)) && existsSync(made) && readFileSync(made, 'utf8') === recipe(peer);
}

/**
 * Builds one peer into the cache. The program appears under its name by a rename, when it is whole: a build that is
 * stopped half way leaves nothing that could be taken for a program, and two builds at once do no harm.
 */
export async function buildPeer(go: string, peer: Peer, progress: Progress): Promise<void> {
  const folder = peerFolder(peer);
  const workshop = join(folder, `building-${process.pid}`);
  mkdirSync(workshop, { recursive: true });
  try {
    await fetchModule(go, peer, workshop);
    const dependencies = await runGo(go, ['list', '-deps', peer.mainPackage], workshop);
    let compiled = 0;
    const output = join(workshop, 'program');
    const args = ['build', '-v', '-trimpath', '-ldflags', linkerFlags(peer), '-o', output, peer.mainPackage];
    await runGo(go, args, workshop, () => progress(++compiled, dependencies.length));
    renameSync(output, join(folder, peer.name));
    writeFileSync(join(folder, 'recipe.json'), recipe(peer));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Downloads the peer's module and writes the go.mod and go.sum that it is built with. */
async function fetchModule(go: string, peer: Peer, workshop: string): Promise<void> {
  writeFileSync(join(workshop, 'go.mod'), 'module capstan.invalid/peers\n');
  const answer = await runGo(go, ['mod', 'download', '-json', `${peer.module}@${peer.version}`], workshop);
  const module = JSON.parse(answer.join('\n')) as { Dir?: string; Error?: string };
  if (module.Dir === undefined) throw new GoFailed(['mod', 'download'], [module.Error ?? 'no folder in the answer']);
  writeFileSync(join(workshop, 'go.mod'), moduleFile(peer, readFileSync(join(module.Dir, 'go.mod'), 'utf8')));
  // The release's own checksums go first; what they do not cover (the siblings) Go asks the checksum database for.
  copyFileSync(join(module.Dir, 'go.sum'), join(workshop, 'go.sum'));
}
