import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { bringUpToDate, DataVersionMismatch } from './data-version.ts';
import { Entry } from './entry.ts';
import { type FileLock, lockFile, makePrivate } from './file-lock.ts';
import { type CommitLog, EVERY_TABLE, MemoryStore, type Version } from './memory-store.ts';
import { CommitFailed } from './store.ts';

/** The file is locked by a running Capstan, damaged, or cannot be written. */
export class DataUnusable extends Error {
  override readonly name = 'DataUnusable';
  constructor(file: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const remedy = why.includes('locked')
      ? 'Another Capstan is using it: stop that one, or choose another data folder.'
      : 'Check that the folder is writable and has space; if the file is damaged, restore a backup.';
    super(`cannot open ${file}: ${why}. ${remedy}`, { cause });
  }
}

/** How long to wait for a backup that is just opening the same file. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Runs a commit of so many writes; for measuring it. */
export type AroundCommit = (writes: number, commit: () => void) => void;

/** Opens (or makes) a store in the file. Every acknowledged write is on disk; concurrent writes share a commit. */
export function openSqliteStore(file: string, around: AroundCommit = (_, commit) => commit()): MemoryStore {
  let lock: FileLock | undefined;
  let database: DatabaseSync | undefined;
  try {
    // Two servers on one file would each believe their own memory. The lock is on a file beside it, so that a backup can read.
    lock = lockFile(`${file}-lock`);
    if (!lock) throw new Error('it is locked');
    // Secrets are in it. SQLite gives its other files the same mode.
    makePrivate(file);
    database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    // A file that only lets itself be read would be noticed by the first who writes.
    database.exec('BEGIN IMMEDIATE; ROLLBACK;');
    bringUpToDate(file, database);
    const store = new MemoryStore(new SqliteLog(database, lock, around));
    recall(database, store);
    return store;
  } catch (error) {
    database?.close();
    lock?.release();
    throw error instanceof DataVersionMismatch ? error : new DataUnusable(file, error);
  }
}

function recall(database: DatabaseSync, store: MemoryStore): void {
  const floors = new Map<string, number>();
  for (const row of database.prepare('SELECT resource, revision FROM floors').all()) {
    floors.set(String(row.resource), Number(row.revision));
  }
  store.recallFloor(floors.get(EVERY_TABLE) ?? 0);
  const rows = database.prepare('SELECT revision, resource, key, deleted, json FROM versions ORDER BY revision');
  for (const row of rows.iterate()) {
    const table = String(row.resource);
    const entry = Entry.fromJson(String(row.key), Number(row.revision), String(row.json));
    store.recall(table, entry, row.deleted === 1, floors.get(table) ?? 0);
  }
  // The newest row may have been a deletion that was forgotten since: the counter must not go back.
  const newest = database.prepare("SELECT value FROM facts WHERE name = 'revision'").get();
  if (newest) store.recallRevision(Number(newest.value));
}

class SqliteLog implements CommitLog {
  readonly #database: DatabaseSync;
  readonly #lock: FileLock;
  readonly #around: AroundCommit;
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #setFloor: StatementSync;
  readonly #setRevision: StatementSync;

  constructor(database: DatabaseSync, lock: FileLock, around: AroundCommit) {
    this.#database = database;
    this.#lock = lock;
    this.#around = around;
    this.#insert = database.prepare('INSERT INTO versions VALUES (?, ?, ?, ?, ?)');
    this.#delete = database.prepare('DELETE FROM versions WHERE revision = ?');
    this.#setFloor = database.prepare('INSERT OR REPLACE INTO floors VALUES (?, ?)');
    this.#setRevision = database.prepare(
      "INSERT INTO facts VALUES ('revision', ?) ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), excluded.value)",
    );
  }

  commit(versions: readonly Version[], forgotten: readonly Version[], floors: ReadonlyMap<string, number>): void {
    this.#around(versions.length, () => this.#commit(versions, forgotten, floors));
  }

  #commit(versions: readonly Version[], forgotten: readonly Version[], floors: ReadonlyMap<string, number>): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      for (const { table, change } of versions) {
        this.#insert.run(
          change.revision,
          table,
          change.entry.key,
          change.type === 'DELETED' ? 1 : 0,
          change.entry.json,
        );
      }
      if (floors.size > 0) this.#forget(forgotten, floors, versions);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw new CommitFailed(error);
    }
  }

  #forget(forgotten: readonly Version[], floors: ReadonlyMap<string, number>, versions: readonly Version[]): void {
    for (const { change } of forgotten) {
      if (change.previous) this.#delete.run(change.previous.revision);
      if (change.type === 'DELETED') this.#delete.run(change.revision);
    }
    for (const [table, floor] of floors) this.#setFloor.run(table, floor);
    const newest = Math.max(...floors.values(), versions.at(-1)?.change.revision ?? 0);
    this.#setRevision.run(String(newest));
  }

  /** After the input of this turn of the event loop has been taken: requests that came together are committed together. */
  schedule(flush: () => void): void {
    setImmediate(flush);
  }

  close(): void {
    this.#database.close();
    this.#lock.release();
  }
}
