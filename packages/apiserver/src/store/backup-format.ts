/**
 * A backup is one SQLite file: the data file as it was at one moment, with what else the cluster is made of in further tables.
 * A digest over all of it finds damage that SQLite itself cannot see.
 */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { DATA_VERSION, DataVersionMismatch, versionOf } from './data-version.ts';

/** Says that a SQLite file is a backup of ours: "CPST" in its header. */
export const APPLICATION_ID = 0x43505354;
/** Of the further tables. */
export const FORMAT = 1;

export const BACKUP_SCHEMA = `
  CREATE TABLE backup_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE backup_files (name TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
  CREATE TABLE backup_digest (value TEXT NOT NULL) STRICT;
`;
export const BACKUP_TABLES = ['backup_facts', 'backup_files', 'backup_digest'] as const;

export interface BackupFacts {
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** The newest revision in it. */
  readonly revision: number;
  /** What the cluster is made of besides its objects, by name. */
  readonly files: Readonly<Record<string, string>>;
}

/** The file is no backup, or not all of one. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable';
  constructor(file: string, why: string) {
    super(`${file} cannot be restored: ${why}. Nothing was changed; use another backup.`);
  }
}

/** Checks all of a backup and gives what it says of itself. The file is only read. */
export function readBackup(file: string): BackupFacts {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return checked(file, database);
  } catch (error) {
    if (error instanceof BackupUnusable || error instanceof DataVersionMismatch) throw error;
    throw new BackupUnusable(file, (error as Error).message);
  } finally {
    database?.close();
  }
}

function checked(file: string, database: DatabaseSync): BackupFacts {
  if (database.prepare('PRAGMA application_id').get()!.application_id !== APPLICATION_ID) {
    throw new BackupUnusable(file, 'it is not a backup that "capstan backup" wrote');
  }
  const version = versionOf(database);
  if (version > DATA_VERSION) throw new DataVersionMismatch(file, version);
  const facts = new Map(pairs(database, 'backup_facts', 'value'));
  const format = Number(facts.get('format'));
  if (format > FORMAT) {
    throw new BackupUnusable(
      file,
      `a newer Capstan wrote it (backup format ${format}; this one reads up to ${FORMAT})`,
    );
  }
  const problem = database.prepare('PRAGMA integrity_check(1)').get()!.integrity_check;
  if (problem !== 'ok') throw new BackupUnusable(file, `it is damaged (${problem})`);
  const digest = database.prepare('SELECT value FROM backup_digest').get()?.value;
  if (digest !== digestOf(database)) throw new BackupUnusable(file, 'it is damaged (its digest is wrong)');
  const files = Object.fromEntries(pairs(database, 'backup_files', 'content'));
  return { madeAt: Number(facts.get('made at')), revision: Number(facts.get('revision')), files };
}

const pairs = (database: DatabaseSync, table: string, column: string): [string, string][] =>
  database
    .prepare(`SELECT name, ${column} AS value FROM ${table}`)
    .all()
    .map(row => [String(row.name), String(row.value)]);

/** Over every row of every table, whatever the layout: each begins with its key. */
export function digestOf(database: DatabaseSync): string {
  const hash = createHash('sha256');
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  for (const { name } of tables) {
    if (name === 'backup_digest') continue;
    for (const row of database.prepare(`SELECT * FROM "${name}" ORDER BY 1`).iterate()) {
      // Lengths keep neighbours apart; the rows are too many to make JSON of them first.
      for (const cell of Object.values(row)) hash.update(`${String(cell).length}:`).update(String(cell));
    }
  }
  return hash.digest('hex');
}

/** The newest revision that a data file ever gave out. */
export function revisionOf(database: DatabaseSync): number {
  const rows = database.prepare('SELECT max(revision) AS newest FROM versions').get()!;
  const facts = database.prepare("SELECT value FROM facts WHERE name = 'revision'").get();
  return Math.max(Number(rows.newest ?? 0), Number(facts?.value ?? 0));
}
