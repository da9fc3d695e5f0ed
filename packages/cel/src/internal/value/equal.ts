import type { Meter } from '../evaluate/meter.ts';
import { compare, numeric } from './compare.ts';
import { Failure } from './failure.ts';
import { List } from './list.ts';
import { Mapping } from './mapping.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';
import { equalRecords } from './schema-mapping.ts';
import { equalMapLists, equalSets } from './set-equality.ts';
import { TypeValue } from './type-value.ts';
import type { Value } from './value.ts';

/** Finding a key in two maps of any size. */
const LOOK_UP = 24;

/** Converting two elements and comparing them takes longer than one look at either. */
const COMPARISON = 4;

/** `==`. Values of different types are unequal, never an error; numbers are equal when they stand for the same number. */
export function equal(left: Value, right: Value, meter: Meter): boolean | Failure {
  meter.step(COMPARISON);
  if (left === right) return typeof left !== 'number' || !Number.isNaN(left);
  if (typeof left === 'string' || typeof right === 'string') {
    if (typeof left === 'string' && typeof right === 'string') meter.scan(Math.min(left.length, right.length));
    return false;
  }
  if (left === null || right === null || typeof left === 'boolean' || typeof right === 'boolean') return false;
  if (numeric(left) !== undefined) return compare(left, right) === 0;
  if (left instanceof Uint8Array) {
    meter.scan(left.length);
    return compare(left, right) === 0;
  }
  if (left instanceof List) return right instanceof List && equalLists(left, right, meter);
  if (left instanceof Mapping) return right instanceof Mapping && equalMappings(left, right, meter);
  if (left instanceof Optional) return right instanceof Optional && equalOptionals(left, right, meter);
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Opaque) {
    return right instanceof Opaque && left.typeName === right.typeName && left.equals(right, meter);
  }
  return compare(left, right) === 0;
}

function equalLists(left: List, right: List, meter: Meter): boolean | Failure {
  if (left.size !== right.size) return false;
  if (left.listKind.type === 'set') return equalSets(left, right, meter);
  if (left.listKind.type === 'map') return equalMapLists(left, right, left.listKind.keys, meter);
  for (let index = 0; index < left.size; index++) {
    meter.step(COMPARISON + left.depth + right.depth);
    const same = equalOrFailure(left.at(index), right.at(index), meter);
    if (same !== true) return same;
  }
  return true;
}

function equalMappings(left: Mapping, right: Mapping, meter: Meter): boolean | Failure {
  if (left.size !== right.size) return false;
  const records = equalRecords(left, right, meter);
  if (records !== undefined) return records;
  for (const key of left.keys()) {
    meter.step(LOOK_UP);
    const own = left.get(key);
    const other = right.get(key);
    if (own === undefined || other === undefined) return false;
    const same = equalOrFailure(own, other, meter);
    if (same !== true) return same;
  }
  return true;
}

function equalOptionals(left: Optional, right: Optional, meter: Meter): boolean | Failure {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equal(left.value, right.value, meter);
}

export function equalOrFailure(left: Value | Failure, right: Value | Failure, meter: Meter): boolean | Failure {
  if (left instanceof Failure) return left;
  if (right instanceof Failure) return right;
  return equal(left, right, meter);
}
