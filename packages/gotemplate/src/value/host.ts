/** The border between JavaScript data and template values. */

import { GoFunc } from './function.ts';
import { ANY_MAP, type GoType, INT, INT64, UINT64 } from './types.ts';
import { Complex, GoMap, GoNil, GoObject, GoSlice, Int, list, type Value } from './values.ts';

/** JSON as JavaScript holds it, with the value classes allowed anywhere inside. */
export type HostValue =
  | Value
  | bigint
  | readonly HostValue[]
  | { readonly [key: string]: HostValue }
  | ReadonlyMap<string, HostValue>;

/**
 * Turns JavaScript data into a template value: objects and Maps become `map[string]interface {}`, arrays `[]interface {}`, numbers
 * float64 (as Go's JSON and Helm's values have them), bigints int. Values pass through as they are.
 */
export function fromHost(data: HostValue): Value {
  if (typeof data === 'bigint') return new Int(data, INT);
  if (typeof data !== 'object' || data === null || isValue(data)) return data as Value;
  if (Array.isArray(data)) return list((data as readonly HostValue[]).map(item => fromHost(item) ?? null));
  const entries = data instanceof Map ? data.entries() : Object.entries(data as Record<string, HostValue>);
  return mapFrom(entries);
}

function mapFrom(entries: Iterable<readonly [string, HostValue]>, type: GoType = ANY_MAP): GoMap {
  const map = new GoMap([], type);
  for (const [key, value] of entries) map.set(key, fromHost(value));
  return map;
}

/** A map of a named type, for host objects with methods on a map (Helm's `chartutil.Values`). */
export function namedMap(type: GoType, data: Readonly<Record<string, HostValue>>): GoMap {
  return mapFrom(Object.entries(data), type);
}

function isValue(data: object): boolean {
  return (
    data instanceof GoMap ||
    data instanceof GoSlice ||
    data instanceof Int ||
    data instanceof GoObject ||
    data instanceof GoFunc ||
    data instanceof GoNil ||
    data instanceof Complex ||
    data instanceof Uint8Array
  );
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The plain JSON of a value: maps become objects without a prototype, so that no key has a meaning of its own. Integers beyond
 * 2^53 lose precision, as they do in JSON.parse.
 */
export function toHost(value: Value): Json {
  if (value === undefined || value === null || value instanceof GoNil || value instanceof GoFunc) return null;
  if (typeof value !== 'object') return value;
  if (value instanceof Int) return Number(value.value);
  if (value instanceof Complex) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof GoSlice) return value.isNil ? null : value.items.map(toHost);
  const out: { [key: string]: Json } = Object.create(null);
  if (value instanceof GoMap) {
    if (value.isNil) return null;
    for (const key of value.keys()) out[key] = toHost(value.get(key));
    return out;
  }
  for (const field of value.fields) if (!field.hidden) out[field.json ?? field.name] = toHost(field.value);
  return out;
}

/** The integer constructors hosts need most. */
export const go = {
  int: (value: number | bigint): Int => new Int(BigInt(value), INT),
  int64: (value: number | bigint): Int => new Int(BigInt(value), INT64),
  uint64: (value: number | bigint): Int => new Int(BigInt(value), UINT64),
};
