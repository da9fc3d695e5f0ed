/**
 * Objects of one kind by name, with indexes. What comes out is frozen: one object is shared by all who read it.
 *
 * Freezing costs as much as parsing, and most of what is watched is never read: an object is frozen when it is first handed
 * out. An index is built when it is first asked for, and kept from then on.
 */
import { deepFreeze, type KubeObject } from '@capstan/kube';

/** What an object is found by: none, one or several values. */
export type IndexFunction<T extends KubeObject> = (object: T) => string | readonly string[] | undefined;

export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T; readonly previous?: undefined }
  | { readonly type: 'updated'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T; readonly previous: T };

/** `namespace/name`, or `/name` for kinds without namespaces. */
export function objectKey({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

/** Objects by the uids of their owners. */
export const byOwner: IndexFunction<KubeObject> = ({ metadata }) => metadata.ownerReferences?.map(owner => owner.uid);

/** Objects by namespace. */
export const byNamespace: IndexFunction<KubeObject> = ({ metadata }) => metadata.namespace ?? '';

export class Store<T extends KubeObject> {
  readonly #functions: ReadonlyMap<string, IndexFunction<T>>;
  readonly #indexes = new Map<string, Map<string, Set<string>>>();
  #objects = new Map<string, T>();

  constructor(indexes: ReadonlyMap<string, IndexFunction<T>> = new Map()) {
    this.#functions = indexes;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    const object = this.#objects.get(key);
    return object && deepFreeze(object);
  }

  /** The metadata that is held, without the cost of freezing: for looking, not for handing on. */
  metadataOf(key: string): T['metadata'] | undefined {
    return this.#objects.get(key)?.metadata;
  }

  *values(): IterableIterator<T> {
    for (const object of this.#objects.values()) yield deepFreeze(object);
  }

  /** The objects whose index function gives `value`, in no particular order; `undefined` if there is no such index. */
  by(index: string, value: string): T[] | undefined {
    const keys = this.#index(index)?.get(value);
    if (keys === undefined) return this.#functions.has(index) ? [] : undefined;
    return Array.from(keys, key => deepFreeze(this.#objects.get(key)!));
  }

  /** Stores the object. One of the same name that was made anew has another uid: then the old one is deleted first. */
  put(object: T): Change<T>[] {
    const key = objectKey(object);
    const previous = this.#objects.get(key);
    this.#objects.set(key, object);
    if (this.#indexes.size > 0) this.#reindex(key, previous, object);
    return changesBetween(previous, object);
  }

  /** Removes the object of that name; `object` is its last state. Nothing happened if it was not there. */
  remove(object: T): Change<T>[] {
    const key = objectKey(object);
    const previous = this.#objects.get(key);
    if (previous === undefined) return [];
    this.#objects.delete(key);
    if (this.#indexes.size > 0) this.#reindex(key, previous, undefined);
    return [{ type: 'deleted', object, previous }];
  }

  /** Puts a whole list in place of what is there, in one step, and tells only what is different. */
  replace(objects: readonly T[]): Change<T>[] {
    const before = this.#objects;
    const after = new Map<string, T>();
    const changes: Change<T>[] = [];
    for (const object of objects) {
      const key = objectKey(object);
      const previous = before.get(key);
      const unchanged = previous !== undefined && sameVersion(previous, object);
      after.set(key, unchanged ? previous : object);
      if (!unchanged) changes.push(...changesBetween(previous, object));
    }
    for (const [key, previous] of before) {
      if (!after.has(key)) changes.push({ type: 'deleted', object: previous, previous });
    }
    this.#objects = after;
    this.#indexes.clear();
    return changes;
  }

  #index(name: string): Map<string, Set<string>> | undefined {
    const existing = this.#indexes.get(name);
    const read = this.#functions.get(name);
    if (existing !== undefined || read === undefined) return existing;
    const index = new Map<string, Set<string>>();
    for (const [key, object] of this.#objects) {
      for (const value of valuesOf(read, object)) insert(index, value, key);
    }
    this.#indexes.set(name, index);
    return index;
  }

  #reindex(key: string, previous: T | undefined, object: T | undefined): void {
    for (const [name, index] of this.#indexes) {
      const read = this.#functions.get(name)!;
      const before = previous === undefined ? [] : valuesOf(read, previous);
      const after = object === undefined ? [] : valuesOf(read, object);
      if (before.length === 1 && after.length === 1 && before[0] === after[0]) continue;
      for (const value of before) remove(index, value, key);
      for (const value of after) insert(index, value, key);
    }
  }
}

function sameVersion(left: KubeObject, right: KubeObject): boolean {
  return left.metadata.uid === right.metadata.uid && left.metadata.resourceVersion === right.metadata.resourceVersion;
}

function changesBetween<T extends KubeObject>(previous: T | undefined, object: T): Change<T>[] {
  if (previous === undefined) return [{ type: 'added', object }];
  if (previous.metadata.uid === object.metadata.uid) return [{ type: 'updated', object, previous }];
  return [
    { type: 'deleted', object: previous, previous },
    { type: 'added', object },
  ];
}

function valuesOf<T extends KubeObject>(read: IndexFunction<T>, object: T): readonly string[] {
  // Functions that others wrote get what everybody gets: an object that they cannot change.
  const values = read(read === byOwner || read === byNamespace ? object : deepFreeze(object));
  return values === undefined ? [] : typeof values === 'string' ? [values] : values;
}

function insert(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value);
  if (keys === undefined) index.set(value, new Set([key]));
  else keys.add(key);
}

function remove(index: Map<string, Set<string>>, value: string, key: string): void {
  const keys = index.get(value);
  if (keys?.delete(key) && keys.size === 0) index.delete(value);
}
