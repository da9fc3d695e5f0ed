/**
 * Whether a schema is structural: what a value may look like is said once, outside of `allOf`, `anyOf`, `oneOf` and `not`,
 * which only restrict it further. Pruning and defaulting rely on that.
 */
import { deepEqual } from '@capstan/kube';
import {
  errorMessage,
  type FieldError,
  forbiddenValue,
  indexPath,
  invalidValue,
  keyPath,
  requiredValue,
} from '../field-error.ts';
import { compilePattern } from '../schema/pattern.ts';
import type { JsonSchema } from './types.ts';

/** What is not structural, sorted by message. */
export function structuralErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors = [...invariantErrors(schema, 'root', path), ...completenessErrors(schema, schema, path, path)];
  return errors.sort((a, b) => (errorMessage(a) < errorMessage(b) ? -1 : 1));
}

type Level = 'root' | 'item' | 'field';

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function invariantErrors(schema: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = schema.items as JsonSchema | undefined;
  if (schema.type === 'array' && items === undefined) errors.push(requiredValue(`${path}.items`, 'must be specified'));
  if (items !== undefined) errors.push(...invariantErrors(items, 'item', `${path}.items`));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...invariantErrors(property, 'field', keyPath(`${path}.properties`, name)));
  }
  const additional = schema.additionalProperties;
  if (additional !== undefined) {
    const at = `${path}.additionalProperties`;
    if (level === 'root') errors.push(forbiddenValue(at, 'must not be used at the root'));
    if (typeof additional === 'object') errors.push(...invariantErrors(additional, 'field', at));
  }
  errors.push(...extensionErrors(schema, path), ...restrictionErrors(schema, path, intOrStringExceptions(schema)));
  errors.push(...typeErrors(schema, level, path), ...metadataErrors(schema, level, path));
  return errors;
}

function typeErrors(schema: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { type = '' } = schema;
  const embedded = schema['x-kubernetes-embedded-resource'];
  const free = schema['x-kubernetes-int-or-string'] || schema['x-kubernetes-preserve-unknown-fields'];
  if (embedded && type !== 'object') {
    const words = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? requiredValue(`${path}.type`, words) : invalidValue(`${path}.type`, type, words));
  } else if (type === '' && !free) {
    errors.push(requiredValue(`${path}.type`, MISSING_TYPE[level]));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    const words = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenValue(`${path}.additionalProperties`, words));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  if (
    embedded &&
    !schema['x-kubernetes-preserve-unknown-fields'] &&
    Object.keys(schema.properties ?? {}).length === 0
  ) {
    const words =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(requiredValue(`${path}.properties`, words));
  }
  return errors;
}

function extensionErrors(schema: JsonSchema, path: string): FieldError[] {
  if (!schema['x-kubernetes-int-or-string']) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter(name => schema[name])
    .map(name => invalidValue(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

/** `kind`, `apiVersion` and `metadata` are the server's: of metadata only the name may be restricted. */
function metadataErrors(schema: JsonSchema, level: Level, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string): string => keyPath(`${path}.properties`, name);
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  for (const [name, property] of Object.entries({ kind, apiVersion })) {
    if (isResource && property !== undefined && property.type !== 'string') {
      errors.push(invalidValue(`${at(name)}.type`, property.type ?? '', 'must be string'));
    }
  }
  if (metadata === undefined) return errors;
  if (isResource && metadata.type !== 'object') {
    errors.push(invalidValue(`${at('metadata')}.type`, metadata.type ?? '', 'must be object'));
  }
  if (level === 'root' && saysMoreThanNames(metadata)) {
    const words = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbiddenValue(at('metadata'), words));
  }
  return errors;
}

function saysMoreThanNames(metadata: JsonSchema): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const others = Object.keys(properties).filter(name => name !== 'name' && name !== 'generateName');
  return others.length > 0 || Object.values(rest).some(isSet);
}

/** Go's zero values are the same as nothing. */
const isSet = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0);

const INT_OR_STRING: readonly JsonSchema[] = [{ type: 'integer' }, { type: 'string' }];

interface Exceptions {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const NO_EXCEPTIONS: Exceptions = { anyOf: false, firstAllOf: false };

/** The one place where `type` may stand inside a restriction: to say integer or string. */
function intOrStringExceptions({ anyOf, allOf }: JsonSchema): Exceptions {
  return { anyOf: deepEqual(anyOf, INT_OR_STRING), firstAllOf: deepEqual(allOf?.[0]?.anyOf, INT_OR_STRING) };
}

function restrictionErrors(schema: JsonSchema, path: string, exceptions: Exceptions): FieldError[] {
  const errors: FieldError[] = [];
  if (!exceptions.anyOf) {
    for (const [i, part] of (schema.anyOf ?? []).entries()) {
      errors.push(...nestedErrors(part, indexPath(`${path}.anyOf`, i), NO_EXCEPTIONS));
    }
  }
  for (const [i, part] of (schema.allOf ?? []).entries()) {
    const nested = { anyOf: exceptions.firstAllOf && i === 0, firstAllOf: false };
    errors.push(...nestedErrors(part, indexPath(`${path}.allOf`, i), nested));
  }
  for (const [i, part] of (schema.oneOf ?? []).entries()) {
    errors.push(...nestedErrors(part, indexPath(`${path}.oneOf`, i), NO_EXCEPTIONS));
  }
  if (schema.not !== undefined) errors.push(...nestedErrors(schema.not, `${path}.not`, NO_EXCEPTIONS));
  if (schema.pattern) {
    const pattern = compilePattern(schema.pattern);
    if (!pattern.valid) {
      const words = `must be a valid regular expression, but isn't: ${pattern.reason}`;
      errors.push(invalidValue(`${path}.pattern`, schema.pattern, words));
    }
  }
  return errors;
}

/** What a restriction must not say, and how the complaint goes on after "must be". */
const FORBIDDEN: readonly (readonly [keyof JsonSchema, 'empty' | 'undefined' | 'false'])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
];

function nestedErrors(schema: JsonSchema, path: string, exceptions: Exceptions): FieldError[] {
  const errors = restrictionErrors(schema, path, exceptions);
  if (schema.items !== undefined) {
    errors.push(...nestedErrors(schema.items as JsonSchema, `${path}.items`, NO_EXCEPTIONS));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...nestedErrors(property, keyPath(`${path}.properties`, name), NO_EXCEPTIONS));
  }
  for (const [name, state] of FORBIDDEN) {
    if (isSet(schema[name])) errors.push(forbiddenValue(`${path}.${name}`, `must be ${state} to be structural`));
  }
  if (schema.properties && Object.hasOwn(schema.properties, 'metadata')) {
    errors.push(forbiddenValue(keyPath(`${path}.properties`, 'metadata'), 'must not be specified in a nested context'));
  }
  return errors;
}

/** Whatever a restriction speaks of is specified outside of it too. */
function completenessErrors(
  restriction: JsonSchema,
  specified: JsonSchema | undefined,
  specifiedPath: string,
  path: string,
): FieldError[] {
  if (specified === undefined) return [requiredValue(specifiedPath, `because it is defined in ${path}`)];
  const errors: FieldError[] = [];
  const nested = (part: JsonSchema, at: string): void => {
    errors.push(...nestedCompleteness(part, specified, specifiedPath, at));
  };
  if (restriction.not !== undefined) nested(restriction.not, `${path}.not`);
  for (const junctor of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [i, part] of (restriction[junctor] ?? []).entries()) nested(part, indexPath(`${path}.${junctor}`, i));
  }
  return errors;
}

function nestedCompleteness(
  restriction: JsonSchema,
  specified: JsonSchema | undefined,
  specifiedPath: string,
  path: string,
): FieldError[] {
  if (specified === undefined) return [requiredValue(specifiedPath, `because it is defined in ${path}`)];
  const errors = completenessErrors(restriction, specified, specifiedPath, path);
  if (restriction.items !== undefined) {
    const [part, whole] = [restriction.items as JsonSchema, specified.items as JsonSchema | undefined];
    errors.push(...nestedCompleteness(part, whole, `${specifiedPath}.items`, `${path}.items`));
  }
  for (const [name, part] of Object.entries(restriction.properties ?? {})) {
    const property =
      specified.properties && Object.hasOwn(specified.properties, name) ? specified.properties[name] : undefined;
    const at = keyPath(`${specifiedPath}.properties`, name);
    errors.push(...nestedCompleteness(part, property, at, keyPath(`${path}.properties`, name)));
  }
  return errors;
}
