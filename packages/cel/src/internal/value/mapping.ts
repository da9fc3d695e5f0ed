import type { Failure } from './failure.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/** A map, or an object with fields: at run time the two are alike. */
export abstract class Mapping {
  abstract readonly size: number;

  /** `undefined` where there is no such key; a failure when the data does not fit its schema. */
  abstract get(key: Value): Value | Failure | undefined;

  abstract keys(): Iterable<Value>;
}

/** A map an expression computed. Keys are booleans, numbers and strings; `1`, `1u` and `1.0` are the same key. */
export class HashMapping extends Mapping {
  readonly #entries = new Map<string, { readonly key: Value; readonly value: Value }>();

  override get size(): number {
    return this.#entries.size;
  }

  override get(key: Value): Value | undefined {
    const identity = keyIdentity(key);
    return identity === undefined ? undefined : this.#entries.get(identity)?.value;
  }

  override *keys(): Iterable<Value> {
    for (const { key } of this.#entries.values()) yield key;
  }

  /** Replaces what was there. False for what cannot be a key. */
  set(key: Value, value: Value): boolean {
    const identity = keyIdentity(key);
    if (identity !== undefined) this.#entries.set(identity, { key, value });
    return identity !== undefined;
  }

  /** Says so where the key is taken already, or is nothing a key can be. */
  insert(key: Value, value: Value): 'inserted' | 'duplicate' | 'unsupported' {
    const identity = keyIdentity(key);
    if (identity === undefined) return 'unsupported';
    if (this.#entries.has(identity)) return 'duplicate';
    this.#entries.set(identity, { key, value });
    return 'inserted';
  }
}

export function keyIdentity(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`;
    case 'boolean':
      return `b${key}`;
    case 'bigint':
      return `n${key}`;
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : `n${key}`;
    default:
      return key instanceof Uint ? `n${key.value}` : undefined;
  }
}
