import { AsyncLocalStorage } from 'node:async_hooks';

/** The reconcile that the running code belongs to, however deep in calls. Clients and caches look here, so nobody has to pass it on. */
export interface CurrentReconcile {
  readonly controller: string;
  readonly key: string;
  /** In every log line and span of this reconcile. */
  readonly id: string;
  readonly signal: AbortSignal;
  /** Its result has been taken. Whatever of it still runs may not write any more. */
  over: boolean;
}

const storage = new AsyncLocalStorage<CurrentReconcile>();

export function currentReconcile(): CurrentReconcile | undefined {
  return storage.getStore();
}

export function runInReconcile<R>(reconcile: CurrentReconcile, run: () => R): R {
  return storage.run(reconcile, run);
}

/** For work that a reconcile starts but that does not end with it. */
export function runOutsideReconcile<R>(run: () => R): R {
  return storage.exit(run);
}

/** Who makes a write: a controller, for one key. A change that it made while looking at another key is news to this one. */
export function writerName(controller: string, key: string): string {
  return `${controller} ${key}`;
}
