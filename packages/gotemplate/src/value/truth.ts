import { GoFunc } from './function.ts';
import { Complex, GoMap, GoNil, GoObject, GoSlice, Int, type Value } from './values.ts';

/** Go templates' truth: not the zero of its type. Structs are always true. */
export function isTrue(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'string':
      return value !== '';
    case 'number':
      return value !== 0;
    case 'undefined':
      return false;
  }
  if (value === null || value instanceof GoNil) return false;
  if (value instanceof GoMap) return value.size > 0;
  if (value instanceof GoSlice) return value.items.length > 0;
  if (value instanceof Int) return value.value !== 0n;
  if (value instanceof Uint8Array) return value.length > 0;
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  return value instanceof GoObject || value instanceof GoFunc;
}

/** Whether the value is a nil of any kind. */
export function isNil(value: Value): boolean {
  if (value === undefined || value === null || value instanceof GoNil) return true;
  return (value instanceof GoMap || value instanceof GoSlice) && value.isNil;
}
