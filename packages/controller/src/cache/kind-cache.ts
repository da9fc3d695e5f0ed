import {
  type Clock,
  type KubeObject,
  type LabelSelection,
  labelMatcher,
  type ObjectIdentity,
  type ObjectMeta,
  type ObjectReference,
  type Random,
  type Resource,
  type Transport,
} from '@capstan/kube';
import { ControllerError } from '../errors.ts';
import type { ReflectorState } from '../reflector/reflector.ts';
import { newestFirst } from '../reflector/resource-version.ts';
import type { Held } from './held.ts';
import { OwnWrites, type Unseen } from './own-writes.ts';
import { Partition } from './partition.ts';
import { type ScopeOptions, scopeOf } from './scope.ts';
import { byNamespace, byOwner, type Change, type HeldChange, type IndexFunction } from './store.ts';
import { Waiters, waitUntil } from './waiters.ts';
import type { Write } from './write.ts';

export interface KindOptions<T extends KubeObject> extends ScopeOptions {
  /** Further ways to find objects, by name; `by('node', 'n1')` reads them. `namespace` and `owner` are always there. */
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>> | undefined;
  /** Gives what is worth keeping of an object. It must leave name, namespace, uid, resourceVersion and labels in place. */
  readonly transform?: ((object: T) => T) | undefined;
}

/** Which objects of a kind. All conditions have to hold. */
export interface Query {
  readonly namespace?: string | undefined;
  readonly labels?: LabelSelection | undefined;
  /** The uid of an owner. */
  readonly owner?: string | undefined;
}

export interface ReadOptions {
  /**
   * `seen` (the default): wait until the cache shows everything that this process wrote to the kind before the read.
   * `ignored`: answer at once, from whatever the cache holds.
   */
  readonly ownWrites?: 'seen' | 'ignored';
  readonly signal?: AbortSignal | undefined;
}

/** A change of a cached kind, as subscribers are told of it. */
export type CacheChange<T extends KubeObject = KubeObject> = Change<T> & {
  /** Which object: what costs nothing to know. */
  readonly identity: ObjectIdentity;
  /** Of `object`, without what it costs to read that for the first time. Not to be changed. */
  readonly metadata: ObjectMeta;
  /** Of `previous`, likewise. */
  readonly previousMetadata: ObjectMeta | undefined;
  /** Part of the first list: nothing happened to the object, we only learned of it. */
  readonly initial: boolean;
  /** The controller whose write this is and nothing else, if there is one. */
  writer(): string | undefined | Promise<string | undefined>;
};

/** The cache as it is at this moment. */
export interface View<T extends KubeObject> {
  get(reference: ObjectReference): T | undefined;
  list(query?: Query): T[];
  by(index: string, value: string): T[];
}

/** Long enough for a watch that is alive; a dead one is noticed later, and until then reads fail instead of lying. */
export const OWN_WRITES_TIMEOUT = 10_000;

export interface KindCacheContext {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly onState?: ((state: ReflectorState, name: string) => void) | undefined;
  /** The signal of whatever is reading now, for reads that bring none. */
  readonly currentSignal?: (() => AbortSignal | undefined) | undefined;
}

/** One declared kind: its objects, kept up to date. */
export class KindCache<T extends KubeObject = KubeObject> {
  readonly resource: Resource<T>;
  readonly options: KindOptions<T>;
  /** Reads without waiting, from what the cache holds right now; for functions that cannot wait, like `map`. */
  readonly now: View<T>;
  readonly #context: KindCacheContext;
  /** Shared with the stores, which build an index when it is first asked for. */
  readonly #indexes: Map<string, IndexFunction<T>>;
  readonly #partitions: readonly Partition<T>[];
  readonly #writes: OwnWrites;
  readonly #waiters = new Waiters();
  readonly #subscribers = new Set<(change: CacheChange<T>) => void>();

  constructor(resource: Resource<T>, options: KindOptions<T>, context: KindCacheContext) {
    this.resource = resource;
    this.options = options;
    this.#context = context;
    const scope = scopeOf(options);
    const indexes = (this.#indexes = new Map<string, IndexFunction<T>>([
      ['namespace', byNamespace],
      ['owner', byOwner],
      ...Object.entries(options.indexes ?? {}),
    ]));
    const { namespaces } = options;
    const parts = namespaces === undefined || !resource.namespaced ? [undefined] : [...new Set(namespaces)];
    this.#partitions = parts.map(
      namespace =>
        new Partition({
          resource,
          namespace,
          scope,
          indexes,
          transform: options.transform,
          transport: context.transport,
          clock: context.clock,
          random: context.random,
          onChange: (change, initial) => this.#publish(change, initial),
          onProgress: () => this.#progress(),
          onState: (state, name) => context.onState?.(state, name),
        }),
    );
    this.#writes = new OwnWrites(unseen => this.#shows(unseen));
    this.now = {
      get: reference => this.#get(reference),
      list: query => this.#list(query),
      by: (index, value) => this.#by(index, value),
    };
  }

  /** Adds indexes; false, and nothing is added, if one of them has the name of another that is there. */
  addIndexes(indexes: NonNullable<KindOptions<T>['indexes']>): boolean {
    const added = Object.entries(indexes);
    if (added.some(([name, read]) => (this.#indexes.get(name) ?? read) !== read)) return false;
    for (const [name, read] of added) this.#indexes.set(name, read);
    return true;
  }

  /** Whether the first list is in. */
  get synced(): boolean {
    return this.#partitions.every(partition => partition.synced);
  }

  get size(): number {
    return this.#partitions.reduce((sum, { store }) => sum + store.size, 0);
  }

  /** How long the worst connected part has been without a watch, in milliseconds. */
  get disconnectedFor(): number {
    return Math.max(0, ...this.#partitions.map(({ reflector }) => reflector.disconnectedFor));
  }

  async get(reference: ObjectReference, options?: ReadOptions): Promise<T | undefined> {
    await this.#ready(options);
    return this.#get(reference);
  }

  /** In no particular order. */
  async list(query?: Query, options?: ReadOptions): Promise<T[]> {
    await this.#ready(options);
    return this.#list(query);
  }

  /** What a declared index finds. */
  async by(index: string, value: string, options?: ReadOptions): Promise<T[]> {
    await this.#ready(options);
    return this.#by(index, value);
  }

  /**
   * Tells of every change from now on, in order, and first of everything that is there: what changed last comes first, since after
   * a restart or a change of leaders that is what nobody may have looked at yet.
   */
  subscribe(handler: (change: CacheChange<T>) => void): () => void {
    for (const now of newestFirst(this.#held()))
      handler(changeOf({ type: 'added', now, before: undefined }, true, undefined));
    this.#subscribers.add(handler);
    return () => this.#subscribers.delete(handler);
  }

  /** A write to this kind is on its way; see `OwnWrites.begin`. */
  beginWrite(write: Write): ReturnType<OwnWrites['begin']> {
    return this.#writes.begin(write);
  }

  /** Keeps the cache until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#partitions.map(({ reflector }) => reflector.run(signal)));
  }

  /** Resolves when the first list is in. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    await waitUntil(this.#waiters, () => this.synced, { signal });
  }

  async #ready({ ownWrites = 'seen', signal = this.#context.currentSignal?.() }: ReadOptions = {}): Promise<void> {
    signal?.throwIfAborted();
    if (ownWrites === 'ignored' && this.synced) return;
    const awaited = ownWrites === 'ignored' ? [] : this.#writes.unseen();
    const isReady = (): boolean => this.synced && awaited.every(unseen => this.#shows(unseen));
    const { clock } = this.#context;
    const { kind } = this.resource;
    const late = (): Error =>
      new ControllerError(
        'CacheBehind',
        this.synced
          ? `the cache of ${kind} does not show this process's own writes after ${OWN_WRITES_TIMEOUT / 1000} s`
          : `the cache of ${kind} has no first list after ${OWN_WRITES_TIMEOUT / 1000} s`,
      );
    await waitUntil(this.#waiters, isReady, { signal, clock, timeout: OWN_WRITES_TIMEOUT, late });
  }

  #shows(unseen: Unseen): boolean {
    return this.#partitions.every(partition => partition.shows(unseen));
  }

  #get({ namespace = '', name }: ObjectReference): T | undefined {
    for (const { store } of this.#partitions) {
      const object = store.get(`${namespace}/${name}`);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  #list({ namespace, labels, owner }: Query = {}): T[] {
    const matcher = labels === undefined ? undefined : labelMatcher(labels);
    const found =
      owner !== undefined
        ? this.#heldBy('owner', owner)
        : namespace !== undefined
          ? this.#heldBy('namespace', namespace)
          : this.#held();
    return found
      .filter(
        ({ metadata }) =>
          (namespace === undefined || metadata.namespace === namespace) &&
          (matcher === undefined || matcher.matches(metadata.labels)),
      )
      .map(held => held.object);
  }

  #by(index: string, value: string): T[] {
    return this.#heldBy(index, value).map(held => held.object);
  }

  #held(): Held<T>[] {
    return this.#partitions.flatMap(({ store }) => [...store.held()]);
  }

  #heldBy(index: string, value: string): Held<T>[] {
    return this.#partitions.flatMap(({ store }) => {
      const found = store.by(index, value);
      if (found !== undefined) return found;
      throw new ControllerError(
        'NoSuchIndex',
        `the cache of ${this.resource.kind} has no index "${index}": declare it where the kind is declared`,
      );
    });
  }

  #publish(change: HeldChange<T>, initial: boolean): void {
    if (this.#subscribers.size === 0) return;
    // Asked now, while the writes that may explain the change are still remembered.
    const told = changeOf(change, initial, initial ? undefined : this.#writes.writerOf(change));
    for (const subscriber of this.#subscribers) subscriber(told);
  }

  #progress(): void {
    this.#writes.prune();
    this.#waiters.wake();
  }
}

/** Objects are parsed and frozen by the subscriber who looks at them first. */
function changeOf<T extends KubeObject>(
  { type, now, before }: HeldChange<T>,
  initial: boolean,
  writer: string | undefined | Promise<string | undefined>,
): CacheChange<T> {
  return {
    type,
    identity: now.identity,
    get metadata() {
      return now.metadata;
    },
    get previousMetadata() {
      return before?.metadata;
    },
    get object() {
      return now.object;
    },
    get previous() {
      return before?.object;
    },
    initial,
    writer: () => writer,
  } as CacheChange<T>;
}
