/** Files that are there whole or not at all, whatever ends the process or the machine, and that only their owner can read. */
import { chmodSync, closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export function writeWhole(file: string, text: string): void {
  const draft = `${file}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  chmodSync(draft, 0o600);
  moveWhole(draft, file);
}

/** Gives a file (or folder) that is complete the name it is looked for under. */
export function moveWhole(from: string, to: string): void {
  toDisk(from);
  renameSync(from, to);
  toDisk(dirname(to));
}

/** What a file holds, or which names a folder has, is on disk when this returns. */
export function toDisk(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
