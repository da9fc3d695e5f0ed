/** What makes a cluster the same one, besides its objects. */
import type { DataFolder, PrivateFile } from '../cluster/data-folder.ts';

/**
 * The authority that clients trust, the key that tokens of service accounts are signed with, and the hashes that tokens of people
 * are known by. Not the kubeconfig: the tokens themselves stay with who has them.
 */
const FILES = ['ca.crt', 'ca.key', 'service-account.key', 'tokens.json'] as const satisfies readonly PrivateFile[];

export type RestoredFiles = Readonly<Record<(typeof FILES)[number], string>>;

export function filesToBackUp(folder: DataFolder): RestoredFiles {
  return collect(name => {
    const text = folder.read(name);
    if (text !== undefined) return text;
    throw new Error(`${folder.path} has no ${name}: start the cluster once ("capstan cluster"), then back it up.`);
  });
}

/** Those of a backup, and none but these: what else a file calls itself is not written anywhere. */
export function filesToRestore(files: Readonly<Record<string, string>>): RestoredFiles {
  return collect(name => {
    const text = files[name];
    if (text !== undefined) return text;
    throw new Error(`the backup has no ${name}: it is not one of a data folder. Use another backup.`);
  });
}

const collect = (read: (name: (typeof FILES)[number]) => string): RestoredFiles =>
  Object.fromEntries(FILES.map(name => [name, read(name)])) as RestoredFiles;
