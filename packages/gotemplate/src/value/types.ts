/**
 * Go types, as far as templates can see them: in `typeOf`, `kindOf`, `%T`, in error messages, and in what a function accepts.
 */

import type { Method } from './function.ts';

export type Kind =
  | 'invalid'
  | 'bool'
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float64'
  | 'complex128'
  | 'string'
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr'
  | 'func'
  | 'interface';

export interface GoType {
  /** As `%T` prints it: `int`, `[]string`, `map[string]interface {}`, `*semver.Version`. */
  readonly name: string;
  readonly kind: Kind;
  /** Of a slice, map or pointer. */
  readonly elem?: GoType;
  /** Declared with a name of its own, so not identical to another type of the same shape. */
  readonly named: boolean;
  readonly methods?: Readonly<Record<string, Method>>;
  /** Of a struct: the fields a template may name, needed where there is only a nil pointer to it. */
  readonly fieldNames?: readonly string[];
  /** The type's `String()` or `Error()`, which printing prefers over the value's parts. */
  readonly text?: (value: never) => string;
  /**
   * A `String()` declared on the pointer to the type: an action finds it on a field that it can address, a function is handed a
   * copy and does not.
   */
  readonly pointerText?: (value: never) => string;
  /** The type's `GoString()`, for `%#v`. */
  readonly goText?: (value: never) => string;
  /** The type's `MarshalJSON`. */
  readonly json?: (value: never) => string;
}

const basic = (kind: Kind): GoType => ({ name: kind, kind, named: true });

export const BOOL = basic('bool');
export const STRING = basic('string');
export const INT = basic('int');
export const INT8 = basic('int8');
export const INT16 = basic('int16');
export const INT32 = basic('int32');
export const INT64 = basic('int64');
export const UINT = basic('uint');
export const UINT8 = basic('uint8');
export const UINT16 = basic('uint16');
export const UINT32 = basic('uint32');
export const UINT64 = basic('uint64');
export const FLOAT64 = basic('float64');
export const COMPLEX128 = basic('complex128');
/** The empty interface: what a map or list of anything holds. */
export const ANY: GoType = { name: 'interface {}', kind: 'interface', named: false };
/** The parameter type of functions that take a value as it is, even none at all. */
export const REFLECT_VALUE: GoType = { name: 'reflect.Value', kind: 'struct', named: true };

export const sliceOf = (elem: GoType): GoType => ({ name: `[]${elem.name}`, kind: 'slice', elem, named: false });
export const mapOf = (elem: GoType): GoType => ({ name: `map[string]${elem.name}`, kind: 'map', elem, named: false });
export const pointerTo = (elem: GoType): GoType => ({
  name: `*${elem.name}`,
  kind: 'ptr',
  elem,
  named: false,
  ...(elem.methods && { methods: elem.methods }),
  ...(elem.text && { text: elem.text }),
  ...(elem.json && { json: elem.json }),
});

export const ANY_SLICE = sliceOf(ANY);
export const STRING_SLICE = sliceOf(STRING);
export const INT_SLICE = sliceOf(INT);
export const BYTES = sliceOf(UINT8);
export const ANY_MAP = mapOf(ANY);
export const STRING_MAP = mapOf(STRING);

const signed = new Set<Kind>(['int', 'int8', 'int16', 'int32', 'int64']);
const unsigned = new Set<Kind>(['uint', 'uint8', 'uint16', 'uint32', 'uint64']);

export const isSigned = (kind: Kind): boolean => signed.has(kind);
export const isUnsigned = (kind: Kind): boolean => unsigned.has(kind);
export const isInteger = (kind: Kind): boolean => signed.has(kind) || unsigned.has(kind);

/** Whether two types are the same type to Go. Unnamed types are the same when they are spelled the same. */
export function identical(left: GoType, right: GoType): boolean {
  return left === right || (left.name === right.name && left.kind === right.kind);
}

/** Go's assignability: same type, any interface, or the same shape where one of the two has no name. */
export function assignable(from: GoType, to: GoType): boolean {
  if (from === to || to === ANY || identical(from, to)) return true;
  if (from.kind !== to.kind || (from.named && to.named)) return false;
  return from.elem !== undefined && to.elem !== undefined && identical(from.elem, to.elem);
}

/** Whether an untyped nil can stand for this type. */
export function canBeNil(type: GoType): boolean {
  return (
    type === REFLECT_VALUE ||
    type.kind === 'interface' ||
    type.kind === 'map' ||
    type.kind === 'slice' ||
    type.kind === 'ptr' ||
    type.kind === 'func'
  );
}
