/**
 * Which old value a new one came from: by name in objects, by key in lists of type map. Items of other lists have no
 * past. Used for ratcheting (what was wrong before may stay) and for `oldSelf`.
 */
import { deepEqual, type Json } from '@capstan/kube';
import { isObject, type JsonObject } from './json.ts';
import { fieldSchema, planOf } from './plan.ts';
import type { Schema } from './schema.ts';

/** A value with the old one it is compared to. */
export class Correlated {
  readonly value: Json;
  readonly old: Json;
  readonly #schema: Schema;
  #equal: boolean | undefined;
  #oldItems: ReadonlyMap<string, Json> | undefined;

  constructor(value: Json, old: Json, schema: Schema) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** The field of both objects; undefined where one of them has none or the schema does not describe it. */
  field(name: string): Correlated | undefined {
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    if (!Object.hasOwn(this.value, name) || !Object.hasOwn(this.old, name)) return undefined;
    const schema = fieldSchema(planOf(this.#schema), name);
    return schema && new Correlated(this.value[name]!, this.old[name]!, schema);
  }

  /** The item of a list of type map and the first old item with the same keys. */
  item(index: number): Correlated | undefined {
    if (!Array.isArray(this.value) || !Array.isArray(this.old) || this.#schema.items === undefined) return undefined;
    const keys = this.#schema['x-kubernetes-list-map-keys'];
    if (this.#schema['x-kubernetes-list-type'] !== 'map' || keys === undefined) return undefined;
    const item = this.value[index];
    const key = isObject(item) ? itemKey(item, keys) : undefined;
    if (key === undefined) return undefined;
    const old = (this.#oldItems ??= itemsByKey(this.old, keys)).get(key);
    return old === undefined ? undefined : new Correlated(item!, old, this.#schema.items);
  }

  /** Nothing changed here. */
  get unchanged(): boolean {
    return (this.#equal ??= deepEqual(this.value, this.old));
  }
}

function itemsByKey(items: readonly Json[], keys: readonly string[]): Map<string, Json> {
  const byKey = new Map<string, Json>();
  for (const item of items) {
    const key = isObject(item) ? itemKey(item, keys) : undefined;
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return byKey;
}

/** Of the values of the key fields; undefined unless all are there and scalar. */
function itemKey(item: JsonObject, keys: readonly string[]): string | undefined {
  const values: Json[] = [];
  for (const key of keys) {
    if (!Object.hasOwn(item, key)) return undefined;
    const value = item[key]!;
    if (value === null || typeof value === 'object') return undefined;
    values.push(value);
  }
  return JSON.stringify(values);
}
