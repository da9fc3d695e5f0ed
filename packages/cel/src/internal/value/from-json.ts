import type { Json } from '@capstan/kube';
import type { Failure } from './failure.ts';
import { List } from './list.ts';
import { Mapping } from './mapping.ts';
import { PartCache } from './part-cache.ts';
import type { JsonObject } from './schema-mapping.ts';
import type { Value } from './value.ts';

/** Plain JSON without a schema: whole numbers are ints, others doubles, objects are maps. */
export function fromJson(raw: Json): Value {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? BigInt(raw) : raw;
  if (Array.isArray(raw)) return new JsonList(raw);
  return typeof raw === 'object' && raw !== null ? new JsonMap(raw) : raw;
}

class JsonList extends List {
  readonly #data: readonly Json[];
  readonly #parts = new PartCache<number>();

  constructor(data: readonly Json[]) {
    super();
    this.#data = data;
  }

  override get size(): number {
    return this.#data.length;
  }

  override at(index: number): Value | Failure {
    return this.#parts.get(index, () => fromJson(this.#data[index]!));
  }
}

class JsonMap extends Mapping {
  readonly #data: JsonObject;
  readonly #parts = new PartCache<string>();
  #keys: readonly string[] | undefined;

  constructor(data: JsonObject) {
    super();
    this.#data = data;
  }

  override get size(): number {
    return (this.#keys ??= Object.keys(this.#data)).length;
  }

  override get(key: Value): Value | Failure | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#data, key)) return undefined;
    return this.#parts.get(key, () => fromJson(this.#data[key]!));
  }

  override *keys(): Iterable<Value> {
    yield* (this.#keys ??= Object.keys(this.#data));
  }
}
