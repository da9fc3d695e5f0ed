import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@capstan/kube';
import type { Meter } from '../evaluate/meter.ts';
import type { Declared } from '../schema/declared.ts';
import { escapeName, unescapeName } from '../schema/names.ts';
import { equalOrFailure } from './equal.ts';
import type { Failure } from './failure.ts';
import { fromSchema } from './from-schema.ts';
import { Mapping } from './mapping.ts';
import { PartCache } from './part-cache.ts';
import type { Value } from './value.ts';

export type JsonObject = { readonly [key: string]: Json };

/** An object with declared fields, read by their escaped names. A field that holds null counts as absent. */
export class SchemaObject extends Mapping {
  readonly data: JsonObject;
  readonly declared: Declared;
  readonly #parts = new PartCache<string>();
  #keys: readonly string[] | undefined;

  constructor(data: JsonObject, declared: Declared) {
    super();
    this.data = data;
    this.declared = declared;
  }

  override get size(): number {
    return (this.#keys ??= Object.keys(this.data)).length;
  }

  override get(key: Value): Value | Failure | undefined {
    if (typeof key !== 'string') return undefined;
    const name = unescapeName(key);
    if (name === undefined || !Object.hasOwn(this.data, name)) return undefined;
    const field = this.declared.fields?.get(escapeName(name) ?? name);
    if (field === undefined) return undefined;
    const raw = this.data[name];
    return raw === null || raw === undefined ? undefined : this.#parts.get(name, () => fromSchema(raw, field));
  }

  override *keys(): Iterable<Value> {
    for (const name of (this.#keys ??= Object.keys(this.data))) {
      const escaped = escapeName(name);
      if (escaped !== undefined && this.declared.fields?.has(escaped)) yield escaped;
    }
  }
}

/** An object with `additionalProperties`: keys are as the user wrote them. */
export class SchemaMap extends Mapping {
  readonly #data: JsonObject;
  readonly #element: Declared;
  readonly #parts = new PartCache<string>();
  #keys: readonly string[] | undefined;

  constructor(data: JsonObject, element: Declared) {
    super();
    this.#data = data;
    this.#element = element;
  }

  override get size(): number {
    return (this.#keys ??= Object.keys(this.#data)).length;
  }

  override get(key: Value): Value | Failure | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.#data, key)) return undefined;
    return this.#parts.get(key, () => fromSchema(this.#data[key]!, this.#element));
  }

  override *keys(): Iterable<Value> {
    yield* (this.#keys ??= Object.keys(this.#data));
  }
}

/** Finding a key in two objects of any size. */
const LOOK_UP = 24;

/**
 * Two objects with declared fields: fields without a declaration (preserved unknown ones, or of a type CEL has no word
 * for) cannot be read by a rule, but they do make objects differ.
 */
export function equalRecords(left: Mapping, right: Mapping, meter: Meter): boolean | Failure | undefined {
  if (!(left instanceof SchemaObject && right instanceof SchemaObject)) return undefined;
  for (const [name, raw] of Object.entries(left.data)) {
    meter.step(LOOK_UP);
    if (!Object.hasOwn(right.data, name)) return false;
    const escaped = escapeName(name);
    const own = escaped === undefined ? undefined : left.get(escaped);
    const other = escaped === undefined ? undefined : right.get(escaped);
    if (own !== undefined && other !== undefined) {
      const same = equalOrFailure(own, other, meter);
      if (same !== true) return same;
    } else {
      meter.step(weigh(raw));
      if (!isDeepStrictEqual(raw, right.data[name])) return false;
    }
  }
  return true;
}

/** About how many comparisons a deep comparison takes: the length of what is compared, without looking at it twice. */
function weigh(raw: Json): number {
  let steps = 0;
  const pending: Json[] = [raw];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    steps += typeof next === 'string' ? 1 + next.length / 32 : 1;
    if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) pending.push(part);
  }
  return steps;
}
