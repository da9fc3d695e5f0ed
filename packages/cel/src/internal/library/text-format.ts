import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { typeName } from '../value/kind.ts';
import { List } from '../value/list.ts';
import { Mapping } from '../value/mapping.ts';
import { Duration, formatDuration, formatTimestamp, Timestamp } from '../value/time.ts';
import { TypeValue } from '../value/type-value.ts';
import { Uint } from '../value/uint.ts';
import type { Value } from '../value/value.ts';
import { formatDouble } from './doubles.ts';
import { formatFixed, formatScientific } from './number-format.ts';

/** More digits than a double has are noise, and a way to fill memory. */
const MAX_PRECISION = 100;

/** `'%s has %d'.format(['x', 3])`: the clauses are s, d, f, e, b, x, X, o and %%. */
export function formatText(text: string, args: List, meter: Meter): string | Failure {
  meter.build(text.length);
  const parts: string[] = [];
  let next = 0;
  for (let index = 0; index < text.length; ) {
    const percent = text.indexOf('%', index);
    if (percent < 0) {
      parts.push(text.slice(index));
      break;
    }
    parts.push(text.slice(index, percent));
    if (text[percent + 1] === '%') {
      parts.push('%');
      index = percent + 2;
      continue;
    }
    const clause = /^%(?:\.(\d+))?([a-zA-Z])/.exec(text.slice(percent, percent + 16));
    if (!clause) return new Failure('could not parse formatting clause');
    if (next >= args.size) return new Failure(`index ${next} out of range`);
    const argument = args.at(next++);
    if (argument instanceof Failure) return argument;
    const written = formatClause(clause[2]!, clause[1], argument, meter);
    if (written instanceof Failure) return written;
    meter.build(written.length);
    parts.push(written);
    index = percent + clause[0].length;
  }
  return parts.join('');
}

function formatClause(verb: string, precision: string | undefined, value: Value, meter: Meter): string | Failure {
  const digits = precision === undefined ? 6 : Number(precision);
  if (digits > MAX_PRECISION) return new Failure(`precision ${digits} exceeds the maximum of ${MAX_PRECISION}`);
  switch (verb) {
    case 's':
      return writeValue(value, meter);
    case 'd':
      return decimal(value) ?? unfit('decimal clause can only be used on integers', value);
    case 'f':
      meter.step(doubleSteps(value, digits));
      return formatFixed(value, digits) ?? unfit('fixed-point clause can only be used on doubles', value);
    case 'e':
      return formatScientific(value, digits) ?? unfit('scientific clause can only be used on doubles', value);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return radix(value, 2) ?? unfit('only integers and bools can be formatted as binary', value);
    case 'o':
      return radix(value, 8) ?? unfit('octal clause can only be used on integers', value);
    case 'x':
      return hexadecimal(value, meter);
    case 'X': {
      const written = hexadecimal(value, meter);
      return written instanceof Failure ? written : written.toUpperCase();
    }
    default:
      return new Failure(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

/** Exact digits of huge numbers, or many of them, are big-number work. */
const doubleSteps = (value: Value, digits: number): number =>
  typeof value === 'number' && Math.abs(value) < 1e21 && digits <= 20 ? 50 : 4000;

const unfit = (complaint: string, value: Value): Failure =>
  new Failure(`error during formatting: ${complaint}, was given ${typeName(value)}`);

function decimal(value: Value): string | undefined {
  return radix(value, 10);
}

function radix(value: Value, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : undefined;
}

function hexadecimal(value: Value, meter: Meter): string | Failure {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    meter.build(value.length * 2);
    return Buffer.from(value as string).toString('hex');
  }
  return radix(value, 16) ?? unfit('only integers, byte buffers, and strings can be formatted as hex', value);
}

/** `%s`: scalars as `string()` writes them, lists and maps as CEL would. */
function writeValue(value: Value, meter: Meter): string | Failure {
  meter.step();
  if (value instanceof List) return writeList(value, meter);
  if (value instanceof Mapping) return writeMap(value, meter);
  const scalar = writeScalar(value);
  if (scalar === undefined) {
    return unfit(
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
      value,
    );
  }
  meter.build(scalar.length);
  return scalar;
}

function writeScalar(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatDouble(value);
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  return decimal(value);
}

/** Inside a list or map, strings are quoted and times say what they are. */
function writeElement(value: Value, meter: Meter): string | Failure {
  meter.step(16);
  const written =
    typeof value === 'number' ? (formatFixed(value, 6)?.replaceAll(',', '') ?? '') : writeValue(value, meter);
  if (written instanceof Failure) return written;
  if (typeof value === 'string') return JSON.stringify(written);
  if (value instanceof Uint8Array) return `b${JSON.stringify(written)}`;
  if (value instanceof Timestamp) return `timestamp("${written}")`;
  if (value instanceof Duration) return `duration("${written}")`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${written}"`;
  return written;
}

function writeList(list: List, meter: Meter): string | Failure {
  const parts: string[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    if (element instanceof Failure) return element;
    const written = writeElement(element, meter);
    if (written instanceof Failure) return written;
    parts.push(written);
  }
  return `[${parts.join(', ')}]`;
}

function writeMap(map: Mapping, meter: Meter): string | Failure {
  const entries: [key: string, value: string][] = [];
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value === undefined) continue;
    if (value instanceof Failure) return value;
    const writtenKey = writeElement(key, meter);
    const writtenValue = writeElement(value, meter);
    if (writtenKey instanceof Failure) return writtenKey;
    if (writtenValue instanceof Failure) return writtenValue;
    entries.push([writtenKey, writtenValue]);
  }
  meter.step(entries.length * (1 + Math.log2(entries.length + 1)) * 4);
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}
