/** What a run leaves in the data folder: the objects, the certificate authority, who may come in, and the kubeconfig. */
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface DataFolder {
  readonly path: string;
  readonly objects: string;
  readonly kubeconfig: string;
  read(name: PrivateFile): string | undefined;
  /** Written whole or not at all, and readable by its owner only. */
  write(name: PrivateFile, text: string): void;
}

const PRIVATE_FILES = ['ca.crt', 'ca.key', 'service-account.key', 'tokens.json', 'kubeconfig'] as const;

export type PrivateFile = (typeof PRIVATE_FILES)[number];

/** Everything that a fresh start forgets; other files in the folder are none of ours. */
const OURS = ['objects.db', 'objects.db-wal', 'objects.db-shm', ...PRIVATE_FILES];

export function openDataFolder(folder: string, fresh: boolean): DataFolder {
  const path = resolve(folder);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (fresh) for (const name of OURS) rmSync(join(path, name), { force: true });
  } catch (error) {
    throw new Error(`cannot use the data folder ${path}: ${(error as Error).message}. Choose another one with --data.`);
  }
  const file = (name: string): string => join(path, name);
  return {
    path,
    objects: file('objects.db'),
    kubeconfig: file('kubeconfig'),
    read: name => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined),
    write(name, text) {
      const draft = file(`${name}.new`);
      writeFileSync(draft, text, { mode: 0o600 });
      chmodSync(draft, 0o600);
      renameSync(draft, file(name));
    },
  };
}
