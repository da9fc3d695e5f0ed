import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Peer } from './table.ts';

/**
 * Where built programs live: outside the repository, so that all clones on a machine share one slow build.
 * `CAPSTAN_CACHE` moves it.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.CAPSTAN_CACHE) return environment.CAPSTAN_CACHE;
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'capstan');
}

/** The folder of one peer; the program in it carries the peer's name. */
export const peerFolder = (peer: Peer): string => join(cacheFolder(), 'peers', `${peer.name}-${peer.version}`);
