/** What the store is doing: how many objects of what, how long commits take, and what it has on disk. */
import { statSync } from 'node:fs';
import type { Clock } from '@capstan/kube';
import type { Store } from '../store/store.ts';
import type { Exposition } from './exposition.ts';
import { Histogram } from './histogram.ts';

/** A commit to a good disk takes a fraction of a millisecond; one to a bad disk, seconds. */
const COMMIT_SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const COMMIT_WRITES = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000];

export class StoreMetrics {
  readonly #clock: Clock;
  readonly #file: string | undefined;
  readonly #seconds = new Histogram(COMMIT_SECONDS);
  readonly #writes = new Histogram(COMMIT_WRITES);

  /** @param file of the store, where it is in one */
  constructor(clock: Clock, file: string | undefined) {
    this.#clock = clock;
    this.#file = file;
  }

  /** Runs a commit of so many writes, and counts it when it succeeds. */
  readonly timed = (writes: number, commit: () => void): void => {
    const begun = this.#clock.monotonic();
    commit();
    this.#seconds.observe((this.#clock.monotonic() - begun) / 1000);
    this.#writes.observe(writes);
  };

  write(to: Exposition, store: Store): void {
    const objects = to.family('apiserver_resource_objects', 'gauge', 'Stored objects by group and resource.');
    for (const table of store.tables()) {
      const slash = table.lastIndexOf('/');
      objects.add({ group: table.slice(0, slash), resource: table.slice(slash + 1) }, store.count(table));
    }
    to.family('capstan_store_revision', 'gauge', 'The newest resourceVersion.').add({}, store.revision);
    if (this.#file === undefined) return;
    to.family('apiserver_storage_size_bytes', 'gauge', 'Size of the data file and its log.').add(
      { storage_cluster_id: 'sqlite-0' },
      sizeOf(this.#file) + sizeOf(`${this.#file}-wal`),
    );
    to.family('capstan_store_commit_duration_seconds', 'histogram', 'How long commits took.').addHistogram(
      {},
      this.#seconds,
    );
    to.family('capstan_store_commit_writes', 'histogram', 'How many writes shared a commit.').addHistogram(
      {},
      this.#writes,
    );
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
