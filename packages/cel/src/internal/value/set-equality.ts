import type { Meter } from '../evaluate/meter.ts';
import { equal } from './equal.ts';
import { Failure } from './failure.ts';
import type { List } from './list.ts';
import { keyIdentity, Mapping } from './mapping.ts';
import { Duration, Timestamp } from './time.ts';
import type { Value } from './value.ts';

/** Two lists of type set, of the same length, hold the same elements in any order. */
export function equalSets(left: List, right: List, meter: Meter): boolean | Failure {
  const known = new Set<string>();
  for (let index = 0; index < left.size; index++) {
    const identity = elementIdentity(left.at(index), meter);
    if (identity instanceof Failure) return identity;
    known.add(identity);
  }
  const seen = new Set<string>();
  for (let index = 0; index < right.size; index++) {
    const identity = elementIdentity(right.at(index), meter);
    if (identity instanceof Failure) return identity;
    if (!known.has(identity)) return false;
    seen.add(identity);
  }
  return seen.size === known.size;
}

/** Two lists of type map, of the same length, hold equal elements under the same keys in any order. */
export function equalMapLists(left: List, right: List, keys: readonly string[], meter: Meter): boolean | Failure {
  const known = new Map<string, Value>();
  for (let index = 0; index < left.size; index++) {
    const element = left.at(index);
    if (element instanceof Failure) return element;
    known.set(mapListIdentity(element, keys, meter), element);
  }
  const seen = new Set<string>();
  for (let index = 0; index < right.size; index++) {
    const element = right.at(index);
    if (element instanceof Failure) return element;
    const identity = mapListIdentity(element, keys, meter);
    const own = known.get(identity);
    if (own === undefined) return false;
    const same = equal(own, element, meter);
    if (same !== true) return same;
    seen.add(identity);
  }
  return seen.size === known.size;
}

/** Building a text and keeping it in a set. */
const HASHING = 32;

/** A text that two scalars share exactly if they are equal. */
export function elementIdentity(element: Value | Failure, meter: Meter): string | Failure {
  if (element instanceof Failure) return element;
  meter.step(HASHING + (typeof element === 'string' ? element.length / 32 : 0));
  const identity = keyIdentity(element);
  if (identity !== undefined) return identity;
  if (element instanceof Timestamp) return `t${element.nanos}`;
  if (element instanceof Duration) return `d${element.nanos}`;
  if (element instanceof Uint8Array) return `x${Buffer.from(element).toString('base64')}`;
  if (element === null) return 'null';
  return new Failure('unsupported element type in a list of type set');
}

/** The values of an element's key fields; absent ones count as such. */
export function mapListIdentity(element: Value, keys: readonly string[], meter: Meter): string {
  if (!(element instanceof Mapping)) return '?';
  const parts = keys.map(key => {
    const value = element.get(key);
    if (value === undefined || value instanceof Failure) return '-';
    const identity = elementIdentity(value, meter);
    return identity instanceof Failure ? '?' : identity;
  });
  return JSON.stringify(parts);
}
