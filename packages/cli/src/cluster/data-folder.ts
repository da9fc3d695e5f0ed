/** What a run leaves in the data folder: the objects, the certificate authority, who may come in, and the kubeconfig. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FileLock, lockFile } from '@capstan/apiserver';
import { finishRestore } from '../restore/switch-over.ts';
import { writeWhole } from './write-whole.ts';

export interface DataFolder {
  readonly path: string;
  readonly objects: string;
  readonly kubeconfig: string;
  read(name: PrivateFile): string | undefined;
  /** Written whole or not at all, and readable by its owner only. */
  write(name: PrivateFile, text: string): void;
  /** Lets another Capstan have it. */
  release(): void;
}

const PRIVATE_FILES = ['ca.crt', 'ca.key', 'service-account.key', 'tokens.json', 'kubeconfig'] as const;

export type PrivateFile = (typeof PRIVATE_FILES)[number];

/** Everything that a fresh start forgets; other files in the folder are none of ours. */
export const OURS = ['objects.db', 'objects.db-wal', 'objects.db-shm', ...PRIVATE_FILES];

export function folderPath(folder: string): string {
  if (folder === '') throw new Error('--data is empty: name a folder, or leave it out for .capstan.');
  return resolve(folder);
}

/** Takes the folder for this process, before anything in it is read or forgotten. */
export function openDataFolder(folder: string, fresh: boolean): DataFolder {
  const path = folderPath(folder);
  const lock = makeAndLock(path);
  if (!lock) {
    throw new Error(
      `the data folder ${path} is in use by another Capstan. Stop that one, or choose another folder with --data.`,
    );
  }
  try {
    finishRestore(path);
    if (fresh) for (const name of OURS) rmSync(join(path, name), { force: true });
  } catch (error) {
    lock.release();
    throw unusable(path, error);
  }
  return folderAt(path, lock.release);
}

/** The files of a folder, whoever has it. */
export function folderAt(path: string, release: () => void): DataFolder {
  const file = (name: string): string => join(path, name);
  return {
    path,
    objects: file('objects.db'),
    kubeconfig: file('kubeconfig'),
    read(name) {
      try {
        return existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined;
      } catch (error) {
        throw unusable(file(name), error);
      }
    },
    write(name, text) {
      try {
        writeWhole(file(name), text);
      } catch (error) {
        throw unusable(file(name), error);
      }
    },
    release,
  };
}

/** Undefined where another process has the folder. */
function makeAndLock(path: string): FileLock | undefined {
  try {
    makeFolder(path);
    return lockFolder(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Level by level: where the system refuses one, as below /proc, Node's own recursion never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Undefined where another process has the folder, which must be there. */
export const lockFolder = (path: string): FileLock | undefined => lockFile(join(path, 'lock.db'));

/** What to say, and what to do, when files in the data folder cannot be read or written. */
export const unusable = (path: string, error: unknown): Error =>
  new Error(
    `cannot use ${path}: ${(error as Error).message}. Check that it is writable and has space, or choose another folder with --data.`,
  );
