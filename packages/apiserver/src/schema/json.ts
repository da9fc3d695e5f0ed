/** Plain JSON: what it is, whether two values are equal, and copies that no key name can break. */
import type { Json } from '@capstan/kube';

export type JsonObject = { [key: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property or undefined: `constructor` and `__proto__` are ordinary keys in user data. */
export function own<T>(object: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Assigns a property; a plain assignment to `__proto__` would replace the prototype instead. */
export function assign(object: JsonObject, key: string, value: Json): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** A mutable deep copy of JSON, frozen or not. */
export function copyJson<T extends Json>(value: T): T {
  if (Array.isArray(value)) return value.map(copyJson) as unknown as T;
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) assign(copy, key, copyJson(value[key]!));
  return copy as T;
}

/** Deep equality; the order of an object's keys does not matter. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!equalJson(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false;
    if (!equalJson((a as JsonObject)[key], (b as JsonObject)[key])) return false;
  }
  return true;
}

/** Text that is equal for equal values: JSON with sorted keys. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${fields.join(',')}}`;
}

/** The same value with its keys in order, as Go prints maps. */
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) assign(sorted, key, sortKeys(value[key]!));
  return sorted;
}
