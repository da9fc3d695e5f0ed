/**
 * How several files become others all at once: the new ones are gathered in a folder beside, which then gets a name that says
 * that it is complete. That moment decides. Whoever takes the data folder next, this process or after a crash another one, moves
 * them to their places.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveWhole, toDisk } from '../cluster/write-whole.ts';

const gathering = (folder: string): string => join(folder, 'restore.gathering');
const complete = (folder: string): string => join(folder, 'restore.complete');

/** A restore of this folder is under way, or was cut short. */
export const isBeingRestored = (folder: string): boolean =>
  existsSync(gathering(folder)) || existsSync(complete(folder));

/** Replaces the cluster in the folder by what `gather` writes into the folder it is given. The caller has the folder's lock. */
export function switchOver(folder: string, gather: (into: string) => void): void {
  finishRestore(folder);
  const into = gathering(folder);
  mkdirSync(into, { mode: 0o700 });
  gather(into);
  for (const name of readdirSync(into)) toDisk(join(into, name));
  moveWhole(into, complete(folder));
  finishRestore(folder);
}

/** Ends what was cut short: forwards where everything had been gathered, backwards where it had not. */
export function finishRestore(folder: string): void {
  rmSync(gathering(folder), { recursive: true, force: true });
  const from = complete(folder);
  if (!existsSync(from)) return;
  // What the old data file had not taken in yet must not be taken for the new one's: first, while that is not in place.
  if (existsSync(join(from, 'objects.db'))) {
    for (const end of ['-wal', '-shm']) rmSync(join(folder, `objects.db${end}`), { force: true });
  }
  for (const name of readdirSync(from)) renameSync(join(from, name), join(folder, name));
  toDisk(folder);
  rmdirSync(from);
}
