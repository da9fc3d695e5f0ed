/**
 * From a zod schema to the structural schema of a CustomResourceDefinition: OpenAPI 3.0 as zod writes it, then one pass that turns what
 * Kubernetes says differently and refuses what it cannot say. Refused, never weakened in silence: an object that the API server stores
 * is one that the schema describes.
 */
import type { JsonSchemaProps } from '@capstan/kube';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { ControllerError } from '../errors.ts';
import { unionSchema } from './union.ts';

/** A schema with a path to say where it is: `.spec.steps[].name`. */
export type SchemaPath = string;

/** A part of a schema while it is being made. */
export type SchemaDraft = { -readonly [Key in keyof JsonSchemaProps]: JsonSchemaProps[Key] };

/** @example structuralSchema(z.object({ replicas: z.int32().min(0).default(1) })) */
export function structuralSchema(schema: z.ZodType): JsonSchemaProps {
  return structural(openApi(schema), '');
}

/** Throws an error that names the place and the reason. */
export function notStructural(path: SchemaPath, why: string): never {
  throw new ControllerError('NotStructural', `${path || '.'} cannot be part of a CRD schema: ${why}`);
}

function openApi(schema: z.ZodType): Record<string, unknown> {
  try {
    return z.toJSONSchema(schema, {
      io: 'input',
      target: 'openapi-3.0',
      cycles: 'throw',
      unrepresentable: 'any',
      reused: 'inline',
      override: ({ zodSchema, path }) => refuseType(zodSchema as unknown as Definition, pathOf(path)),
    }) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ControllerError) throw error;
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error);
    const where = /#\/(\S+)/.exec(message)?.[1]?.split('/') ?? [];
    const why = message.startsWith('Cycle') ? 'it contains itself; use z.unknown() where it does' : message;
    return notStructural(pathOf(where), why);
  }
}

/** What zod says about a schema of its own. */
interface Definition {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly checks?: readonly unknown[];
      readonly keyType?: Definition;
      readonly in?: Definition;
      readonly out?: Definition;
    };
  };
}

const NO_JSON = new Set([
  'bigint',
  'date',
  'map',
  'set',
  'symbol',
  'undefined',
  'void',
  'function',
  'nan',
  'promise',
  'file',
  'never',
]);

/** What cannot be JSON, and what would make a stored object differ from its type. */
function refuseType({ _zod: { def } }: Definition, path: SchemaPath): void {
  if (NO_JSON.has(def.type)) notStructural(path, `JSON has no ${def.type}`);
  if ([def, def.in?._zod.def, def.out?._zod.def].some(part => part?.type === 'transform')) {
    notStructural(path, 'what is stored is the value before the transform; transform it where it is read');
  }
  if (def.type === 'null') notStructural(path, 'a field that is always null says nothing; use .nullable()');
  if (def.type === 'tuple') notStructural(path, 'a list has one schema for all its items; use z.array()');
  const key = def.type === 'record' ? def.keyType?._zod.def : undefined;
  if (key !== undefined && (key.type !== 'string' || (key.checks?.length ?? 0) > 0)) {
    notStructural(path, 'the keys of a record cannot be restricted; use z.string() and a CEL rule');
  }
}

/** `['properties', 'steps', 'items', 'properties', 'name']` → `.steps[].name`. */
function pathOf(parts: readonly (string | number)[]): SchemaPath {
  let path = '';
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part === 'properties') path += `.${parts[++index]}`;
    else if (part === 'items') path += '[]';
    else if (part === 'additionalProperties') path += '.*';
    else if (part === 'anyOf' || part === 'oneOf' || part === 'allOf') index++;
  }
  return path;
}

const KEPT = new Set([
  ...['type', 'format', 'title', 'description', 'default', 'example', 'nullable', 'enum'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['required', 'properties', 'additionalProperties', 'items', 'allOf', 'anyOf', 'oneOf', 'not'],
]);
/** Notes for people and tools; no loss. */
const DROPPED = new Set(['$schema', 'id', 'readOnly', 'writeOnly', 'deprecated', 'contentEncoding', 'examples']);

/** One part of the schema, and all that is in it. */
export function structural(source: Readonly<Record<string, unknown>>, path: SchemaPath): SchemaDraft {
  if ('$ref' in source || '$defs' in source || 'definitions' in source) {
    notStructural(path, 'a schema with an id becomes a reference; remove .meta({ id })');
  }
  const draft: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (KEPT.has(key) || key.startsWith('x-kubernetes-')) draft[key] = value;
    else if (!DROPPED.has(key)) notStructural(path, `Kubernetes does not know "${key}"`);
  }
  const schema = draft as SchemaDraft;
  tellNumbers(schema);
  tellTexts(schema, path);
  tellObjects(schema, path);
  tellLists(schema, path);
  if (schema.allOf !== undefined) schema.allOf = schema.allOf.map(withoutType);
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) return unionSchema(schema, path);
  return withType(schema, path);
}

/** Every part has a type, unless it takes anything. */
function withType(schema: SchemaDraft, path: SchemaPath): SchemaDraft {
  if (schema.type !== undefined || schema['x-kubernetes-int-or-string']) return schema;
  if (schema.enum !== undefined) notStructural(path, 'the values of an enum must be of one type');
  return { ...schema, 'x-kubernetes-preserve-unknown-fields': true };
}

const RANGES = [
  { format: 'int32', lowest: -(2 ** 31), highest: 2 ** 31 - 1 },
  { format: 'int64', lowest: Number.MIN_SAFE_INTEGER, highest: Number.MAX_SAFE_INTEGER },
] as const;

/** zod writes the range of an integer type as bounds, Kubernetes as a format. */
function tellNumbers(schema: SchemaDraft): void {
  if (schema.type !== 'integer' && schema.type !== 'number') return;
  for (const { format, lowest, highest } of RANGES) {
    if (schema.minimum !== lowest && schema.maximum !== highest) continue;
    if (schema.type === 'integer') schema.format ??= format;
    if (schema.minimum === lowest) delete schema.minimum;
    if (schema.maximum === highest) delete schema.maximum;
  }
  if (schema.type === 'integer') schema.format ??= 'int64';
}

/** The formats that Kubernetes checks itself, as zod means them. */
const FORMATS = new Set([
  'int32',
  'int64',
  'float',
  'double',
  'byte',
  'date',
  'date-time',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'password',
]);

function tellTexts(schema: SchemaDraft, path: SchemaPath): void {
  const checked = schema.format !== undefined && FORMATS.has(schema.format);
  if (!checked) delete schema.format;
  if (schema.pattern === undefined) return;
  const problem = patternProblem(schema.pattern);
  if (problem === undefined) return;
  if (!checked) notStructural(path, `Kubernetes reads patterns as RE2, and ${schema.pattern} is not (${problem})`);
  // zod's own pattern for a format that the API server checks anyway.
  delete schema.pattern;
}

function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function tellObjects(schema: SchemaDraft, path: SchemaPath): void {
  const { properties, additionalProperties: others } = schema;
  // A strict object: fields that it does not name are pruned.
  if (others === false) delete schema.additionalProperties;
  if (others === true || (typeof others === 'object' && Object.keys(others).length === 0)) {
    delete schema.additionalProperties;
    schema['x-kubernetes-preserve-unknown-fields'] = true;
  } else if (typeof others === 'object') {
    if (properties !== undefined && Object.keys(properties).length > 0) {
      notStructural(path, 'it cannot both name its fields and give one schema for all others');
    }
    schema.additionalProperties = structural({ ...others }, `${path}.*`);
  }
  if (properties !== undefined) {
    const parts = Object.entries(properties).map(([name, part]) => [name, structural({ ...part }, `${path}.${name}`)]);
    schema.properties = Object.fromEntries(parts);
  }
}

function tellLists(schema: SchemaDraft, path: SchemaPath): void {
  if (schema.items !== undefined) schema.items = structural({ ...schema.items }, `${path}[]`);
  else if (schema.type === 'array') schema.items = { 'x-kubernetes-preserve-unknown-fields': true };
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema['x-kubernetes-list-type'] === 'map' && keys.length === 0) {
    notStructural(path, 'a list of type map needs x-kubernetes-list-map-keys');
  }
  for (const key of keys) {
    const field = schema.items?.properties?.[key];
    if (field === undefined) notStructural(path, `its key "${key}" is not a field of its items`);
    if (field.default === undefined && !schema.items?.required?.includes(key)) {
      notStructural(path, `its key "${key}" must be required or have a default`);
    }
  }
}

/** In the branches of allOf, anyOf and oneOf only conditions may stand; what a value *is*, is said once, outside. */
export function withoutType(schema: JsonSchemaProps): JsonSchemaProps {
  const {
    type: _,
    format: __,
    description: ___,
    default: ____,
    nullable: _____,
    title: ______,
    ...conditions
  } = schema;
  return conditions;
}
