import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { ArrayList, List } from '../value/list.ts';
import { type HashMapping, Mapping } from '../value/mapping.ts';
import { Optional } from '../value/optional.ts';
import { Duration } from '../value/time.ts';
import { Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';
import { keyText } from './key-text.ts';
import { define, type Overload } from './overload.ts';

/** `or` and `orValue` are evaluated by the evaluator: their argument is looked at only if needed. */
export const optionals: readonly Overload[] = [
  define('optional.none', 'optional_none', '(): optional_type(V)', () => Optional.none),
  define('optional.of', 'optional_of', '(V): optional_type(V)', ([value]: [Value]) => new Optional(value)),
  define('optional.ofNonZeroValue', 'optional_ofNonZeroValue', '(V): optional_type(V)', ([value]: [Value]) =>
    isZero(value) ? Optional.none : new Optional(value),
  ),
  define(
    'hasValue',
    'optional_hasValue',
    '.(optional_type(V)): bool',
    ([optional]: [Optional]) => optional.value !== undefined,
  ),
  define('value', 'optional_value', '.(optional_type(V)): V', ([optional]: [Optional]) =>
    optional.value === undefined ? new Failure('optional.none() dereference') : optional.value,
  ),
  define('or', 'optional_or_optional', '.(optional_type(V), optional_type(V)): optional_type(V)', unreachable),
  define('orValue', 'optional_orValue_value', '.(optional_type(V), V): V', unreachable),
  define('optional.unwrap', 'optional_unwrap', '(list(optional_type(V))): list(V)', unwrap),
  define('unwrapOpt', 'optional_unwrapOpt', '.(list(optional_type(V))): list(V)', unwrap),
  define('cel.@mapInsert', '@mapInsert_map_key_value', '(map(K, V), K, V): map(K, V)', insertEntry),
  define('cel.@mapInsert', '@mapInsert_map_map', '(map(K, V), map(K, V)): map(K, V)', insertMap),
];

function unreachable(): never {
  throw new Error('evaluated by the evaluator itself');
}

function isZero(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return !value;
    case 'bigint':
      return value === 0n;
    case 'number':
      return value === 0;
    case 'string':
      return value === '';
    default:
      if (value === null) return true;
      if (value instanceof Uint) return value.value === 0n;
      if (value instanceof Uint8Array) return value.length === 0;
      if (value instanceof Duration) return value.nanos === 0n;
      if (value instanceof List || value instanceof Mapping) return value.size === 0;
      return value instanceof Optional && value.value === undefined;
  }
}

function unwrap([list]: [List], meter: Meter): Value | Failure {
  const values: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    meter.step();
    const element = list.at(index);
    if (element instanceof Failure) return element;
    if (!(element instanceof Optional)) return new Failure('value is not optional');
    if (element.value !== undefined) values.push(element.value);
  }
  return new ArrayList(values);
}

/** The map is the accumulator of `transformMap`, which nothing else refers to: it grows in place. */
function insertEntry([map, key, value]: [HashMapping, Value, Value], meter: Meter): Value | Failure {
  meter.step();
  const outcome = map.insert(key, value);
  if (outcome === 'inserted') return map;
  return new Failure(
    outcome === 'duplicate' ? `insert failed: key ${keyText(key)} already exists` : 'unsupported key type',
  );
}

function insertMap([map, entries]: [HashMapping, Mapping], meter: Meter): Value | Failure {
  for (const key of entries.keys()) {
    const value = entries.get(key);
    if (value === undefined) continue;
    if (value instanceof Failure) return value;
    const grown = insertEntry([map, key, value], meter);
    if (grown instanceof Failure) return grown;
  }
  return map;
}
