import { apiVersionOf, type Clock, type Status, type Timer } from '@capstan/kube';
import type { KindDefinition, Stored } from '../kind.ts';
import type { Kinds } from '../kinds.ts';
import { expired, failure, StatusError } from '../status.ts';
import { tableOf, viewOf } from '../storage.ts';
import { Entry } from '../store/entry.ts';
import { type Change, RevisionExpired, type Store } from '../store/store.ts';
import type { Views } from '../views.ts';
import { type ListOptions, requestedRevision } from './list-options.ts';
import type { Selection } from './selection.ts';

/** One event on its way to a client. The object's text is shared between all watchers that get the same one. */
export type OutgoingEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly entry: Entry }
  | { readonly type: 'BOOKMARK'; readonly object: object }
  | { readonly type: 'ERROR'; readonly object: Status };

/** Where events go. Neither method may throw or call back into the watch. */
export interface WatchSink {
  send(event: OutgoingEvent): void;
  end(): void;
}

export interface Watch {
  /** Begins to send. Gives the function that stops it; after that, nothing more is sent. */
  start(sink: WatchSink): () => void;
}

/** As often as Kubernetes sends them. */
const BOOKMARK_PERIOD_MS = 60_000;
/** A watch that names no time-out lives 30 to 60 minutes in Kubernetes; ours the shorter of them. */
const DEFAULT_TIMEOUT_SECONDS = 1800;

export interface WatchRequest {
  readonly store: Store;
  readonly views: Views;
  readonly kinds: Kinds;
  readonly kind: KindDefinition;
  readonly selected: Selection;
  readonly options: ListOptions;
  readonly clock: Clock;
}

/** A watch that a request has asked for. It begins when someone listens, so that nothing has to be kept until then. */
export function watch(request: WatchRequest): Watch {
  requestedRevision(request.options.resourceVersion); // refuses nonsense before the stream begins
  return { start: sink => new RunningWatch(request, sink).run() };
}

class RunningWatch {
  readonly #request: WatchRequest;
  readonly #sink: WatchSink;
  readonly #view: (entry: Entry) => Entry;
  readonly #timers = new Set<Timer>();
  #unsubscribe: () => void = () => {};
  #forgetKind: () => void = () => {};
  #stopped = false;
  /** What a converting webhook still has to do for this watch. */
  #tail: Promise<void> = Promise.resolve();
  #lastRevision: number;

  constructor(request: WatchRequest, sink: WatchSink) {
    this.#request = request;
    this.#sink = sink;
    this.#view = viewOf(request.kind);
    this.#lastRevision = request.store.revision;
  }

  run(): () => void {
    const { store, kind, options } = this.#request;
    const from = requestedRevision(options.resourceVersion);
    // Without a version (or with "0") a watch begins with what is there, unless the client says that it does not want it.
    const initial = options.sendInitialEvents ?? from === 0;
    if (from > store.revision) {
      // Only a server that began anew or was restored counts lower than a client has seen. Waiting would leave that client deaf.
      this.#fail(expired(`resource version ${from} is not known here, the newest is ${store.revision}: list anew`));
      return () => {};
    }
    try {
      if (initial) this.#sendInitial();
      const begin = initial || from === 0 ? store.revision : from;
      this.#unsubscribe = store.watch(tableOf(kind), begin, change => {
        const entries = change.previous ? [change.previous, change.entry] : [change.entry];
        this.#inOrder(entries, () => this.#forward(change));
      });
    } catch (error) {
      if (!(error instanceof RevisionExpired)) throw error;
      this.#fail(expired(error.message));
      return () => {};
    }
    if (!this.#stopped) this.#startTimers();
    return () => this.#stop();
  }

  #sendInitial(): void {
    const { store, kind, selected, options } = this.#request;
    const { revision } = store;
    const all = store.list(tableOf(kind), selected.prefix);
    this.#inOrder(all, () => {
      for (const stored of all) {
        const entry = this.#view(stored);
        if (selected.matches(entry.object)) this.#sink.send({ type: 'ADDED', entry });
      }
      if (options.sendInitialEvents && options.bookmarks) {
        this.#bookmark(revision, { 'k8s.io/initial-events-end': 'true' });
      }
    });
  }

  /** Does its work at once, or where a webhook converts, when it has, and after everything that was asked for before. */
  #inOrder(entries: readonly Entry[], work: () => void): void {
    const { kind, views } = this.#request;
    if (!kind.conversionWebhook) {
      work();
      return;
    }
    this.#tail = this.#tail
      .then(() => views.ready(kind, entries))
      .then(() => {
        if (!this.#stopped) work();
      })
      .catch((error: unknown) => {
        if (this.#stopped) return;
        this.#stop();
        this.#fail(error instanceof StatusError ? error : failure(500, '', String(error)));
      });
  }

  /** What a change means to this watcher: an object may come into its selection, or leave it, by being modified. */
  #forward(change: Change): void {
    this.#lastRevision = change.revision;
    const { prefix, matches } = this.#request.selected;
    if (prefix !== '' && !change.entry.key.startsWith(prefix)) return;
    const before = change.previous !== undefined && matches(this.#view(change.previous).object);
    const entry = this.#view(change.entry);
    const after = change.type !== 'DELETED' && matches(entry.object);
    if (after) this.#sink.send({ type: before ? 'MODIFIED' : 'ADDED', entry });
    else if (before) {
      const last = change.type === 'DELETED' ? entry : atRevision(this.#view(change.previous!), change.revision);
      this.#sink.send({ type: 'DELETED', entry: last });
    }
  }

  #startTimers(): void {
    const { options, kinds, kind } = this.#request;
    const end = (): void => {
      this.#stop();
      this.#sink.end();
    };
    this.#forgetKind = kinds.onWithdrawn(kind, end);
    // A time below nothing is over at once.
    this.#after(Math.max((options.timeoutSeconds || DEFAULT_TIMEOUT_SECONDS) * 1000, 0), end);
    if (!options.bookmarks) return;
    const again = (): void => {
      const revision = Math.max(this.#request.store.revision, this.#lastRevision);
      this.#inOrder([], () => this.#bookmark(revision));
      this.#after(BOOKMARK_PERIOD_MS, again);
    };
    this.#after(BOOKMARK_PERIOD_MS, again);
  }

  #after(milliseconds: number, callback: () => void): void {
    const timer = this.#request.clock.after(milliseconds, () => {
      this.#timers.delete(timer);
      if (!this.#stopped) callback();
    });
    this.#timers.add(timer.unref());
  }

  #bookmark(revision: number, annotations?: Record<string, string>): void {
    const { kind } = this.#request;
    const metadata = {
      resourceVersion: String(revision),
      ...(annotations && { annotations }),
    };
    this.#sink.send({ type: 'BOOKMARK', object: { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata } });
  }

  #fail({ status }: StatusError): void {
    this.#stopped = true;
    this.#sink.send({ type: 'ERROR', object: status });
    this.#sink.end();
  }

  #stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
    this.#forgetKind();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }
}

/** An object that left a selection is shown as it was while in it, at the version at which it left. */
function atRevision(entry: Entry, revision: number): Entry {
  const { object } = entry;
  const metadata = Object.freeze({ ...object.metadata, resourceVersion: String(revision) });
  return Entry.of(entry.key, revision, Object.freeze({ ...object, metadata }) as Stored);
}
