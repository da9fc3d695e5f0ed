/** Reads a chart from a folder, with .helmignore. Symbolic links are followed, as Helm follows them. */

import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { HelmError } from '../errors.ts';
import { type Allowance, withoutMark } from './archive.ts';
import type { ChartFile } from './chart.ts';
import { type Ignore, parseIgnore } from './ignore.ts';

export async function readDirectory(folder: string, allowance: Allowance): Promise<ChartFile[]> {
  const ignore = await readIgnore(folder);
  const files: ChartFile[] = [];
  await walk({ root: folder, ignore, allowance, files }, '', []);
  return files;
}

async function readIgnore(folder: string): Promise<Ignore> {
  try {
    return parseIgnore(await readFile(join(folder, '.helmignore'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return parseIgnore('');
    throw error;
  }
}

interface Walk {
  readonly root: string;
  readonly ignore: Ignore;
  readonly allowance: Allowance;
  readonly files: ChartFile[];
}

/** `above` holds the real paths of the folders we are in: a link back to one of them would never end. */
async function walk(state: Walk, folder: string, above: readonly string[]): Promise<void> {
  const here = await realpath(join(state.root, folder));
  if (above.includes(here)) {
    throw new HelmError('ChartInvalid', `chart contains a symbolic link to a folder it is in: ${folder}`);
  }
  const names = (await readdir(join(state.root, folder))).sort(byBytes);
  for (const entry of names) {
    const name = folder === '' ? entry : `${folder}/${entry}`;
    const path = join(state.root, name);
    const target = (await lstat(path)).isSymbolicLink() ? await realpath(path) : path;
    const info = await lstat(target);
    if (state.ignore(name, info.isDirectory())) continue;
    if (info.isDirectory()) {
      state.allowance.take(0);
      await walk(state, name, [...above, here]);
      continue;
    }
    if (!info.isFile()) {
      throw new HelmError('ChartInvalid', `cannot load irregular file ${path} as it has file mode type bits set`);
    }
    state.allowance.take(info.size);
    const data = await readFile(target);
    state.files.push({ name, data: withoutMark(data), modTime: info.mtime.toISOString() });
  }
}

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
