import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { peerFolder } from './cache.ts';
import { peers } from './table.ts';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first program of that name on PATH. */
export function findOnPath(name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return (environment.PATH ?? '')
    .split(delimiter)
    .filter(folder => folder !== '')
    .map(folder => join(folder, name))
    .find(isProgram);
}

/**
 * The program of a peer: the one that `npm run peers` built, else one on PATH, else nothing.
 *
 * The built one goes first because its version is known; a distribution's kubectl may be years old.
 */
export function findPeer(name: string): string | undefined {
  const peer = peers.find(candidate => candidate.name === name);
  const built = peer && join(peerFolder(peer), peer.name);
  return built !== undefined && isProgram(built) ? built : findOnPath(name);
}
