/** `capstan backup`: a cluster in one file, while it runs or while it is stopped. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type BackupFacts, backUpStore } from '@capstan/apiserver';
import { systemClock } from '@capstan/kube';
import { type DataFolder, folderAt, folderPath, lockFolder } from '../cluster/data-folder.ts';
import { moveWhole } from '../cluster/write-whole.ts';
import { filesToBackUp } from '../restore/restored-files.ts';
import { finishRestore, isBeingRestored } from '../restore/switch-over.ts';

export interface BackupOptions {
  readonly data: string;
}

export async function backup(file: string, options: BackupOptions): Promise<void> {
  const { revision } = await writeBackup(file, options.data);
  console.log(
    `${resolve(file)} is a backup of ${folderPath(options.data)} at version ${revision}, checked and complete.`,
  );
}

/** The file is replaced when the new one is whole and has been checked. */
export async function writeBackup(file: string, data: string): Promise<BackupFacts> {
  const path = folderPath(data);
  if (!existsSync(path)) throw new Error(`there is no data folder ${path}. Name the right one with --data.`);
  const target = targetOf(file, path);
  // Without the lock a server has the folder, which goes on meanwhile; with it nobody starts one before this is done.
  const lock = lockFolder(path);
  try {
    if (lock) finishRestore(path);
    else if (isBeingRestored(path)) throw new Error(`${path} is just being restored. Try again when that is done.`);
    return await copy(
      folderAt(path, () => {}),
      target,
    );
  } finally {
    lock?.release();
  }
}

function targetOf(file: string, folder: string): string {
  const target = resolve(file);
  if (!existsSync(dirname(target))) {
    throw new Error(`there is no folder ${dirname(target)} to write a backup into. Make it, or name another file.`);
  }
  const place = realpathSync(dirname(target));
  if (`${place}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)) {
    throw new Error(
      `${target} lies in the data folder itself, where it could replace what it is a backup of. Name a file elsewhere.`,
    );
  }
  if (existsSync(target) && !statSync(target).isFile()) {
    throw new Error(`${target} is not a file. Name a file to write the backup into.`);
  }
  return target;
}

async function copy(folder: DataFolder, target: string): Promise<BackupFacts> {
  if (!existsSync(folder.objects)) {
    throw new Error(
      `there are no objects in ${folder.path}: no cluster has run there, or one that keeps them in memory (--memory). Name the right folder with --data.`,
    );
  }
  const draft = `${target}.${process.pid}.partial`;
  rmSync(draft, { force: true });
  const facts = await backUpStore(folder.objects, draft, filesToBackUp(folder), systemClock);
  try {
    moveWhole(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return facts;
}
