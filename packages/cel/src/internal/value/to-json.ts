import type { Json } from '@capstan/kube';
import type { Meter } from '../evaluate/meter.ts';
import { Failure } from './failure.ts';
import { typeName } from './kind.ts';
import { List } from './list.ts';
import { Mapping } from './mapping.ts';
import { Optional } from './optional.ts';
import { Duration, formatDuration, formatTimestamp, Timestamp } from './time.ts';
import { TypeValue } from './type-value.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/**
 * A result as JSON, the way protobuf's JSON writes CEL values: integers beyond what a double holds become strings, bytes
 * base64, times texts. An absent optional is null.
 */
export function toJson(value: Value, meter: Meter): Json | Failure {
  meter.step(4);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return integer(value);
  if (value instanceof Uint) return integer(value.value);
  if (value instanceof List) return array(value, meter);
  if (value instanceof Mapping) return object(value, meter);
  if (value instanceof Optional) return value.value === undefined ? null : toJson(value.value, meter);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return new Failure(`a value of type '${typeName(value)}' has no JSON form`);
}

function integer(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function array(list: List, meter: Meter): Json | Failure {
  const elements: Json[] = [];
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    const written = element instanceof Failure ? element : toJson(element, meter);
    if (written instanceof Failure) return written;
    elements.push(written);
  }
  return elements;
}

function object(map: Mapping, meter: Meter): Json | Failure {
  const entries: [string, Json][] = [];
  for (const key of map.keys()) {
    const value = map.get(key);
    if (value === undefined) continue;
    const written = value instanceof Failure ? value : toJson(value, meter);
    if (written instanceof Failure) return written;
    entries.push([key instanceof Uint ? key.value.toString() : String(key), written]);
  }
  return Object.fromEntries(entries);
}
