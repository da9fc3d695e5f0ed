/**
 * The caches of one cluster. A kind is declared once, with what of it is wanted; whoever reads a kind that was not declared is
 * told so. (A hidden cluster-wide watch, started by a read, is what fills the memory of operators elsewhere.)
 */
import {
  type ApiResponse,
  apiVersionOf,
  deepEqual,
  type KubeObject,
  type ObjectReference,
  type Resource,
} from '@capstan/kube';
import { ControllerError } from '../errors.ts';
import { KindCache, type KindCacheContext, type KindOptions, type Query, type ReadOptions } from './kind-cache.ts';
import type { Write } from './write.ts';

export class Cache {
  readonly #context: KindCacheContext;
  readonly #kinds = new Map<string, KindCache>();
  #running:
    | { readonly signal: AbortSignal; readonly ended: Promise<void>[]; readonly fail: (error: unknown) => void }
    | undefined;

  constructor(context: KindCacheContext) {
    this.#context = context;
  }

  /**
   * Says that a kind is wanted, and what of it. Saying it again is fine if the same of it is wanted, or nothing is said; indexes
   * add up, so each of several controllers names its own.
   *
   * @example cache.declare(pods, { namespaces: ['apps'], indexes: { node: pod => pod.spec.nodeName } })
   */
  declare<T extends KubeObject>(resource: Resource<T>, options?: KindOptions<T>): KindCache<T> {
    const key = kindKey(resource);
    const existing = this.#kinds.get(key) as KindCache<T> | undefined;
    if (existing !== undefined) {
      if (options === undefined) return existing;
      if (sameScope(options, existing.options) && existing.addIndexes(options.indexes ?? {})) return existing;
      throw new ControllerError(
        'DeclaredTwice',
        `${resource.kind} (${apiVersionOf(resource)}) is cached already, with other options: declare it once, for all who read it`,
      );
    }
    const kind = new KindCache<T>(resource, options ?? {}, this.#context);
    this.#kinds.set(key, kind as unknown as KindCache);
    this.#run(kind as unknown as KindCache);
    return kind;
  }

  /** A declared kind; a `NotCached` error for any other. */
  of<T extends KubeObject>(resource: Resource<T>): KindCache<T> {
    const kind = this.#kinds.get(kindKey(resource));
    if (kind !== undefined) return kind as unknown as KindCache<T>;
    const variant = resource.metadataOnly ? ' (metadata only)' : '';
    throw new ControllerError(
      'NotCached',
      `${resource.kind}${variant} (${apiVersionOf(resource)}) is not cached: declare it with cache.declare(), or read it with the client`,
    );
  }

  /** The object of that name, or `undefined`. */
  async get<T extends KubeObject>(
    resource: Resource<T>,
    reference: ObjectReference,
    options?: ReadOptions,
  ): Promise<T | undefined> {
    return this.of(resource).get(reference, options);
  }

  async list<T extends KubeObject>(resource: Resource<T>, query?: Query, options?: ReadOptions): Promise<T[]> {
    return this.of(resource).list(query, options);
  }

  async by<T extends KubeObject>(
    resource: Resource<T>,
    index: string,
    value: string,
    options?: ReadOptions,
  ): Promise<T[]> {
    return this.of(resource).by(index, value, options);
  }

  /** All declared kinds. */
  get kinds(): readonly KindCache[] {
    return [...this.#kinds.values()];
  }

  /** A write through this cluster's client is on its way; the returned function is called with its answer. */
  beginWrite(write: Write): (response: ApiResponse | undefined) => void {
    const ends = this.kinds
      .filter(({ resource }) => resource.group === write.target.group && resource.plural === write.target.plural)
      .map(kind => kind.beginWrite(write));
    return response => {
      for (const end of ends) end(response);
    };
  }

  /** Keeps all kinds until the signal is aborted, including those that are declared later. */
  async run(signal: AbortSignal): Promise<void> {
    const { promise: failed, reject: fail } = Promise.withResolvers<never>();
    const stopped = new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#running = { signal, ended: [], fail };
    for (const kind of this.#kinds.values()) this.#run(kind);
    await Promise.race([stopped, failed]);
    await Promise.all(this.#running.ended);
    this.#running = undefined;
  }

  /** Resolves when every kind that is declared now has its first list. */
  async whenSynced(signal?: AbortSignal): Promise<void> {
    await Promise.all(this.kinds.map(kind => kind.whenSynced(signal)));
  }

  #run(kind: KindCache): void {
    if (this.#running === undefined) return;
    const { signal, ended, fail } = this.#running;
    ended.push(kind.run(signal).catch(fail));
  }
}

function kindKey({ group, plural, metadataOnly }: Resource): string {
  return `${plural}.${group}${metadataOnly ? ':metadata' : ''}`;
}

function sameScope<T extends KubeObject>(left: KindOptions<T>, right: KindOptions<T>): boolean {
  return (
    deepEqual([left.namespaces, left.labels, left.fields], [right.namespaces, right.labels, right.fields]) &&
    left.transform === right.transform
  );
}
