/** What a run leaves in the data folder: the objects, the certificate authority, who may come in, and the kubeconfig. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Lock, lockFile } from './lock.ts';

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
const OURS = ['objects.db', 'objects.db-wal', 'objects.db-shm', ...PRIVATE_FILES];

/** Takes the folder for this process, before anything in it is read or forgotten. */
export function openDataFolder(folder: string, fresh: boolean): DataFolder {
  if (folder === '') throw new Error('--data is empty: name a folder, or leave it out for .capstan.');
  const path = resolve(folder);
  const file = (name: string): string => join(path, name);
  const lock = take(path, file('lock.db'));
  try {
    if (fresh) for (const name of OURS) rmSync(file(name), { force: true });
  } catch (error) {
    lock.release();
    throw unusable(path, error);
  }
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
      const draft = file(`${name}.new`);
      try {
        writeFileSync(draft, text, { mode: 0o600 });
        chmodSync(draft, 0o600);
        renameSync(draft, file(name));
      } catch (error) {
        throw unusable(file(name), error);
      }
    },
    release: lock.release,
  };
}

function take(path: string, file: string): Lock {
  try {
    // One level where the parent is there: below /proc and its like, making the levels above never ends.
    if (!existsSync(path)) mkdirSync(path, { recursive: !existsSync(dirname(path)), mode: 0o700 });
    const lock = lockFile(file);
    if (lock) return lock;
  } catch (error) {
    throw unusable(path, error);
  }
  throw new Error(
    `the data folder ${path} is in use by another Capstan. Stop that one, or choose another folder with --data.`,
  );
}

const unusable = (path: string, error: unknown): Error =>
  new Error(
    `cannot use ${path}: ${(error as Error).message}. Check that it is writable and has space, or choose another folder with --data.`,
  );
