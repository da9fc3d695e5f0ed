import type { Meter } from '../evaluate/meter.ts';
import { Failure, INTEGER_OVERFLOW } from '../value/failure.ts';
import { codePointLength, typeName } from '../value/kind.ts';
import type { List } from '../value/list.ts';
import type { Mapping } from '../value/mapping.ts';
import {
  type Duration,
  formatDuration,
  formatTimestamp,
  isTimestampInRange,
  NANOS_PER_SECOND,
  parseDuration,
  parseTimestamp,
  split,
  Timestamp,
} from '../value/time.ts';
import { TypeValue } from '../value/type-value.ts';
import { fitsInt, fitsUint, Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';
import { formatDouble, parseDouble } from './doubles.ts';
import { define, type Overload } from './overload.ts';

const same = ([value]: [Value]): Value => value;

export const conversions: readonly Overload[] = [
  define('dyn', 'to_dyn', '(A): dyn', same),
  define('type', 'type', '(A): type(A)', ([value]: [Value]) => new TypeValue(typeName(value))),

  define('bool', 'bool_to_bool', '(bool): bool', same),
  define('bool', 'string_to_bool', '(string): bool', toBool),
  define('bytes', 'bytes_to_bytes', '(bytes): bytes', same),
  define('bytes', 'string_to_bytes', '(string): bytes', ([text]: [string], meter) => {
    meter.build(text.length * 3);
    return Uint8Array.from(Buffer.from(text, 'utf8'));
  }),

  define('double', 'double_to_double', '(double): double', same),
  define('double', 'int64_to_double', '(int): double', ([value]: [bigint]) => Number(value)),
  define('double', 'string_to_double', '(string): double', ([text]: [string], meter) => {
    meter.scan(text.length);
    return parseDouble(text) ?? unconvertible('double');
  }),
  define('double', 'uint64_to_double', '(uint): double', ([value]: [Uint]) => Number(value.value)),

  define('duration', 'duration_to_duration', '(duration): duration', same),
  define(
    'duration',
    'string_to_duration',
    '(string): duration',
    ([text]: [string]) => parseDuration(text) ?? unconvertible('google.protobuf.Duration'),
  ),

  define('int', 'int64_to_int64', '(int): int', same),
  define('int', 'double_to_int64', '(double): int', ([value]: [number]) => doubleToInt(value)),
  define('int', 'duration_to_int64', '(duration): int', ([value]: [Duration]) => value.nanos),
  define('int', 'string_to_int64', '(string): int', ([text]: [string], meter) =>
    toInteger(text, fitsInt, 'int', meter),
  ),
  define('int', 'timestamp_to_int64', '(timestamp): int', ([value]: [Timestamp]) => split(value.nanos).seconds),
  define('int', 'uint64_to_int64', '(uint): int', ([value]: [Uint]) =>
    fitsInt(value.value) ? value.value : INTEGER_OVERFLOW,
  ),

  define('uint', 'uint64_to_uint64', '(uint): uint', same),
  define('uint', 'double_to_uint64', '(double): uint', ([value]: [number]) => doubleToUint(value)),
  define('uint', 'int64_to_uint64', '(int): uint', ([value]: [bigint]) =>
    value >= 0n ? new Uint(value) : UINT_OVERFLOW,
  ),
  define('uint', 'string_to_uint64', '(string): uint', ([text]: [string], meter) => {
    const value = toInteger(text, fitsUint, 'uint', meter);
    return value instanceof Failure ? value : new Uint(value);
  }),

  define('string', 'string_to_string', '(string): string', same),
  define('string', 'bool_to_string', '(bool): string', ([value]: [boolean]) => String(value)),
  define('string', 'bytes_to_string', '(bytes): string', bytesToString),
  define('string', 'double_to_string', '(double): string', ([value]: [number]) => formatDouble(value)),
  define('string', 'duration_to_string', '(duration): string', ([value]: [Duration]) => formatDuration(value)),
  define('string', 'int64_to_string', '(int): string', ([value]: [bigint]) => value.toString()),
  define('string', 'timestamp_to_string', '(timestamp): string', ([value]: [Timestamp]) => formatTimestamp(value)),
  define('string', 'uint64_to_string', '(uint): string', ([value]: [Uint]) => value.value.toString()),

  define('timestamp', 'timestamp_to_timestamp', '(timestamp): timestamp', same),
  define('timestamp', 'int64_to_timestamp', '(int): timestamp', ([seconds]: [bigint]) => {
    const nanos = seconds * NANOS_PER_SECOND;
    return isTimestampInRange(nanos) ? new Timestamp(nanos) : new Failure('timestamp overflow');
  }),
  define('timestamp', 'string_to_timestamp', '(string): timestamp', ([text]: [string], meter) => {
    meter.scan(text.length);
    return parseTimestamp(text) ?? unconvertible('google.protobuf.Timestamp');
  }),

  define('size', 'size_bytes', '(bytes): int', ([bytes]: [Uint8Array]) => BigInt(bytes.length)),
  define('size', 'bytes_size', '.(bytes): int', ([bytes]: [Uint8Array]) => BigInt(bytes.length)),
  define('size', 'size_list', '(list(A)): int', ([list]: [List]) => BigInt(list.size)),
  define('size', 'list_size', '.(list(A)): int', ([list]: [List]) => BigInt(list.size)),
  define('size', 'size_map', '(map(A, B)): int', ([map]: [Mapping]) => BigInt(map.size)),
  define('size', 'map_size', '.(map(A, B)): int', ([map]: [Mapping]) => BigInt(map.size)),
  define('size', 'size_string', '(string): int', stringSize),
  define('size', 'string_size', '.(string): int', stringSize),
];

const UINT_OVERFLOW = new Failure('unsigned integer overflow');

function stringSize([text]: [string], meter: Meter): bigint {
  meter.scan(text.length);
  return BigInt(codePointLength(text));
}

function toBool([text]: [string]): boolean | Failure {
  if (/^(?:1|t|T|true|TRUE|True)$/.test(text)) return true;
  if (/^(?:0|f|F|false|FALSE|False)$/.test(text)) return false;
  return unconvertible('bool');
}

const unconvertible = (type: string): Failure => new Failure(`type conversion error from 'string' to '${type}'`);

function toInteger(
  text: string,
  fits: (value: bigint) => boolean,
  type: 'int' | 'uint',
  meter: Meter,
): bigint | Failure {
  meter.scan(text.length * 8);
  if (!(type === 'int' ? /^[+-]?\d+$/ : /^\d+$/).test(text)) return unconvertible(type);
  // Leading zeros aside, more than twenty digits never fit: do not turn a megabyte of digits into a number.
  const digits = text.replace(/^([+-]?)0+(?=\d)/, '$1');
  const value = digits.length > 21 ? undefined : BigInt(digits.replace(/^\+/, ''));
  return value !== undefined && fits(value) ? value : unconvertible(type);
}

/** The bounds themselves are refused: near them a double cannot tell neighbours apart. */
function doubleToInt(value: number): bigint | Failure {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) return INTEGER_OVERFLOW;
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): Uint | Failure {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) return UINT_OVERFLOW;
  return new Uint(BigInt(Math.trunc(value)));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function bytesToString([bytes]: [Uint8Array], meter: Meter): string | Failure {
  meter.build(bytes.length);
  try {
    return utf8.decode(bytes);
  } catch {
    return new Failure('invalid UTF-8 in bytes, cannot convert to string');
  }
}
