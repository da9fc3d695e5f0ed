import type { Json } from '@capstan/kube';
import { List } from './list.ts';
import { Mapping } from './mapping.ts';
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

  constructor(data: readonly Json[]) {
    super();
    this.#data = data;
  }

  override get size(): number {
    return this.#data.length;
  }

  override at(index: number): Value {
    return fromJson(this.#data[index]!);
  }
}

class JsonMap extends Mapping {
  readonly #data: JsonObject;
  #size: number | undefined;

  constructor(data: JsonObject) {
    super();
    this.#data = data;
  }

  override get size(): number {
    return (this.#size ??= Object.keys(this.#data).length);
  }

  override get(key: Value): Value | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#data, key)) return undefined;
    return fromJson(this.#data[key]!);
  }

  override *keys(): Iterable<Value> {
    yield* Object.keys(this.#data);
  }
}
