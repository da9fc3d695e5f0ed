/**
 * A directory of files that changes all at once: the files lie in a directory with a time in its name, `..data` is a link to it, and each
 * visible name is a link through `..data`. An update writes a new directory and renames a new link over the old one, so that a reader sees the
 * state before or after and never half of each.
 */
import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VolumeFiles } from './volume-files.ts';

const DATA = '..data';
const DATA_DRAFT = '..data_tmp';

/** Writes what is not there yet; false where nothing had to change. `version` tells this state from others. */
export async function writeAtomically(folder: string, files: VolumeFiles, version: string): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  const before = await readlink(join(folder, DATA)).catch(() => undefined);
  if (before !== undefined && (await holds(join(folder, before), files))) return false;
  const fresh = `..${version}`;
  await rm(join(folder, fresh), { recursive: true, force: true });
  for (const [path, { content, mode }] of files) {
    const file = join(folder, fresh, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    // Not as a parameter of the writing: the umask of this process is none of the volume's business.
    await chmod(file, mode);
  }
  await mkdir(join(folder, fresh), { recursive: true });
  await rm(join(folder, DATA_DRAFT), { force: true });
  await symlink(fresh, join(folder, DATA_DRAFT));
  await rename(join(folder, DATA_DRAFT), join(folder, DATA));
  await showTopNames(folder, files);
  if (before !== undefined && before !== fresh) await rm(join(folder, before), { recursive: true, force: true });
  return true;
}

async function showTopNames(folder: string, files: VolumeFiles): Promise<void> {
  const wanted = new Set(Array.from(files.keys(), path => path.split('/')[0]!));
  for (const name of wanted) {
    const isThere = await lstat(join(folder, name)).then(
      () => true,
      () => false,
    );
    if (!isThere) await symlink(join(DATA, name), join(folder, name));
  }
  for (const name of await readdir(folder)) {
    if (!name.startsWith('..') && !wanted.has(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function holds(folder: string, files: VolumeFiles): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.filter(entry => !entry.isDirectory()).length !== files.size) return false;
  for (const [path, { content }] of files) {
    const there = await readFile(join(folder, path)).catch(() => undefined);
    if (there === undefined || !there.equals(content)) return false;
  }
  return true;
}
