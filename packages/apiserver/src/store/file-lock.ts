/** A lock that ends with the process, however that ends: SQLite's, on an empty file of its own. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock {
  release(): void;
}

/** Undefined when someone else has it, in this process or another. */
export function lockFile(file: string): FileLock | undefined {
  makePrivate(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (error) {
    database.close();
    if ((error as Error).message.includes('locked')) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/**
 * Makes an empty file for its owner only, where there is none. One that is there is not even opened: closing it would end the
 * locks that this process has on it, as POSIX has it.
 */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
