import { deepFreeze, type KubeObject, type ObjectIdentity, type ObjectMeta } from '@capstan/kube';
import type { Arrival } from '../reflector/arrival.ts';

/** What is kept of an object. */
export type Keep<T extends KubeObject> = (object: T) => T;

/** One object as a cache holds it. */
export interface Held<T extends KubeObject = KubeObject> {
  readonly identity: ObjectIdentity;
  /** For looking, not for handing on: it is not frozen before the object was read. */
  readonly metadata: ObjectMeta;
  /** `namespace/name`, or `/name` for kinds without namespaces. */
  readonly key: string;
  /** Frozen, and the same for all who read it. */
  readonly object: T;
}

export function hold<T extends KubeObject>(arrival: Arrival<T>, keep: Keep<T>): Held<T> {
  return new LazyObject(arrival, keep);
}

/**
 * What an object is found by is there at once; parsing and freezing the rest cost more than all else that a cache does, and most of
 * what is watched is never read: that waits for the first reader.
 */
class LazyObject<T extends KubeObject> implements Held<T> {
  readonly identity: ObjectIdentity;
  #arrival: Arrival<T> | undefined;
  #object: T | undefined;
  readonly #keep: Keep<T>;

  constructor(arrival: Arrival<T>, keep: Keep<T>) {
    this.identity = arrival.identity;
    this.#arrival = arrival;
    this.#keep = keep;
  }

  get key(): string {
    return objectKey(this.identity);
  }

  get metadata(): ObjectMeta {
    return (this.#arrival ?? this.#object!).metadata;
  }

  get object(): T {
    if (this.#arrival !== undefined) {
      this.#object = deepFreeze(this.#keep(this.#arrival.object));
      this.#arrival = undefined;
    }
    return this.#object!;
  }
}

/** `namespace/name`, or `/name` for kinds without namespaces. */
export function objectKey({ namespace = '', name }: ObjectIdentity): string {
  return `${namespace}/${name}`;
}
