import { visit } from '../limits.ts';
import { GoFunc } from './function.ts';
import { identical } from './types.ts';
import { Complex, GoMap, GoNil, GoObject, GoSlice, Int, type Value } from './values.ts';

/** `reflect.DeepEqual`: types count, so `int 1` and `float64 1` differ. */
export function deepEqual(left: Value, right: Value): boolean {
  visit();
  if (left === right) return !(left instanceof GoFunc);
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Int)
    return right instanceof Int && left.value === right.value && identical(left.type, right.type);
  if (left instanceof Complex) {
    return right instanceof Complex && left.real === right.real && left.imaginary === right.imaginary;
  }
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  if (left instanceof GoSlice) return right instanceof GoSlice && equalSlices(left, right);
  if (left instanceof GoMap) return right instanceof GoMap && equalMaps(left, right);
  if (left instanceof GoNil) return right instanceof GoNil && identical(left.type, right.type);
  if (left instanceof GoObject) return right instanceof GoObject && equalObjects(left, right);
  return false;
}

function equalSlices(left: GoSlice, right: GoSlice): boolean {
  if (!identical(left.type, right.type) || left.isNil !== right.isNil) return false;
  return (
    left.items.length === right.items.length && left.items.every((item, index) => deepEqual(item, right.items[index]))
  );
}

function equalMaps(left: GoMap, right: GoMap): boolean {
  if (!identical(left.type, right.type) || left.isNil !== right.isNil || left.size !== right.size) return false;
  return left.keys().every(key => right.has(key) && deepEqual(left.get(key), right.get(key)));
}

function equalObjects(left: GoObject, right: GoObject): boolean {
  if (!identical(left.type, right.type) || left.fields.length !== right.fields.length) return false;
  return left.fields.every((field, index) => deepEqual(field.value, right.fields[index]!.value));
}
