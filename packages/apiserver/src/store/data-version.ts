/** The layout of the data file, and how an older one becomes today's. */
import { chmodSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

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

/** What has to be done to a file of one version to make it one of the next. Runs inside a transaction, and must not end it. */
export type Migration = (database: DatabaseSync) => void;

/** The layouts that this Capstan knows. */
export interface Layouts {
  /** Of a new file. */
  readonly schema: string;
  /** The first makes version 2 of version 1, and so on: as many as there are, plus one, is today's version. */
  readonly migrations: readonly Migration[];
}

export const LAYOUTS: Layouts = { schema: SCHEMA, migrations: [] };

const newest = ({ migrations }: Layouts): number => migrations.length + 1;

/** A newer one is refused, an older one is migrated. */
export const DATA_VERSION = newest(LAYOUTS);

export class DataVersionMismatch extends Error {
  override readonly name = 'DataVersionMismatch';
  constructor(file: string, found: number, known: number = DATA_VERSION) {
    super(
      `${file} was written by a newer Capstan (data version ${found}; this one reads up to ${known}). ` +
        'Use that Capstan, or restore a backup made with this one into another data folder.',
    );
  }
}

export const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()!.user_version);

/** Where the file as it was is kept until it has been migrated. */
export const copyBeforeMigration = (file: string, version: number): string => `${file}.version-${version}`;

/**
 * Gives a new file its layout and migrates an older one: all steps or none, in one transaction. Nobody else may have the file
 * open for writing. Until the migration is through, a copy of the file as it was lies beside it; when it fails, the copy stays.
 */
export function bringUpToDate(file: string, database: DatabaseSync, layouts: Layouts = LAYOUTS): void {
  const found = versionOf(database);
  const wanted = newest(layouts);
  if (found > wanted) throw new DataVersionMismatch(file, found, wanted);
  if (found === wanted) return;
  if (found === 0) {
    inTransaction(database, wanted, () => database.exec(layouts.schema));
    return;
  }
  const copy = copyBeforeMigration(file, found);
  copyTo(database, copy);
  try {
    inTransaction(database, wanted, () => {
      for (const migrate of layouts.migrations.slice(found - 1)) migrate(database);
    });
  } catch (error) {
    throw new Error(
      `it could not be migrated from data version ${found} to ${wanted} (${(error as Error).message}); ` +
        `it is as it was, and ${copy} is a copy of it`,
      { cause: error },
    );
  }
  rmSync(copy);
}

function inTransaction(database: DatabaseSync, version: number, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec(`PRAGMA user_version = ${version}; COMMIT;`);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Whole or not at all: it has its name only when it is complete. */
function copyTo(database: DatabaseSync, copy: string): void {
  const draft = `${copy}.new`;
  rmSync(draft, { force: true });
  database.prepare('VACUUM INTO ?').run(draft);
  chmodSync(draft, 0o600);
  renameSync(draft, copy);
}
