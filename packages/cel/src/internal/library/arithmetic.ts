import type { Meter } from '../evaluate/meter.ts';
import { Failure, INTEGER_OVERFLOW } from '../value/failure.ts';
import { ArrayList, ConcatenatedList, type List, ListBuilder } from '../value/list.ts';
import { elementIdentity, mapListIdentity } from '../value/set-equality.ts';
import { Duration, isDurationInRange, isTimestampInRange, Timestamp } from '../value/time.ts';
import { fitsInt, fitsUint, Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';
import { define, type Overload } from './overload.ts';

export const arithmetic: readonly Overload[] = [
  define('-_', 'negate_double', '(double): double', ([value]: [number]) => -value),
  define('-_', 'negate_int64', '(int): int', ([value]: [bigint]) => int(-value)),

  define('_+_', 'add_bytes', '(bytes, bytes): bytes', addBytes),
  define('_+_', 'add_double', '(double, double): double', ([left, right]: [number, number]) => left + right),
  define('_+_', 'add_duration_duration', '(duration, duration): duration', ([left, right]: [Duration, Duration]) =>
    duration(left.nanos + right.nanos),
  ),
  define('_+_', 'add_duration_timestamp', '(duration, timestamp): timestamp', ([left, right]: [Duration, Timestamp]) =>
    timestamp(left.nanos + right.nanos),
  ),
  define('_+_', 'add_timestamp_duration', '(timestamp, duration): timestamp', ([left, right]: [Timestamp, Duration]) =>
    timestamp(left.nanos + right.nanos),
  ),
  define('_+_', 'add_int64', '(int, int): int', ([left, right]: [bigint, bigint]) => int(left + right)),
  define('_+_', 'add_list', '(list(A), list(A)): list(A)', addLists),
  define('_+_', 'add_string', '(string, string): string', ([left, right]: [string, string], meter) => {
    meter.build(left.length + right.length);
    return left + right;
  }),
  define('_+_', 'add_uint64', '(uint, uint): uint', ([left, right]: [Uint, Uint]) => uint(left.value + right.value)),

  define('_-_', 'subtract_double', '(double, double): double', ([left, right]: [number, number]) => left - right),
  define('_-_', 'subtract_duration_duration', '(duration, duration): duration', ([left, right]: [Duration, Duration]) =>
    duration(left.nanos - right.nanos),
  ),
  define('_-_', 'subtract_int64', '(int, int): int', ([left, right]: [bigint, bigint]) => int(left - right)),
  define(
    '_-_',
    'subtract_timestamp_duration',
    '(timestamp, duration): timestamp',
    ([left, right]: [Timestamp, Duration]) => timestamp(left.nanos - right.nanos),
  ),
  define(
    '_-_',
    'subtract_timestamp_timestamp',
    '(timestamp, timestamp): duration',
    ([left, right]: [Timestamp, Timestamp]) => duration(left.nanos - right.nanos),
  ),
  define('_-_', 'subtract_uint64', '(uint, uint): uint', ([left, right]: [Uint, Uint]) =>
    uint(left.value - right.value),
  ),

  define('_*_', 'multiply_double', '(double, double): double', ([left, right]: [number, number]) => left * right),
  define('_*_', 'multiply_int64', '(int, int): int', ([left, right]: [bigint, bigint]) => int(left * right)),
  define('_*_', 'multiply_uint64', '(uint, uint): uint', ([left, right]: [Uint, Uint]) =>
    uint(left.value * right.value),
  ),

  define('_/_', 'divide_double', '(double, double): double', ([left, right]: [number, number]) => left / right),
  define('_/_', 'divide_int64', '(int, int): int', ([left, right]: [bigint, bigint]) =>
    right === 0n ? DIVISION_BY_ZERO : int(left / right),
  ),
  define('_/_', 'divide_uint64', '(uint, uint): uint', ([left, right]: [Uint, Uint]) =>
    right.value === 0n ? DIVISION_BY_ZERO : uint(left.value / right.value),
  ),
  define('_%_', 'modulo_int64', '(int, int): int', ([left, right]: [bigint, bigint]) =>
    right === 0n ? MODULUS_BY_ZERO : int(left % right),
  ),
  define('_%_', 'modulo_uint64', '(uint, uint): uint', ([left, right]: [Uint, Uint]) =>
    right.value === 0n ? MODULUS_BY_ZERO : uint(left.value % right.value),
  ),
];

const DIVISION_BY_ZERO = new Failure('division by zero');
const MODULUS_BY_ZERO = new Failure('modulus by zero');
const UINT_OVERFLOW = new Failure('unsigned integer overflow');
const DURATION_OVERFLOW = new Failure('duration overflow');
const TIMESTAMP_OVERFLOW = new Failure('timestamp overflow');

const int = (value: bigint): bigint | Failure => (fitsInt(value) ? value : INTEGER_OVERFLOW);
const uint = (value: bigint): Uint | Failure => (fitsUint(value) ? new Uint(value) : UINT_OVERFLOW);
const duration = (nanos: bigint): Duration | Failure =>
  isDurationInRange(nanos) ? new Duration(nanos) : DURATION_OVERFLOW;
const timestamp = (nanos: bigint): Timestamp | Failure =>
  isTimestampInRange(nanos) ? new Timestamp(nanos) : TIMESTAMP_OVERFLOW;

function addBytes([left, right]: [Uint8Array, Uint8Array], meter: Meter): Uint8Array {
  meter.build(left.length + right.length);
  const sum = new Uint8Array(left.length + right.length);
  sum.set(left);
  sum.set(right, left.length);
  return sum;
}

/** Exported for the sum of a list. */
export const sumOf = { int, uint, duration };

function addLists([left, right]: [List, List], meter: Meter): Value | Failure {
  if (left instanceof ListBuilder) {
    for (let index = 0; index < right.size; index++) {
      const element = right.at(index);
      if (element instanceof Failure) return element;
      meter.step();
      left.push(element);
    }
    return left;
  }
  if (left.listKind.type !== 'atomic') return merge(left, right, meter);
  if (left.size === 0) return right;
  return right.size === 0 ? left : new ConcatenatedList(left, right);
}

/** `set + set` and `map + map`: what is new in `right` goes to the end, what is known replaces its counterpart. */
function merge(left: List, right: List, meter: Meter): Value | Failure {
  const kind = left.listKind;
  const merged = new Map<string, Value>();
  for (const list of [left, right]) {
    for (let index = 0; index < list.size; index++) {
      const element = list.at(index);
      if (element instanceof Failure) return element;
      const identity =
        kind.type === 'map' ? mapListIdentity(element, kind.keys, meter) : elementIdentity(element, meter);
      if (identity instanceof Failure) return identity;
      merged.set(identity, element);
    }
  }
  return new ArrayList([...merged.values()], kind);
}
