/**
 * A root without an overlay, for users who may not mount one: an empty directory into which the directories of the machine are bound. Where a volume
 * goes below one of them, that directory is made anew, full of links to what it holds on the machine, so that there is a place for the volume.
 */
import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Where the directories that were made anew can still be found, whole. */
const ORIGINALS = '/.capstan';

export type Entry =
  | { readonly name: string; readonly type: 'directory' | 'file' }
  | { readonly name: string; readonly type: 'link'; readonly to: string };

/** The entries of a directory of the machine; none where there is no such directory. */
export type ListDirectory = (path: string) => readonly Entry[];

export interface Skeleton {
  readonly directories: readonly string[];
  readonly links: readonly { readonly path: string; readonly to: string }[];
  readonly binds: readonly { readonly source: string; readonly target: string }[];
}

/** What has to be there for volumes at these paths. Pure but for `list`. */
export function planSkeleton(targets: readonly string[], list: ListDirectory): Skeleton {
  const directories: string[] = [];
  const links: { path: string; to: string }[] = [];
  const binds: { source: string; target: string }[] = [];
  const isTarget = new Set(targets);
  const leadsToTarget = (path: string): boolean => targets.some(target => target.startsWith(`${path}/`));

  const walk = (folder: string): void => {
    const entries = list(folder === '' ? '/' : folder);
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (isTarget.has(path) || leadsToTarget(path)) continue;
      if (entry.type === 'link') links.push({ path, to: entry.to });
      else if (folder !== '') links.push({ path, to: `${ORIGINALS}${path}` });
      else if (entry.type === 'directory') binds.push({ source: path, target: path });
    }
    const depth = folder.split('/').length;
    const onTheWay = new Set(
      targets
        .filter(target => target.startsWith(`${folder}/`))
        .map(target =>
          target
            .split('/')
            .slice(0, depth + 1)
            .join('/'),
        ),
    );
    for (const path of onTheWay) {
      if (isTarget.has(path)) continue;
      directories.push(path);
      const isThere = entries.some(({ name, type }) => `${folder}/${name}` === path && type === 'directory');
      if (folder === '' && isThere) binds.push({ source: path, target: `${ORIGINALS}${path}` });
      walk(path);
    }
  };
  walk('');
  return { directories, links, binds };
}

export function makeSkeleton(root: string, { directories, links }: Skeleton): void {
  for (const path of directories) mkdirSync(join(root, path), { recursive: true });
  for (const { path, to } of links) symlinkSync(to, join(root, path));
}

export const listMachine: ListDirectory = path => {
  try {
    return readdirSync(path, { withFileTypes: true }).map((entry): Entry => {
      if (entry.isSymbolicLink()) return { name: entry.name, type: 'link', to: readlinkSync(join(path, entry.name)) };
      return { name: entry.name, type: entry.isDirectory() ? 'directory' : 'file' };
    });
  } catch {
    return [];
  }
};
