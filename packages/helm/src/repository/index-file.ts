/** `index.yaml` of an HTTP repository, and how a version is chosen from it. */

import {
  compareVersions,
  GoMap,
  GoSlice,
  parseConstraint,
  parseVersion,
  parseYaml,
  type Value,
  type Version,
} from '@capstan/gotemplate';
import { HelmError } from '../errors.ts';

export interface IndexEntry {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  readonly description: string;
  /** Absolute, or relative to the repository. */
  readonly urls: readonly string[];
  /** `sha256` of the archive in hexadecimal; empty where the repository does not say. */
  readonly digest: string;
  readonly deprecated: boolean;
}

/** Entries by chart name, newest version first. */
export type RepositoryIndex = ReadonlyMap<string, readonly IndexEntry[]>;

/** Reads an index. Entries without a usable version or address are left out, as Helm leaves them out. */
export function parseIndex(text: string): RepositoryIndex {
  const root = readRoot(text);
  const entries = root.get('entries') ?? new GoMap();
  if (!root.get('apiVersion')) throw new HelmError('DownloadFailed', 'no API version specified');
  const index = new Map<string, readonly IndexEntry[]>();
  if (!(entries instanceof GoMap)) throw new HelmError('DownloadFailed', 'the entries of the index are no mapping');
  for (const name of entries.keys()) {
    const versions = entries.get(name);
    if (!(versions instanceof GoSlice)) continue;
    const read = versions.items.map(readEntry).filter(entry => entry !== undefined);
    index.set(name, sortedVersions(read));
  }
  return index;
}

function readRoot(text: string): GoMap {
  if (text.trim() === '') throw new HelmError('DownloadFailed', 'empty index.yaml file');
  try {
    const root = parseYaml(text);
    if (root instanceof GoMap) return root;
  } catch (error) {
    throw new HelmError('DownloadFailed', `index.yaml cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new HelmError('DownloadFailed', 'index.yaml is no mapping');
}

function readEntry(item: Value): IndexEntry | undefined {
  if (!(item instanceof GoMap)) return undefined;
  const text = (key: string): string => {
    const value = item.get(key) ?? '';
    return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
  };
  const urls = item.get('urls');
  const addresses = urls instanceof GoSlice ? urls.items.filter(url => typeof url === 'string') : [];
  if (text('name') === '' || addresses.length === 0 || !versionOf(text('version'))) return undefined;
  return {
    name: text('name'),
    version: text('version'),
    appVersion: text('appVersion'),
    description: text('description'),
    urls: addresses,
    digest: text('digest').replace(/^sha256:/, ''),
    deprecated: item.get('deprecated') === true,
  };
}

export function versionOf(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch {
    return undefined;
  }
}

function sortedVersions(entries: readonly IndexEntry[]): IndexEntry[] {
  const parsed = entries.map(entry => ({ entry, version: versionOf(entry.version)! }));
  return parsed.sort((left, right) => compareVersions(right.version, left.version)).map(({ entry }) => entry);
}

/**
 * The newest version in a range, by Masterminds' rules: without a range no pre-release; an exact version is taken as it is.
 */
export function chooseVersion<T extends { readonly version: string }>(
  versions: readonly T[],
  range: string,
): T | undefined {
  const exact = versions.find(each => each.version === range);
  if (exact) return exact;
  const fits = parseConstraint(range === '' ? '*' : range);
  return versions.find(each => {
    const version = versionOf(each.version);
    return version !== undefined && fits(version);
  });
}

export function findEntry(index: RepositoryIndex, name: string, range: string): IndexEntry {
  const entries = index.get(name);
  if (!entries) throw new HelmError('NotFound', `chart ${JSON.stringify(name)} not found in the repository`);
  const found = chooseVersion(entries, range);
  if (!found) throw new HelmError('NotFound', `no chart version found for ${name}-${range}`);
  return found;
}
