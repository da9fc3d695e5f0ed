/** A lock that ends with the process, however that ends: SQLite's, on an empty file of its own. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface Lock {
  release(): void;
}

/** Undefined when another process has it. */
export function lockFile(file: string): Lock | undefined {
  closeSync(openSync(file, 'a', 0o600));
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
