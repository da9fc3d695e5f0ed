import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { DATA_VERSION, DataVersionMismatch } from './data-version.ts';
import { MemoryStore } from './memory-store.ts';
import { DataUnusable, openSqliteStore } from './sqlite-store.ts';
import { object, storeContract } from './store.contract.ts';
import { CommitFailed, HeadMoved, type Store } from './store.ts';
import { WINDOW } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-store-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

storeContract('in memory', () => new MemoryStore());
storeContract('on SQLite', () => openSqliteStore(newFile()));

const state = (store: Store): unknown => ({
  revision: store.revision,
  tables: store.tables().map(table => store.list(table, '').map(entry => [entry.key, entry.json])),
});

describe('a store on SQLite', () => {
  it('is the same after it was closed and opened', async () => {
    const file = newFile();
    const before = openSqliteStore(file);
    const from = (await before.write('t', 'a', undefined, object('a'))).revision;
    await before.write('t', 'b', undefined, object('b'));
    await before.remove('t', 'a', before.head('t', 'a')!, object('a'));
    const expected = state(before);
    await before.close();

    const after = openSqliteStore(file);
    expect(state(after)).toEqual(expected);
    const seen: string[] = [];
    after.watch('t', from, ({ type, entry }) => seen.push(`${type} ${entry.key}`))();
    expect(seen).toEqual(['ADDED b', 'DELETED a']);
    await after.close();
  });

  it('shows nothing that is not on disk yet', async () => {
    const store = openSqliteStore(newFile());
    const seen: string[] = [];
    store.watch('t', store.revision, change => seen.push(change.entry.key));
    const writing = store.write('t', 'a', undefined, object('a'));
    expect([store.get('t', 'a'), seen]).toEqual([undefined, []]);
    expect(store.head('t', 'a')).toBeDefined();
    await writing;
    expect([store.get('t', 'a')?.key, seen]).toEqual(['a', ['a']]);
    await store.close();
  });

  it('loses nothing and says so when a commit fails, and goes on afterwards', async () => {
    const file = newFile();
    const store = openSqliteStore(file);
    await store.write('t', 'a', undefined, object('a'));
    const circular = object('b');
    circular['self'] = circular;
    Object.freeze(circular); // so that freezing stops here and only the commit trips over it
    circular.metadata.resourceVersion = '';
    const failing = store.write('t', 'b', undefined, circular);
    const alongside = store.write('t', 'c', undefined, object('c'));
    await expect(failing).rejects.toThrow(CommitFailed);
    await expect(alongside).rejects.toThrow(CommitFailed);
    expect(store.list('t', '').map(entry => entry.key)).toEqual(['a']);
    await store.write('t', 'c', undefined, object('c'));
    const expected = state(store);
    await store.close();
    const again = openSqliteStore(file);
    expect(state(again)).toEqual(expected);
    await again.close();
  });

  it('keeps its file small: versions that nobody can ask for any more are deleted', async () => {
    const file = newFile();
    const store = openSqliteStore(file);
    for (let i = 0; i < 50; i++) await store.write('t', 'a', store.head('t', 'a'), object('a', { i }));
    await store.remove('t', 'a', store.head('t', 'a')!, object('a'));
    await store.write('t', 'b', undefined, object('b'));
    const newest = store.revision;
    store.compact(newest);
    await store.close();
    const database = new DatabaseSync(file);
    expect(database.prepare('SELECT count(*) AS n FROM versions').get()).toEqual({ n: 1 });
    database.close();
    const again = openSqliteStore(file);
    expect(again.revision).toBe(newest);
    expect(() => again.watch('t', newest - 1, () => {})).toThrow(/too old resource version/);
    await again.close();
  });

  it('refuses a file that another server has open, or that a newer version wrote', async () => {
    const file = newFile();
    const store = openSqliteStore(file);
    await store.write('t', 'a', undefined, object('a'));
    expect(() => openSqliteStore(file)).toThrow(DataUnusable);
    expect(() => openSqliteStore(file)).toThrow(/stop that one, or choose another data folder/);
    await store.close();
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA user_version = ${DATA_VERSION + 1}`);
    database.close();
    expect(() => openSqliteStore(file)).toThrow(DataVersionMismatch);
  });

  it('lets no listener write over what was committed together with what it is told', async () => {
    const store = openSqliteStore(newFile());
    const base = await store.write('t', 'a', undefined, object('a'));
    const refused: unknown[] = [];
    store.watch('t', store.revision, ({ entry }) => {
      if (entry.object['data'].by !== 'first') return;
      try {
        void store.write('t', 'a', entry, object('a', { by: 'listener' }));
      } catch (error) {
        refused.push(error);
      }
    });
    const first = store.write('t', 'a', base, object('a', { by: 'first' }));
    const second = store.write('t', 'a', store.head('t', 'a'), object('a', { by: 'second' }));
    await Promise.all([first, second]);
    expect(refused).toEqual([expect.any(HeadMoved)]);
    expect(store.get('t', 'a')!.object['data']).toEqual({ by: 'second' });
    await store.close();
  });

  it('brings nothing back that was deleted, when it dies right after its window moved on', async () => {
    const file = newFile();
    const change = (store: Store, count: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: count }, (_, i) => store.write('t', 'x', store.head('t', 'x'), object('x', { i }))),
      );
    const store = openSqliteStore(file);
    await store.write('t', 'victim', undefined, object('victim', { v: 1 }));
    await store.write('t', 'victim', store.head('t', 'victim'), object('victim', { v: 2 }));
    await change(store, WINDOW - 10);
    await store.remove('t', 'victim', store.head('t', 'victim')!, object('victim'));
    await change(store, WINDOW + 10);
    const copy = newFile();
    for (const end of ['', '-wal']) copyFileSync(file + end, copy + end);
    await store.close();
    for (let life = 0; life < 2; life++) {
      const again = openSqliteStore(copy);
      expect(again.get('t', 'victim')).toBeUndefined();
      await change(again, WINDOW + 2);
      await again.close();
    }
    const last = openSqliteStore(copy);
    expect(last.list('t', '').map(entry => entry.key)).toEqual(['x']);
    await last.close();
  });

  it('is readable by its owner only', async () => {
    const file = newFile();
    const store = openSqliteStore(file);
    await store.write('t', 'a', undefined, object('a'));
    expect([statSync(file).mode & 0o777, statSync(`${file}-wal`).mode & 0o777]).toEqual([0o600, 0o600]);
    await store.close();
  });

  it('behaves as the one in memory, whatever is done to it', async () => {
    const step = fc.record({
      action: fc.constantFrom('write', 'write', 'write', 'remove', 'compact', 'reopen'),
      key: fc.constantFrom('n/a', 'n/b', 'm/a'),
      value: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
        const file = newFile();
        const memory = new MemoryStore();
        let disk = openSqliteStore(file);
        for (const { action, key, value } of steps) {
          for (const store of [memory, disk]) {
            const head = store.head('t', key);
            if (action === 'write') await store.write('t', key, head, object(key, { value }));
            else if (action === 'remove' && head) await store.remove('t', key, head, object(key));
            else if (action === 'compact') store.compact(store.revision - (value % 3));
          }
          if (action === 'reopen') {
            await disk.close();
            disk = openSqliteStore(file);
          }
          expect(state(disk)).toEqual(state(memory));
        }
        await disk.close();
      }),
      { numRuns: 40 },
    );
  });
});

describe('the window of history', () => {
  it('ends, and then says that a version is too old', async () => {
    const store = new MemoryStore();
    const { revision } = await store.write('t', 'a', undefined, object('a'));
    for (let i = 0; i < WINDOW * 2; i++) await store.write('t', 'a', store.head('t', 'a'), object('a', { i }));
    expect(() => store.watch('t', revision, () => {})).toThrow(/too old resource version/);
    expect(() => store.watch('t', store.revision - WINDOW, () => {})()).not.toThrow();
  });
});
