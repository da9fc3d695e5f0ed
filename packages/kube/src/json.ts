/** Comparing, copying and freezing plain JSON. Hand-written because these run on every object that passes through a cache. */

/** A type whose parts may be written to: what `draft` gives for a frozen object. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Draft<T[Key]> }
    : T;

/** A deep copy to edit. Cached objects are frozen and shared: change a draft, then write that. */
export function draft<T>(value: T): Draft<T> {
  return copy(value) as Draft<T>;
}

/** A deep copy of plain JSON, about five times faster than `structuredClone`. */
export function deepClone<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index++) items[index] = copy(value[index]);
    return items;
  }
  const fields: Record<string, unknown> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const field = copy((value as Record<string, unknown>)[key]);
    // Plain assignment to this one key would set the prototype instead: labels and annotations are named by users.
    if (key === '__proto__') Object.defineProperty(fields, key, { value: field, ...ORDINARY });
    else fields[key] = field;
  }
  return fields;
}

const ORDINARY = { enumerable: true, configurable: true, writable: true } as const;

/** Equal as JSON: the order of keys does not matter, and a key whose value is `undefined` is the same as no key. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Number.isNaN(left) && Number.isNaN(right);
  }
  if (Array.isArray(left)) return Array.isArray(right) && equalItems(left, right);
  return !Array.isArray(right) && equalFields(left as Fields, right as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function equalItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    if (!deepEqual(left[index], right[index])) return false;
  }
  return true;
}

function equalFields(left: Fields, right: Fields): boolean {
  let extra = 0;
  for (const key in left) {
    if (left[key] === undefined) continue;
    if (!Object.hasOwn(right, key) || !deepEqual(left[key], right[key])) return false;
    extra++;
  }
  for (const key in right) if (right[key] !== undefined) extra--;
  return extra === 0;
}

/**
 * The value without keys that are `undefined`: they are convenient to write and do not exist in JSON. What has none of them is
 * given back as it is, not copied.
 */
export function withoutUndefined<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(withoutUndefined);
    return items.every((item, index) => item === value[index]) ? value : (items as T);
  }
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [key, field] of Object.entries(value)) {
    const kept = withoutUndefined(field);
    if (kept !== field || field === undefined) changed = true;
    if (field !== undefined) entries.push([key, kept]);
  }
  return changed ? (Object.fromEntries(entries) as T) : value;
}

/** Freezes the value and all it holds, and gives it back. A part that is frozen already is taken to be frozen throughout. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) freezePart(value[index]);
  } else {
    for (const key in value) freezePart((value as Fields)[key]);
  }
  return Object.freeze(value);
}

function freezePart(value: unknown): void {
  if (typeof value === 'object' && value !== null) deepFreeze(value);
}
