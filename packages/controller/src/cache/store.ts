/**
 * Objects of one kind by name, with indexes. What comes out is frozen: one object is shared by all who read it. An index is built
 * when it is first asked for, and kept from then on.
 */
import type { KubeObject, ObjectIdentity, ObjectMeta } from '@capstan/kube';
import type { Held } from './held.ts';

/** What an object is found by: none, one or several values. */
export type IndexFunction<T extends KubeObject> = (object: T) => string | readonly string[] | undefined;

export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T; readonly previous?: undefined }
  | { readonly type: 'updated'; readonly object: T; readonly previous: T }
  | { readonly type: 'deleted'; readonly object: T; readonly previous: T };

/** A change whose objects nobody has looked at yet. */
export interface HeldChange<T extends KubeObject = KubeObject> {
  readonly type: Change<T>['type'];
  readonly now: Held<T>;
  readonly before: Held<T> | undefined;
}

/** Objects by the uids of their owners. */
export const byOwner: IndexFunction<KubeObject> = ({ metadata }) => metadata.ownerReferences?.map(owner => owner.uid);

/** Objects by namespace. */
export const byNamespace: IndexFunction<KubeObject> = ({ metadata }) => metadata.namespace ?? '';

export class Store<T extends KubeObject> {
  readonly #functions: ReadonlyMap<string, IndexFunction<T>>;
  readonly #indexes = new Map<string, Map<string, Set<string>>>();
  #objects = new Map<string, Held<T>>();

  constructor(indexes: ReadonlyMap<string, IndexFunction<T>> = new Map()) {
    this.#functions = indexes;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key)?.object;
  }

  /** The metadata that is held, for looking, not for handing on. */
  metadataOf(key: string): ObjectMeta | undefined {
    return this.#objects.get(key)?.metadata;
  }

  /** All of them, unread. */
  held(): IterableIterator<Held<T>> {
    return this.#objects.values();
  }

  /** The objects whose index function gives `value`, unread, in no particular order; `undefined` if there is no such index. */
  by(index: string, value: string): Held<T>[] | undefined {
    const keys = this.#index(index)?.get(value);
    if (keys === undefined) return this.#functions.has(index) ? [] : undefined;
    return Array.from(keys, key => this.#objects.get(key)!);
  }

  /** Stores the object. One of the same name that was made anew has another uid: then the old one is deleted first. */
  put(now: Held<T>): HeldChange<T>[] {
    const { key } = now;
    const before = this.#objects.get(key);
    this.#objects.set(key, now);
    if (this.#indexes.size > 0) this.#reindex(key, before, now);
    return changesBetween(before, now);
  }

  /** Removes the object of that name; `now` is its last state. Nothing happened if it was not there. */
  remove(now: Held<T>): HeldChange<T>[] {
    const { key } = now;
    const before = this.#objects.get(key);
    if (before === undefined) return [];
    this.#objects.delete(key);
    if (this.#indexes.size > 0) this.#reindex(key, before, undefined);
    return [{ type: 'deleted', now, before }];
  }

  /** Puts a whole list in place of what is there, in one step, and tells only what is different. */
  replace(objects: readonly Held<T>[]): HeldChange<T>[] {
    const old = this.#objects;
    const after = new Map<string, Held<T>>();
    const changes: HeldChange<T>[] = [];
    for (const now of objects) {
      const { key } = now;
      const before = old.get(key);
      const unchanged = before !== undefined && sameVersion(before.identity, now.identity);
      after.set(key, unchanged ? before : now);
      if (!unchanged) changes.push(...changesBetween(before, now));
    }
    for (const [key, before] of old) {
      if (!after.has(key)) changes.push({ type: 'deleted', now: before, before });
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
    for (const [key, held] of this.#objects) {
      for (const value of valuesOf(read, held)) insert(index, value, key);
    }
    this.#indexes.set(name, index);
    return index;
  }

  #reindex(key: string, old: Held<T> | undefined, now: Held<T> | undefined): void {
    for (const [name, index] of this.#indexes) {
      const read = this.#functions.get(name)!;
      const before = old === undefined ? [] : valuesOf(read, old);
      const after = now === undefined ? [] : valuesOf(read, now);
      if (before.length === 1 && after.length === 1 && before[0] === after[0]) continue;
      for (const value of before) remove(index, value, key);
      for (const value of after) insert(index, value, key);
    }
  }
}

function sameVersion(left: ObjectIdentity, right: ObjectIdentity): boolean {
  return left.uid === right.uid && left.resourceVersion === right.resourceVersion;
}

function changesBetween<T extends KubeObject>(before: Held<T> | undefined, now: Held<T>): HeldChange<T>[] {
  if (before === undefined) return [{ type: 'added', now, before }];
  if (before.identity.uid === now.identity.uid) return [{ type: 'updated', now, before }];
  return [
    { type: 'deleted', now: before, before },
    { type: 'added', now, before: undefined },
  ];
}

function valuesOf<T extends KubeObject>(read: IndexFunction<T>, held: Held<T>): readonly string[] {
  // Our own functions look at metadata only; those that others wrote get what everybody gets.
  const values = read === byOwner || read === byNamespace ? read({ metadata: held.metadata } as T) : read(held.object);
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
