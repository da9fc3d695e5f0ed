/** Programs of the outside world that people and systems use with the cluster: whether this machine has them. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const PROGRAMS = ['kubectl', 'caddy', 'mosquitto', 'redis-server'] as const;

export interface FoundProgram {
  readonly name: string;
  /** Undefined where there is none. */
  readonly path: string | undefined;
}

/** On PATH, or where `npm run parts` unpacks them. */
export function foundPrograms(environment: NodeJS.ProcessEnv = process.env): FoundProgram[] {
  const cache =
    environment['CAPSTAN_CACHE'] || join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'capstan');
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  return PROGRAMS.map(name => {
    const unpacked = ['usr/bin', 'usr/sbin'].map(bin => join(cache, 'parts', name, bin));
    return { name, path: [...folders, ...unpacked].map(folder => join(folder, name)).find(isProgram) };
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** One line: what was found, and how to get the rest. */
export function programsText(programs: readonly FoundProgram[]): string {
  const found = programs.filter(({ path }) => path !== undefined).map(({ path }) => path);
  const missing = programs.filter(({ path }) => path === undefined).map(({ name }) => name);
  const rest = missing.length === 0 ? '' : `not found: ${missing.join(', ')} ("npm run parts" brings them)`;
  return [...found, rest].filter(text => text !== '').join(', ');
}
