import type { Json } from '@capstan/kube';
import type { Declared } from '../schema/declared.ts';
import { Failure, INTEGER_OVERFLOW } from './failure.ts';
import { List, type ListKind } from './list.ts';
import { PartCache } from './part-cache.ts';
import { parseSchemaDuration } from './schema-duration.ts';
import { SchemaMap, SchemaObject } from './schema-mapping.ts';
import { parseDate, parseTimestamp } from './time.ts';
import { fitsInt } from './uint.ts';
import type { Value } from './value.ts';

/** A part of an object as the CEL value its schema makes of it. Nested parts are converted when they are read. */
export function fromSchema(raw: Json, declared: Declared): Value | Failure {
  if (raw === null) {
    return declared.nullable ? null : new Failure('invalid data, got null for schema with nullable=false');
  }
  switch (declared.data) {
    case 'int-or-string':
      return typeof raw === 'string' ? raw : integer(raw, 'XIntOrString value to be either a string or integer');
    case 'object':
      return isObject(raw)
        ? new SchemaObject(raw, declared)
        : invalid('a map for the provided schema with type=object');
    case 'map':
      return isObject(raw)
        ? new SchemaMap(raw, declared.element!)
        : invalid('a map for the provided schema with type=object');
    case 'list':
      return Array.isArray(raw)
        ? new SchemaList(raw, declared.element!, declared.listKind!)
        : invalid('an array for the provided schema with type=array');
    case 'string':
      return typeof raw === 'string' ? raw : invalid('string');
    case 'boolean':
      return typeof raw === 'boolean' ? raw : invalid('bool');
    case 'number':
      return typeof raw === 'number' ? raw : invalid('float');
    case 'integer':
      return integer(raw, 'int');
    case 'byte':
      return typeof raw === 'string' ? fromBase64(raw) : invalid('string');
    case 'date':
      return typeof raw === 'string' ? (parseDate(raw) ?? badFormat('date', raw)) : invalid('string');
    case 'date-time':
      return typeof raw === 'string' ? (parseTimestamp(raw) ?? badFormat('date-time', raw)) : invalid('string');
    case 'duration':
      return typeof raw === 'string'
        ? (parseSchemaDuration(raw) ?? new Failure(`Invalid duration ${raw}`))
        : invalid('string');
  }
}

/** An array of an object. */
class SchemaList extends List {
  readonly #data: readonly Json[];
  readonly #element: Declared;
  readonly #kind: ListKind;
  readonly #parts = new PartCache<number>();

  constructor(data: readonly Json[], element: Declared, kind: ListKind) {
    super();
    this.#data = data;
    this.#element = element;
    this.#kind = kind;
  }

  override get size(): number {
    return this.#data.length;
  }

  override get listKind(): ListKind {
    return this.#kind;
  }

  override at(index: number): Value | Failure {
    return this.#parts.get(index, () => fromSchema(this.#data[index]!, this.#element));
  }
}

const isObject = (raw: Json): raw is { [key: string]: Json } =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);

const invalid = (expected: string): Failure => new Failure(`invalid data, expected ${expected}`);

const badFormat = (format: string, text: string): Failure => new Failure(`Invalid ${format} formatted string ${text}`);

function integer(raw: Json, expected: string): bigint | Failure {
  if (typeof raw !== 'number' || !Number.isInteger(raw)) return invalid(expected);
  const value = BigInt(raw);
  return fitsInt(value) ? value : INTEGER_OVERFLOW;
}

function fromBase64(text: string): Uint8Array | Failure {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return badFormat('byte', text);
  return Uint8Array.from(Buffer.from(text, 'base64'));
}
