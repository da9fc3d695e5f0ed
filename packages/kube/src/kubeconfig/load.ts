import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Kubeconfig } from './document.ts';
import { KubeconfigError } from './errors.ts';
import { parseKubeconfig } from './parse.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadOptions {
  /** This file and no other. It has to be there. */
  readonly path?: string | undefined;
  /** Default: `process.env`. */
  readonly environment?: Environment;
}

/**
 * Reads the kubeconfig as kubectl does: the file that is named; else those in `KUBECONFIG`, merged; else `~/.kube/config`.
 * Of the files in `KUBECONFIG` some may be missing, but not all.
 */
export async function loadKubeconfig(options: LoadOptions = {}): Promise<Kubeconfig> {
  const files = kubeconfigFiles(options);
  const found: Kubeconfig[] = [];
  for (const file of files) {
    const text = await readIfThere(file);
    if (text !== undefined) found.push(await parseKubeconfig(text, file));
  }
  if (found.length > 0) return mergeKubeconfigs(found);
  const hint = options.path === undefined ? '; set KUBECONFIG or name a file' : '';
  throw new KubeconfigError('KUBECONFIG_MISSING', `no kubeconfig: ${files.join(', ')} does not exist${hint}`, {
    file: files[0],
  });
}

/** Where to look, in order of precedence; absolute paths, each once. */
export function kubeconfigFiles({ path, environment = process.env }: LoadOptions = {}): string[] {
  if (path !== undefined) return [resolve(path)];
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter(part => part !== '');
  if (listed.length > 0) return [...new Set(listed.map(part => resolve(part)))];
  return [join(environment['HOME'] || homedir(), '.kube', 'config')];
}

/**
 * Merges several kubeconfigs: of entries with one name the first counts, whole; nothing of the later ones is mixed in. The
 * current context is the first that is set.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = configs.toReversed();
  return {
    currentContext: configs.find(config => config.currentContext !== undefined)?.currentContext,
    contexts: Object.assign({}, ...first.map(config => config.contexts)),
    clusters: Object.assign({}, ...first.map(config => config.clusters)),
    users: Object.assign({}, ...first.map(config => config.users)),
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new KubeconfigError('KUBECONFIG_UNREADABLE', `the kubeconfig ${file} cannot be read: ${reason(error)}`, {
      file,
      cause: error,
    });
  }
}

/** Why a file could not be read, in words. */
export function reason(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'it does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a directory';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
