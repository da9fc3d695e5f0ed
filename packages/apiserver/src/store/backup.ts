/** Copies a data file while a server writes to it, and makes one of such a copy again. */
import { copyFileSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Clock } from '@capstan/kube';
import {
  APPLICATION_ID,
  BACKUP_SCHEMA,
  BACKUP_TABLES,
  type BackupFacts,
  digestOf,
  FORMAT,
  readBackup,
  revisionOf,
} from './backup-format.ts';
import { bringUpToDate, DATA_VERSION, DataVersionMismatch, versionOf } from './data-version.ts';
import { makePrivate } from './file-lock.ts';
import { EVERY_TABLE } from './memory-store.ts';
import { BUSY_TIMEOUT_MS, DataUnusable } from './sqlite-store.ts';

export { type BackupFacts, BackupUnusable, readBackup } from './backup-format.ts';

/** All pages in one step: then it is one moment, and a busy server cannot make it start over again and again. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Writes the data file and `files` into `target`, which only its owner can read, and checks what was written. The server that
 * has the data file open goes on meanwhile. `target` must not be there; when this fails, it is not there either.
 */
export async function backUpStore(
  file: string,
  target: string,
  files: Readonly<Record<string, string>>,
  clock: Pick<Clock, 'now'>,
): Promise<BackupFacts> {
  const source = openSource(file);
  try {
    makePrivate(target);
    await backup(source, target, { rate: ALL_PAGES });
    seal(target, files, clock.now());
    return readBackup(target);
  } catch (error) {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(target + end, { force: true });
    throw error;
  } finally {
    source.close();
  }
}

function openSource(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    const version = versionOf(database);
    if (version > DATA_VERSION) throw new DataVersionMismatch(file, version);
    if (version === 0) throw new Error('there is nothing in it');
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof DataVersionMismatch ? error : new DataUnusable(file, error);
  }
}

function seal(target: string, files: Readonly<Record<string, string>>, madeAt: number): void {
  const database = new DatabaseSync(target);
  try {
    // One file, with nothing beside it.
    database.exec(
      `PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA application_id = ${APPLICATION_ID};`,
    );
    database.exec(`BEGIN; ${BACKUP_SCHEMA}`);
    const addFile = database.prepare('INSERT INTO backup_files VALUES (?, ?)');
    for (const [name, content] of Object.entries(files)) addFile.run(name, content);
    const addFact = database.prepare('INSERT INTO backup_facts VALUES (?, ?)');
    addFact.run('format', String(FORMAT));
    addFact.run('made at', String(madeAt));
    addFact.run('revision', String(revisionOf(database)));
    database.prepare('INSERT INTO backup_digest VALUES (?)').run(digestOf(database));
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** Makes a data file of a backup, as one whose newest revision is `revision`. `target` must not be there. */
export function restoreStore(backupFile: string, target: string, revision: number): void {
  makePrivate(target);
  copyFileSync(backupFile, target);
  const database = new DatabaseSync(target);
  try {
    database.exec('PRAGMA synchronous = FULL; PRAGMA application_id = 0;');
    for (const table of BACKUP_TABLES) database.exec(`DROP TABLE ${table}`);
    bringUpToDate(target, database);
    database.exec('BEGIN');
    // History is of no use to anyone: whoever was watching is told to list anew.
    database.exec(`
      DELETE FROM versions WHERE revision NOT IN (SELECT max(revision) FROM versions GROUP BY resource, key);
      DELETE FROM versions WHERE deleted = 1;
      DELETE FROM floors;
      DELETE FROM facts WHERE name = 'revision';
    `);
    database.prepare('INSERT INTO floors VALUES (?, ?)').run(EVERY_TABLE, revision);
    database.prepare("INSERT INTO facts VALUES ('revision', ?)").run(String(revision));
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}

/** A server that writes faster than this for all of its life is not to be had. */
const WRITES_PER_SECOND = 100_000;
/** As etcd's own tool adds: room for clocks that go wrong. */
const MARGIN = 1_000_000_000;

/**
 * Where the counter of a restored cluster has to go on, so that no revision is ever given out twice: beyond all that can have
 * been written since the backup was made, also by another cluster that was restored from it in the meantime.
 *
 * @param known the newest revisions that are known to have been given out
 */
export function revisionAfterRestore({ madeAt, revision }: BackupFacts, now: number, known: readonly number[]): number {
  const seconds = Math.max(0, Math.ceil((now - madeAt) / 1000));
  return Math.max(revision, ...known) + MARGIN + seconds * WRITES_PER_SECOND;
}

/** The newest revision of a data file; undefined where it cannot be read. */
export function newestRevision(file: string): number | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return revisionOf(database);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
