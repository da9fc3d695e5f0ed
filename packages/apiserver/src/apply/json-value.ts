/** Equality and order of JSON values as structured-merge-diff has them. */
import { compareStrings, floatText, quoted } from './go-text.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined fields do not count. */
export function isEmptyMap(map: JsonObject | undefined): boolean {
  for (const name in map) if (map[name] !== undefined) return false;
  return true;
}

/** A field of the map itself: every object inherits a `constructor`, and a ConfigMap may have a key of that name. */
export function own(map: JsonObject | undefined, name: string): unknown {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Sets a field, whatever its name: assigning to `__proto__` would set something else. */
export function put(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  else map[name] = value;
}

/** Deep equality; the order of keys does not count, an absent key is not a null one. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!equalValues(a[index], b[index])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  let count = 0;
  for (const key in a) {
    const ours = (a as JsonObject)[key];
    if (ours === undefined) continue;
    const theirs = own(b as JsonObject, key);
    if (theirs === undefined || !equalValues(ours, theirs)) return false;
    count++;
  }
  for (const key in b) if ((b as JsonObject)[key] !== undefined) count--;
  return count === 0;
}

function rank(value: unknown): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

/** A total order over all values: numbers, strings, booleans, lists, maps, null. */
export function compareValues(a: unknown, b: unknown): number {
  const kind = rank(a);
  const difference = kind - rank(b);
  if (difference !== 0) return difference < 0 ? -1 : 1;
  if (kind === 1) return compareStrings(a as string, b as string);
  if (kind === 3) return compareLists(a as unknown[], b as unknown[]);
  if (kind === 4) return compareFields(fieldsOf(a as JsonObject), fieldsOf(b as JsonObject));
  if (kind === 5 || a === b) return 0;
  return (a as number) < (b as number) ? -1 : 1;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

export type Field = readonly [name: string, value: unknown];

function fieldsOf(map: JsonObject): Field[] {
  return Object.entries(map).sort(([a], [b]) => compareStrings(a, b));
}

/** Fields sorted by name, compared one by one. */
export function compareFields(a: readonly Field[], b: readonly Field[]): number {
  for (let index = 0; ; index++) {
    const left = a[index];
    const right = b[index];
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
    const order = compareStrings(left[0], right[0]) || compareValues(left[1], right[1]);
    if (order !== 0) return order;
  }
}

/** A value inside a field path: `"x"`, `8080`, `[1,2]`. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  return Object.entries(value)
    .map(([key, item]) => `${key}=${valueText(item)}`)
    .join('');
}
