import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from '../peers/cache.ts';
import { findOnPath } from '../peers/find.ts';
import { type Part, parts } from './table.ts';

export interface FoundPart {
  readonly program: string;
  /** What the program needs in its environment: where its libraries are. */
  readonly environment: Readonly<Record<string, string>>;
}

export const partFolder = (part: Part): string => join(cacheFolder(), 'parts', part.name);

/** The program that `npm run parts` unpacked. */
export function findUnpacked(name: string): FoundPart | undefined {
  const part = parts.find(candidate => candidate.name === name);
  const folder = part && partFolder(part);
  if (folder === undefined) return undefined;
  const program = ['usr/bin', 'usr/sbin', 'bin', 'sbin'].map(bin => join(folder, bin, name)).find(existsSync);
  return program === undefined ? undefined : { program, environment: libraries(folder) };
}

/** The program of a part: the one on PATH, else the unpacked one, else nothing. */
export function findPart(name: string): FoundPart | undefined {
  const program = findOnPath(name);
  return program === undefined ? findUnpacked(name) : { program, environment: {} };
}

/** `usr/lib/x86_64-linux-gnu` and its like. */
function libraries(folder: string): Record<string, string> {
  const roots = ['usr/lib', 'lib'].map(lib => join(folder, lib)).filter(existsSync);
  const folders = roots.flatMap(root =>
    readdirSync(root)
      .filter(name => name.includes('-linux-'))
      .map(name => join(root, name)),
  );
  return folders.length === 0 ? {} : { LD_LIBRARY_PATH: folders.join(delimiter) };
}
