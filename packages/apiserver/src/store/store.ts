/**
 * Where the objects are. Reads see only what is committed; a write is checked against the newest version that anyone has
 * written, committed or not (`head`), so two writes in one commit group cannot both win.
 */
import type { Draft } from '../kind.ts';
import type { Entry } from './entry.ts';

export interface Store {
  /** The newest committed revision. */
  readonly revision: number;

  get(table: string, key: string): Entry | undefined;
  /** As `get`, but including writes that are not on disk yet: what a write has to be based on. */
  head(table: string, key: string): Entry | undefined;
  /** In the order of their keys. `prefix` narrows to keys that begin with it (`namespace/`). */
  list(table: string, prefix: string): readonly Entry[];
  /** What `list` gave at an earlier revision; throws `RevisionExpired` when history does not reach back so far. */
  listAt(table: string, prefix: string, revision: number): readonly Entry[];
  /** As `list`, but including writes that are not on disk yet, in no particular order. */
  heads(table: string): Iterable<Entry>;
  count(table: string): number;
  /** The tables that hold anything. */
  tables(): readonly string[];

  /**
   * Writes a new version. `expected` is the head that the decision was made on (undefined: there is none); when it no longer
   * is, `HeadMoved` is thrown at once and nothing happens. Sets `metadata.resourceVersion`, freezes the draft and keeps it.
   * Resolves when the version is durable and visible.
   */
  write(table: string, key: string, expected: Entry | undefined, object: Draft): Promise<Entry>;
  /** Deletes; gives the last state, with the revision of the deletion. `expected` and `object` as for `write`. */
  remove(table: string, key: string, expected: Entry, object: Draft): Promise<Entry>;

  /** Calls `listener` for every change after `revision`, those of the past first. Throws `RevisionExpired`. */
  watch(table: string, revision: number, listener: (change: Change) => void): () => void;

  /** Forgets history up to and including `revision`: watches from before it, and lists at it, are refused with 410. */
  compact(revision: number): void;

  /** A copy that shares nothing that changes; always in memory. */
  fork(): Store;

  close(): Promise<void>;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  /** The new state; for DELETED the last one, with the revision of the deletion. */
  readonly entry: Entry;
  readonly previous: Entry | undefined;
}

/** The head is not the one the write was based on. */
export class HeadMoved extends Error {
  override readonly name = 'HeadMoved';
  constructor() {
    super('the object has been written in the meantime');
  }
}

/** History does not reach back to the revision asked for. */
export class RevisionExpired extends Error {
  override readonly name = 'RevisionExpired';
  readonly requested: number;
  readonly oldest: number;
  constructor(requested: number, oldest: number) {
    super(`too old resource version: ${requested} (${oldest})`);
    this.requested = requested;
    this.oldest = oldest;
  }
}

/** The disk refused (full, read-only, failing): nothing of the commit group was kept. */
export class CommitFailed extends Error {
  override readonly name = 'CommitFailed';
  constructor(cause: unknown) {
    super(`the write could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
