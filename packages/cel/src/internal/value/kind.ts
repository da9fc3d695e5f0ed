import type { Type } from '../types/type.ts';
import { List } from './list.ts';
import { Mapping } from './mapping.ts';
import { Opaque } from './opaque.ts';
import { Optional } from './optional.ts';
import { Duration, Timestamp } from './time.ts';
import { TypeValue } from './type-value.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/** The name `type(value)` has. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<Value, boolean | bigint | number | string>): string {
  if (value === null) return 'null_type';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof List) return 'list';
  if (value instanceof Mapping) return 'map';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  return value.typeName;
}

/** Whether a value can be handed to a function that asks for `type`. Elements of lists and maps are not looked at. */
export function matches(value: Value, type: Type): boolean {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof Uint;
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'null':
      return value === null;
    case 'timestamp':
      return value instanceof Timestamp;
    case 'duration':
      return value instanceof Duration;
    case 'list':
      return value instanceof List;
    case 'map':
    case 'struct':
      return value instanceof Mapping;
    case 'type':
      return value instanceof TypeValue;
    case 'opaque':
      if (type.name === 'optional_type') return value instanceof Optional;
      return value instanceof Opaque && value.typeName === type.name;
    default:
      return true;
  }
}

/** The length Kubernetes charges for: characters, bytes, elements, entries; 1 for everything else. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return codePointLength(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof List || value instanceof Mapping || value instanceof Opaque) return value.size;
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  return 1;
}

/** CEL counts code points, JavaScript UTF-16 units: only surrogate pairs make a difference. */
export function codePointLength(text: string): number {
  let length = text.length;
  if (!SURROGATE.test(text)) return length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        length--;
        index++;
      }
    }
  }
  return length;
}

const SURROGATE = /[\ud800-\udfff]/;
export const hasSurrogates = (text: string): boolean => SURROGATE.test(text);
