import type { Entry } from './entry.ts';
import { type Change, RevisionExpired } from './store.ts';

/**
 * How many changes of a kind can be resumed from. Kubernetes keeps about five minutes; a count needs no clock, and a quiet kind
 * keeps its history for good. 10,000 Pods being created is one window.
 */
export const WINDOW = 10_000;

/** The committed objects of one kind, their order, and their recent history. */
export class Table {
  readonly entries: Map<string, Entry>;
  /** Sorted as Kubernetes sorts lists: by key, byte by byte. */
  #keys: string[];
  #log: Change[];
  /** History up to this revision is gone. */
  floor: number;
  readonly listeners = new Set<(change: Change) => void>();

  constructor(from?: Table) {
    this.entries = new Map(from?.entries);
    this.#keys = from ? from.#keys.slice() : [];
    this.#log = from ? from.#log.slice() : [];
    this.floor = from?.floor ?? 0;
  }

  list(prefix: string): Entry[] {
    if (prefix === '') return this.#keys.map(key => this.entries.get(key)!);
    const found: Entry[] = [];
    for (let at = position(this.#keys, prefix); at < this.#keys.length; at++) {
      const key = this.#keys[at]!;
      if (!key.startsWith(prefix)) break;
      found.push(this.entries.get(key)!);
    }
    return found;
  }

  /** The list as it was: today's, with every later change taken back. */
  listAt(prefix: string, revision: number): Entry[] {
    this.#refuseBefore(revision);
    const past = new Table();
    for (const entry of this.list(prefix)) past.entries.set(entry.key, entry);
    for (let at = this.#log.length - 1; at >= 0 && this.#log[at]!.revision > revision; at--) {
      const { entry, previous } = this.#log[at]!;
      if (!entry.key.startsWith(prefix)) continue;
      if (previous) past.entries.set(entry.key, previous);
      else past.entries.delete(entry.key);
    }
    return [...past.entries.keys()].sort(byteOrder).map(key => past.entries.get(key)!);
  }

  changesAfter(revision: number): readonly Change[] {
    this.#refuseBefore(revision);
    return this.#log.slice(this.#firstAfter(revision));
  }

  /** Takes a change in. Gives the changes that fell out of the window. */
  record(change: Change): readonly Change[] {
    const { key } = change.entry;
    if (change.type === 'DELETED') {
      this.entries.delete(key);
      this.#keys.splice(position(this.#keys, key), 1);
    } else {
      if (!change.previous) insert(this.#keys, key);
      this.entries.set(key, change.entry);
    }
    this.#log.push(change);
    // Twice the window, then half of it at once: dropping one at a time would move the whole array with every write.
    return this.#log.length > WINDOW * 2 ? this.forget(this.#log[WINDOW - 1]!.revision) : [];
  }

  /** Puts an object in place whose change is older than the history that is kept. */
  restore(entry: Entry): void {
    if (!this.entries.has(entry.key)) insert(this.#keys, entry.key);
    this.entries.set(entry.key, entry);
  }

  forget(revision: number): readonly Change[] {
    this.floor = Math.max(this.floor, revision);
    return this.#log.splice(0, this.#firstAfter(revision));
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#log.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#log[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #refuseBefore(revision: number): void {
    if (revision < this.floor) throw new RevisionExpired(revision, this.floor);
  }
}

export const byteOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Where `key` is, or where it would go. */
function position(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insert(keys: string[], key: string): void {
  // Objects often come in order of their names: then there is nothing to move.
  if (keys.length === 0 || keys[keys.length - 1]! < key) keys.push(key);
  else keys.splice(position(keys, key), 0, key);
}
