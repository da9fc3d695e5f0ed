import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { bringUpToDate, copyBeforeMigration, DATA_VERSION, LAYOUTS, type Layouts, versionOf } from './data-version.ts';
import { openSqliteStore } from './sqlite-store.ts';
import { object } from './store.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-version-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** A data file as version 1 wrote it, by the server itself. */
async function versionOne(): Promise<string> {
  const file = join(folder, `${files++}.db`);
  const store = openSqliteStore(file);
  await store.write('/configmaps', 'default/a', undefined, object('a', { kept: 'yes' }));
  await store.close();
  return file;
}

/** What the layout may become: two steps, of which the second needs the first. */
const LATER: Layouts = {
  schema: `${LAYOUTS.schema} ALTER TABLE versions ADD COLUMN size INTEGER; CREATE INDEX sizes ON versions (size);`,
  migrations: [
    database => database.exec('ALTER TABLE versions ADD COLUMN size INTEGER; UPDATE versions SET size = length(json)'),
    database => database.exec('CREATE INDEX sizes ON versions (size)'),
  ],
};

function withDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

const columns = (database: DatabaseSync): unknown[] =>
  database
    .prepare("SELECT name FROM pragma_table_info('versions')")
    .all()
    .map(row => row.name);

describe('a data file of an older version', () => {
  it('is migrated, step by step, and keeps what it holds', async () => {
    const file = await versionOne();
    withDatabase(file, database => {
      bringUpToDate(file, database, LATER);
      expect([versionOf(database), columns(database)]).toEqual([3, expect.arrayContaining(['size'])]);
      expect(database.prepare('SELECT json, size FROM versions').all()).toEqual([
        { json: expect.stringContaining('"kept":"yes"'), size: expect.any(Number) },
      ]);
    });
    expect(existsSync(copyBeforeMigration(file, 1))).toBe(false);
  });

  it('lies beside as a copy until the migration is through, for its owner only', async () => {
    const file = await versionOne();
    const copy = copyBeforeMigration(file, 1);
    const seen: unknown[] = [];
    const look = (): void => {
      const rows = withDatabase(copy, database => database.prepare('SELECT key FROM versions').all());
      seen.push(rows, statSync(copy).mode & 0o777);
    };
    withDatabase(file, database => bringUpToDate(file, database, { ...LATER, migrations: [look] }));
    expect(seen).toEqual([[{ key: 'default/a' }], 0o600]);
    expect(readdirSync(folder).filter(name => name.includes('.version-'))).toEqual([]);
  });

  it('is as it was after a step failed, and the message names the copy; the next attempt succeeds', async () => {
    const file = await versionOne();
    const fail = (): void => {
      throw new Error('no space left');
    };
    withDatabase(file, database => {
      const failing = { ...LATER, migrations: [LATER.migrations[0]!, fail] };
      expect(() => bringUpToDate(file, database, failing)).toThrow(
        `it could not be migrated from data version 1 to 3 (no space left); it is as it was, and ${file}.version-1 is a copy of it`,
      );
      expect([versionOf(database), columns(database).includes('size')]).toEqual([1, false]);
      bringUpToDate(file, database, LATER);
      expect(versionOf(database)).toBe(3);
    });
  });

  it('has the layout of a new one afterwards', async () => {
    const migrated = await versionOne();
    const fresh = join(folder, `${files++}.db`);
    const layout = (file: string): unknown =>
      withDatabase(file, database => {
        bringUpToDate(file, database, LATER);
        const indexes = database
          .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
          .all();
        return [columns(database), indexes];
      });
    expect(layout(migrated)).toEqual(layout(fresh));
  });
});

describe('a data file of a newer version', () => {
  it('is refused untouched, with a way out', async () => {
    const file = await versionOne();
    withDatabase(file, database => database.exec(`PRAGMA user_version = ${DATA_VERSION + 1}`));
    expect(() => openSqliteStore(file)).toThrow(
      /written by a newer Capstan \(data version 2; this one reads up to 1\)\. Use that Capstan, or restore a backup/,
    );
    expect(withDatabase(file, versionOf)).toBe(DATA_VERSION + 1);
  });
});
