import { MAX_REQUEST_BYTES } from '../../limits.ts';
import type { StructuralSchema } from '../../schema.ts';
import type { Type } from '../types/type.ts';
import * as types from '../types/type.ts';
import { ATOMIC, type ListKind } from '../value/list.ts';
import { withResourceFields } from './embedded.ts';
import { escapeName } from './names.ts';

/** A schema as CEL sees it: the static type, how to read the data, and how large the data can get. */
export interface Declared {
  readonly type: Type;
  readonly data: DataKind;
  readonly nullable: boolean;
  /** The most characters, bytes, elements or entries a value can have; 0 for what has no length. */
  readonly maxElements: number;
  /** The fewest bytes of JSON a value takes: tells how many of them fit into a request. */
  readonly minBytes: number;
  /** By escaped name. */
  readonly fields?: ReadonlyMap<string, Declared>;
  readonly element?: Declared;
  readonly listKind?: ListKind;
}

export type DataKind =
  | 'int-or-string'
  | 'object'
  | 'map'
  | 'list'
  | 'string'
  | 'boolean'
  | 'number'
  | 'integer'
  | 'byte'
  | 'date'
  | 'date-time'
  | 'duration';

/** Schemas nested deeper than any real one are not exposed rather than followed. */
const MAX_SCHEMA_DEPTH = 256;

/**
 * What `self` is for a rule at `schema`. `undefined` where the schema says nothing a rule could use: no type, or an array
 * or map of such.
 */
export function declare(schema: StructuralSchema, isResourceRoot: boolean, name = 'selfType'): Declared | undefined {
  return declareAt(schema, isResourceRoot, name, 0);
}

function declareAt(
  given: StructuralSchema,
  isResourceRoot: boolean,
  name: string,
  depth: number,
): Declared | undefined {
  if (depth > MAX_SCHEMA_DEPTH) return undefined;
  const nullable = given.nullable === true;
  if (given['x-kubernetes-int-or-string']) {
    const maxElements = given.maxLength === undefined ? MAX_REQUEST_BYTES - 2 : nonNegative(given.maxLength) * 4;
    return { type: types.DYN, data: 'int-or-string', nullable, maxElements, minBytes: 1 };
  }
  const schema = isResourceRoot ? withResourceFields(given) : given;
  switch (schema.type) {
    case 'array':
      return declareList(schema, nullable, name, depth);
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? declareMap(schema, schema.additionalProperties, nullable, name, depth)
        : declareObject(schema, nullable, name, depth);
    case 'string':
      return declareString(schema, nullable);
    case 'boolean':
      return { type: types.BOOL, data: 'boolean', nullable, maxElements: 0, minBytes: 4 };
    case 'number':
      return { type: types.DOUBLE, data: 'number', nullable, maxElements: 0, minBytes: 1 };
    case 'integer':
      return { type: types.INT, data: 'integer', nullable, maxElements: 0, minBytes: 1 };
    default:
      return undefined;
  }
}

function declareList(schema: StructuralSchema, nullable: boolean, name: string, depth: number): Declared | undefined {
  const element = schema.items && declareChild(schema.items, `${name}.@idx`, depth);
  if (!element) return undefined;
  const maxElements =
    schema.maxItems === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minBytes + 1))
      : nonNegative(schema.maxItems);
  const type = types.listOf(element.type);
  return { type, data: 'list', nullable, maxElements, minBytes: 2, element, listKind: listKindOf(schema) };
}

function listKindOf(schema: StructuralSchema): ListKind {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return { type: 'set' };
    case 'map':
      return { type: 'map', keys: (schema['x-kubernetes-list-map-keys'] ?? []).map(key => escapeName(key) ?? key) };
    default:
      return ATOMIC;
  }
}

function declareMap(
  schema: StructuralSchema,
  values: StructuralSchema,
  nullable: boolean,
  name: string,
  depth: number,
): Declared | undefined {
  const element = declareChild(values, `${name}.@elem`, depth);
  if (!element) return undefined;
  // A key, its quotes, a colon and a comma take six bytes at least.
  const maxElements =
    schema.maxProperties === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (element.minBytes + 6))
      : nonNegative(schema.maxProperties);
  const type = types.mapOf(types.STRING, element.type);
  return { type, data: 'map', nullable, maxElements, minBytes: 2, element };
}

function declareObject(schema: StructuralSchema, nullable: boolean, name: string, depth: number): Declared {
  const fields = new Map<string, Declared>();
  const required = new Set(schema.required);
  let minBytes = 2;
  for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(property);
    const field = declareChild(propertySchema, `${name}.${escaped ?? property}`, depth);
    if (!field) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    if (required.has(property) && propertySchema.default === undefined) {
      minBytes += Buffer.byteLength(property) + field.minBytes + 4;
    }
  }
  const fieldTypes = new Map([...fields].map(([escaped, field]) => [escaped, field.type]));
  const type = types.struct(name, fieldTypes);
  return { type, data: 'object', nullable, maxElements: 0, minBytes, fields };
}

function declareChild(schema: StructuralSchema, name: string, depth: number): Declared | undefined {
  return declareAt(schema, schema['x-kubernetes-embedded-resource'] === true, name, depth + 1);
}

function declareString(schema: StructuralSchema, nullable: boolean): Declared {
  switch (schema.format) {
    case 'byte': {
      const maxElements = schema.maxLength === undefined ? MAX_REQUEST_BYTES - 2 : nonNegative(schema.maxLength);
      return { type: types.BYTES, data: 'byte', nullable, maxElements, minBytes: 2 };
    }
    case 'duration':
      return { type: types.DURATION, data: 'duration', nullable, maxElements: 32, minBytes: 3 };
    case 'date':
      return { type: types.TIMESTAMP, data: 'date', nullable, maxElements: 12, minBytes: 12 };
    case 'date-time':
      return { type: types.TIMESTAMP, data: 'date-time', nullable, maxElements: 32, minBytes: 21 };
    default:
      return { type: types.STRING, data: 'string', nullable, maxElements: maxCharacters(schema), minBytes: 2 };
  }
}

function maxCharacters(schema: StructuralSchema): number {
  // `maxLength` counts characters, the estimate bytes, of which a character takes up to four.
  if (schema.maxLength !== undefined) return nonNegative(schema.maxLength) * 4;
  if (!schema.enum?.length) return MAX_REQUEST_BYTES - 2;
  return schema.enum.reduce<number>(
    (longest, value) => Math.max(longest, typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
}

const nonNegative = (value: number): number => Math.max(0, value);
