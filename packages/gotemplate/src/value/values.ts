/**
 * The values a template works on. Go's kinds are kept apart, because they print, compare and convert differently:
 *
 * | Go                              | here                                   |
 * |---------------------------------|----------------------------------------|
 * | no value at all                 | `undefined`                            |
 * | nil in an interface             | `null`                                 |
 * | bool, string, float64           | `boolean`, `string`, `number`          |
 * | int, int64, uint8 …             | {@link Int}                            |
 * | complex128                      | {@link Complex}                        |
 * | []byte                          | `Uint8Array`                           |
 * | other slices                    | {@link GoSlice}                        |
 * | maps with string keys           | {@link GoMap}                          |
 * | structs, pointers to them       | {@link GoObject}                       |
 * | nil pointers                    | {@link GoNil}                          |
 * | functions                       | {@link GoFunc}                         |
 *
 * `undefined` and `null` differ as Go's invalid `reflect.Value` and nil interface do: a field of the first is again nothing, a
 * field of the second is the error "nil pointer evaluating interface {}.x".
 */

import { compareBytes } from '../text/bytes.ts';
import type { GoFunc } from './function.ts';
import {
  ANY,
  ANY_MAP,
  ANY_SLICE,
  BOOL,
  BYTES,
  COMPLEX128,
  FLOAT64,
  type GoType,
  INT,
  INT64,
  isUnsigned,
  type Kind,
  STRING,
  STRING_SLICE,
  UINT8,
} from './types.ts';

export type Value =
  | undefined
  | null
  | boolean
  | string
  | number
  | Int
  | Complex
  | Uint8Array
  | GoSlice
  | GoMap
  | GoObject
  | GoNil
  | GoFunc;

/** An integer of any of Go's integer types. */
export class Int {
  readonly value: bigint;
  readonly type: GoType;

  constructor(value: bigint, type: GoType = INT) {
    this.value = value;
    this.type = type;
  }
}

const bits: Partial<Record<Kind, number>> = {
  int: 64,
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  uint: 64,
  uint8: 8,
  uint16: 16,
  uint32: 32,
  uint64: 64,
};

/** An integer wrapped to the width of its type, as Go's arithmetic wraps. */
export function wrapped(value: bigint, type: GoType): Int {
  const width = bits[type.kind]!;
  return new Int(isUnsigned(type.kind) ? BigInt.asUintN(width, value) : BigInt.asIntN(width, value), type);
}

const small: Int[] = Array.from({ length: 256 }, (_, value) => new Int(BigInt(value), INT));

/** Go's `int` from a JavaScript integer. */
export function int(value: number): Int {
  return small[value] ?? new Int(BigInt(value), INT);
}

/** Go's `int64`. */
export function int64(value: bigint): Int {
  return wrapped(value, INT64);
}

/** Go's `complex128`. */
export class Complex {
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A slice of any type but bytes. A nil slice is empty and differs only in JSON (`null`) and comparisons with nil. */
export class GoSlice {
  readonly type: GoType;
  readonly items: readonly Value[];
  readonly isNil: boolean;

  constructor(items: readonly Value[], type: GoType = ANY_SLICE, isNil = false) {
    this.items = items;
    this.type = type;
    this.isNil = isNil;
  }
}

/** `[]interface {}`. */
export const list = (items: readonly Value[]): GoSlice => new GoSlice(items);
/** `[]string`. */
export const strings = (items: readonly string[]): GoSlice => new GoSlice(items, STRING_SLICE);
/** A nil slice. */
export const nilSlice = (type: GoType = ANY_SLICE): GoSlice => new GoSlice([], type, true);

/**
 * A map with string keys. Maps are shared by reference and changed in place by `set`, `unset` and `merge`, as Go's are.
 * Keys are data: `__proto__` and `constructor` mean nothing here.
 */
export class GoMap {
  readonly type: GoType;
  readonly isNil: boolean;
  readonly #entries: Map<string, Value>;
  #sorted: readonly string[] | undefined;

  constructor(entries: Iterable<readonly [string, Value]> = [], type: GoType = ANY_MAP, isNil = false) {
    this.#entries = new Map(entries);
    this.type = type;
    this.isNil = isNil;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** The element, or `undefined` where the key is absent. */
  get(key: string): Value {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    if (!this.#entries.has(key)) this.#sorted = undefined;
    this.#entries.set(key, value === undefined ? null : value);
  }

  delete(key: string): void {
    if (this.#entries.delete(key)) this.#sorted = undefined;
  }

  /** The keys in Go's order of printing and ranging (by bytes). Kept until a key comes or goes. */
  keys(): readonly string[] {
    this.#sorted ??= [...this.#entries.keys()].sort(compareBytes);
    return this.#sorted;
  }
}

/** A field of a struct, in order of declaration. */
export interface Field {
  readonly name: string;
  readonly value: Value;
  /** The name in JSON where it differs (`json:"name"`); `-` leaves the field out. */
  readonly json?: string;
  readonly omitEmpty?: boolean;
  /** Lower-case in Go: printed, but not reachable from a template. */
  readonly hidden?: boolean;
}

/** A struct, or a pointer to one (the type says which). */
export class GoObject {
  readonly type: GoType;
  readonly fields: readonly Field[];
  /** What methods work on, where the fields are not enough. */
  readonly state: unknown;
  readonly #byName: Map<string, Field>;

  constructor(type: GoType, fields: readonly Field[], state?: unknown) {
    this.type = type;
    this.fields = fields;
    this.state = state;
    this.#byName = new Map(fields.map(field => [field.name, field]));
  }

  field(name: string): Field | undefined {
    return this.#byName.get(name);
  }
}

/** A nil pointer of some type. */
export class GoNil {
  readonly type: GoType;

  constructor(type: GoType) {
    this.type = type;
  }
}

/** The dynamic type of a value; `undefined` for nothing and for nil. */
export function typeOf(value: Value): GoType | undefined {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'number':
      return FLOAT64;
    case 'boolean':
      return BOOL;
    case 'undefined':
      return undefined;
  }
  if (value === null) return undefined;
  if (value instanceof Complex) return COMPLEX128;
  if (value instanceof Uint8Array) return BYTES;
  return value.type;
}

/** The name of a value's type, where a nil interface is called by its static type. */
export function typeName(value: Value): string {
  return (typeOf(value) ?? ANY).name;
}

/** `reflect.ValueOf(value).Kind()`. */
export function kindOf(value: Value): Kind {
  return typeOf(value)?.kind ?? 'invalid';
}

/** The elements of a slice of any type, or `undefined` for anything else. */
export function elementsOf(value: Value): readonly Value[] | undefined {
  if (value instanceof GoSlice) return value.items;
  if (value instanceof Uint8Array) return Array.from(value, byte => new Int(BigInt(byte), UINT8));
  return undefined;
}

/** Whether the static type of a collection's elements is the empty interface. */
export function holdsInterfaces(value: GoSlice | GoMap): boolean {
  return value.type.elem === ANY;
}
