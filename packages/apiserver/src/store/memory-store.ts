import { deepFreeze } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import { Entry } from './entry.ts';
import { type Change, HeadMoved, type Store } from './store.ts';
import { Table } from './table.ts';

/** The name under which a floor of the whole store is kept. */
export const EVERY_TABLE = '';

/** What a durable store adds to the one in memory. */
export interface CommitLog {
  /** Makes the versions durable, all or none, or throws. `forgotten` need not be kept any more. */
  commit(versions: readonly Version[], forgotten: readonly Version[], floors: ReadonlyMap<string, number>): void;
  /** When to commit what has gathered: soon, but late enough that concurrent writes share a commit. */
  schedule(flush: () => void): void;
  close(): void;
}

export interface Version {
  readonly table: string;
  readonly change: Change;
}

interface Pending extends Version {
  settle(error?: unknown): void;
}

/** The first revision is 2, as on a fresh etcd, where 1 is the empty store: clients take "0" for "any". */
const EMPTY_REVISION = 1;

/** A watcher that fails must not keep a commit from the others: its failure is the process's, like any that nobody caught. */
function tell(listener: (change: Change) => void, change: Change): void {
  try {
    listener(change);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Frozen objects in memory serve every read; a `CommitLog`, where there is one, is written before anyone sees a change. */
export class MemoryStore implements Store {
  readonly #tables = new Map<string, Table>();
  /** Newest versions that are not committed yet, by table and key; null: deleted. */
  readonly #heads = new Map<string, Map<string, Entry | null>>();
  #pending: Pending[] = [];
  /** Changes that are visible but that listeners have not heard of yet. */
  readonly #untold: Version[] = [];
  #telling = false;
  #forgotten: Version[] = [];
  readonly #floors = new Map<string, number>();
  /** History up to here is gone for every table, those that are not there yet included. */
  #floor = 0;
  #revision = EMPTY_REVISION;
  #lastWritten = EMPTY_REVISION;
  readonly #log: CommitLog | undefined;

  constructor(log?: CommitLog) {
    this.#log = log;
  }

  get revision(): number {
    return this.#revision;
  }

  get(table: string, key: string): Entry | undefined {
    return this.#tables.get(table)?.entries.get(key);
  }

  head(table: string, key: string): Entry | undefined {
    const head = this.#heads.get(table)?.get(key);
    return head === undefined ? this.get(table, key) : (head ?? undefined);
  }

  list(table: string, prefix: string): readonly Entry[] {
    return this.#tables.get(table)?.list(prefix) ?? [];
  }

  *heads(table: string): Generator<Entry> {
    const pending = this.#heads.get(table);
    for (const entry of this.#tables.get(table)?.entries.values() ?? []) if (!pending?.has(entry.key)) yield entry;
    for (const entry of pending?.values() ?? []) if (entry) yield entry;
  }

  listAt(table: string, prefix: string, revision: number): readonly Entry[] {
    if (revision === this.#revision) return this.list(table, prefix);
    return this.#tables.get(table)?.listAt(prefix, revision) ?? [];
  }

  count(table: string): number {
    return this.#tables.get(table)?.entries.size ?? 0;
  }

  tables(): readonly string[] {
    return [...this.#tables].filter(([, table]) => table.entries.size > 0).map(([name]) => name);
  }

  write(table: string, key: string, expected: Entry | undefined, object: Draft): Promise<Entry> {
    return this.#propose(table, key, expected, object, expected ? 'MODIFIED' : 'ADDED');
  }

  remove(table: string, key: string, expected: Entry, object: Draft): Promise<Entry> {
    return this.#propose(table, key, expected, object, 'DELETED');
  }

  watch(table: string, revision: number, listener: (change: Change) => void): () => void {
    const watched = this.#table(table);
    let seen = revision;
    const filtered = (change: Change): void => {
      if (change.revision <= seen) return; // replayed already, before its turn to be told came
      seen = change.revision;
      listener(change);
    };
    for (const change of watched.changesAfter(revision)) filtered(change);
    watched.listeners.add(filtered);
    return () => watched.listeners.delete(filtered);
  }

  compact(upTo: number): void {
    const revision = Math.min(upTo, this.#revision);
    this.#floor = Math.max(this.#floor, revision);
    if (this.#log) this.#floors.set(EVERY_TABLE, this.#floor);
    for (const [name, table] of this.#tables) this.#forget(name, table.forget(revision), table.floor);
  }

  fork(): MemoryStore {
    const copy = new MemoryStore();
    for (const [name, table] of this.#tables) copy.#tables.set(name, new Table(table));
    copy.#floor = this.#floor;
    copy.#revision = this.#revision;
    copy.#lastWritten = this.#revision;
    return copy;
  }

  /** Takes in what a disk remembered, oldest first, before anyone uses the store. */
  recall(name: string, entry: Entry, deleted: boolean, floor: number): void {
    const table = this.#table(name);
    table.floor = Math.max(table.floor, floor);
    const previous = table.entries.get(entry.key);
    const type = deleted ? 'DELETED' : previous ? 'MODIFIED' : 'ADDED';
    const change: Change = { type, revision: entry.revision, entry, previous };
    if (entry.revision <= floor && !deleted) {
      table.restore(entry);
      // A crash came before what this one replaced was deleted: that is made up for with the next commit.
      if (previous) this.#forget(name, [change], table.floor);
    } else if (!deleted || previous) {
      const forgotten = table.record(change);
      if (forgotten.length > 0) this.#forget(name, forgotten, table.floor);
    }
    this.recallRevision(entry.revision);
  }

  recallFloor(floor: number): void {
    this.#floor = floor;
  }

  recallRevision(revision: number): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#lastWritten = this.#revision;
  }

  async close(): Promise<void> {
    do this.#flush();
    while (this.#pending.length > 0); // listeners that write when they are told
    this.#log?.close();
  }

  #propose(
    table: string,
    key: string,
    expected: Entry | undefined,
    object: Draft,
    type: Change['type'],
  ): Promise<Entry> {
    const head = this.head(table, key);
    if (head !== expected) throw new HeadMoved();
    const revision = ++this.#lastWritten;
    object.metadata.resourceVersion = String(revision);
    const entry = Entry.of(key, revision, deepFreeze(object) as Stored);
    const change: Change = { type, revision, entry, previous: expected };

    if (!this.#log) {
      this.#record({ table, change });
      this.#tellAll();
      return Promise.resolve(entry);
    }
    let heads = this.#heads.get(table);
    if (!heads) this.#heads.set(table, (heads = new Map()));
    heads.set(key, type === 'DELETED' ? null : entry);
    return new Promise((resolve, reject) => {
      const settle = (error?: unknown): void => (error === undefined ? resolve(entry) : reject(error));
      if (this.#pending.push({ table, change, settle }) === 1) this.#log!.schedule(() => this.#flush());
    });
  }

  #flush(): void {
    const group = this.#pending;
    if (group.length === 0 && this.#floors.size === 0) return;
    this.#pending = [];
    this.#heads.clear();
    const forgotten = this.#forgotten;
    this.#forgotten = [];
    try {
      this.#log!.commit(group, forgotten, this.#floors);
    } catch (error) {
      this.#forgotten = forgotten;
      for (const version of group) version.settle(error);
      return;
    }
    this.#floors.clear();
    // All of them are in place before anyone hears of the first: a listener that writes bases itself on what is committed.
    for (const version of group) this.#record(version);
    this.#tellAll();
    for (const version of group) version.settle();
  }

  #record({ table: name, change }: Version): void {
    const table = this.#table(name);
    this.#revision = change.revision;
    const forgotten = table.record(change);
    if (forgotten.length > 0) this.#forget(name, forgotten, table.floor);
    this.#untold.push({ table: name, change });
  }

  /** In the order of revisions, also when a listener writes: what it wrote is told after what it is being told. */
  #tellAll(): void {
    if (this.#telling) return;
    this.#telling = true;
    for (let next = this.#untold.shift(); next; next = this.#untold.shift()) {
      for (const listener of this.#table(next.table).listeners) tell(listener, next.change);
    }
    this.#telling = false;
  }

  #forget(name: string, changes: readonly Change[], floor: number): void {
    if (!this.#log) return;
    this.#floors.set(name, floor);
    for (const change of changes) this.#forgotten.push({ table: name, change });
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (!table) {
      this.#tables.set(name, (table = new Table()));
      table.floor = this.#floor;
    }
    return table;
  }
}
