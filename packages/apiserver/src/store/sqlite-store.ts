import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Entry } from './entry.ts';
import { type CommitLog, EVERY_TABLE, MemoryStore, type Version } from './memory-store.ts';
import { CommitFailed } from './store.ts';

/** The layout of the data file. A newer one is refused, an older one is migrated by `MIGRATIONS`. */
export const DATA_VERSION = 1;

/**
 * One row a version of an object, appended; nothing is ever updated in place. The state is the newest row of each key. Rows that
 * no watch can ask for any more are deleted along the way.
 */
const SCHEMA = `
  CREATE TABLE versions (
    revision INTEGER PRIMARY KEY,
    resource TEXT NOT NULL,
    key TEXT NOT NULL,
    deleted INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
  CREATE TABLE floors (resource TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

export class DataVersionMismatch extends Error {
  override readonly name = 'DataVersionMismatch';
  constructor(file: string, found: number) {
    super(
      `${file} was written by a newer Capstan (data version ${found}; this one reads ${DATA_VERSION}). ` +
        'Use that Capstan, or restore a backup made with this one.',
    );
  }
}

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

/** Opens (or makes) a store in the file. Every acknowledged write is on disk; concurrent writes share a commit. */
export function openSqliteStore(file: string): MemoryStore {
  let database: DatabaseSync | undefined;
  try {
    // Secrets are in it. SQLite gives its other files the same mode.
    closeSync(openSync(file, 'a', 0o600));
    database = new DatabaseSync(file);
    // Exclusive: two servers on one file would each believe their own memory.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    return opened(file, database);
  } catch (error) {
    database?.close();
    throw error instanceof DataVersionMismatch ? error : new DataUnusable(file, error);
  }
}

function opened(file: string, database: DatabaseSync): MemoryStore {
  const version = Number(database.prepare('PRAGMA user_version').get()!.user_version);
  if (version > DATA_VERSION) throw new DataVersionMismatch(file, version);
  if (version === 0) database.exec(`BEGIN; ${SCHEMA} PRAGMA user_version = ${DATA_VERSION}; COMMIT;`);

  const store = new MemoryStore(new SqliteLog(database));
  recall(database, store);
  return store;
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
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;
  readonly #setFloor: StatementSync;
  readonly #setRevision: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO versions VALUES (?, ?, ?, ?, ?)');
    this.#delete = database.prepare('DELETE FROM versions WHERE revision = ?');
    this.#setFloor = database.prepare('INSERT OR REPLACE INTO floors VALUES (?, ?)');
    this.#setRevision = database.prepare(
      "INSERT INTO facts VALUES ('revision', ?) ON CONFLICT (name) DO UPDATE SET value = max(CAST(value AS INTEGER), excluded.value)",
    );
  }

  commit(versions: readonly Version[], forgotten: readonly Version[], floors: ReadonlyMap<string, number>): void {
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
  }
}
