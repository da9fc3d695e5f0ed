/** What a schema in a CRD may say, node by node, apart from being structural. */
import { type FieldError, forbiddenValue, indexPath, invalidValue, keyPath, unsupportedValue } from '../field-error.ts';
import { listRuleErrors } from './list-rules.ts';
import { ruleTextErrors } from './rule-text.ts';
import type { JsonSchema } from './types.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const META_FIELDS: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

interface Surroundings {
  readonly isRoot: boolean;
  /** Inside of the type or the metadata of a resource. */
  readonly insideMeta: boolean;
  /** Why defaults are not allowed here; undefined where they are. */
  readonly defaultsForbidden: string | undefined;
}

export function schemaRuleErrors(schema: JsonSchema, path: string): FieldError[] {
  return nodeErrors(schema, path, { isRoot: true, insideMeta: false, defaultsForbidden: undefined });
}

function nodeErrors(schema: JsonSchema, path: string, around: Surroundings): FieldError[] {
  const errors = [...unsupportedErrors(schema, path, around)];
  if (schema.uniqueItems) {
    const words = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbiddenValue(`${path}.uniqueItems`, words));
  }
  errors.push(...childErrors(schema, path, { ...around, isRoot: false }, around.isRoot));
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  errors.push(...listRuleErrors(schema, path), ...ruleTextErrors(schema, path));
  return errors;
}

function childErrors(schema: JsonSchema, path: string, around: Surroundings, isRoot: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const { additionalProperties: additional, properties = {}, items } = schema;
  if (additional !== undefined) {
    const at = `${path}.additionalProperties`;
    if (Object.keys(properties).length > 0 && additional !== true) {
      errors.push(forbiddenValue(at, 'additionalProperties and properties are mutual exclusive'));
    }
    const why = 'inside additionalProperties applying to object metadata';
    const within = around.insideMeta ? { ...around, defaultsForbidden: why } : around;
    if (typeof additional === 'object') errors.push(...nodeErrors(additional, at, within));
  }
  for (const [name, property] of Object.entries(properties)) {
    const isMeta = (isRoot || schema['x-kubernetes-embedded-resource'] === true) && META_FIELDS.has(name);
    const within = isMeta
      ? { ...around, insideMeta: true, defaultsForbidden: isRoot ? `in top-level ${name}` : around.defaultsForbidden }
      : around;
    errors.push(...nodeErrors(property, keyPath(`${path}.properties`, name), within));
  }
  if (schema.not !== undefined) errors.push(...nodeErrors(schema.not, `${path}.not`, around));
  for (const junctor of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [i, part] of (schema[junctor] ?? []).entries()) {
      errors.push(...nodeErrors(part, indexPath(`${path}.${junctor}`, i), around));
    }
  }
  for (const [name, definition] of Object.entries(schema.definitions ?? {})) {
    errors.push(...nodeErrors(definition, keyPath(`${path}.definitions`, name), around));
  }
  if (Array.isArray(items)) {
    for (const [i, item] of items.entries()) errors.push(...nodeErrors(item, indexPath(`${path}.items`, i), around));
  } else if (items !== undefined) {
    errors.push(...nodeErrors(items as JsonSchema, `${path}.items`, around));
  }
  return errors;
}

const UNSUPPORTED: readonly (keyof JsonSchema)[] = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
];

function unsupportedErrors(schema: JsonSchema, path: string, around: Surroundings): FieldError[] {
  const errors: FieldError[] = [];
  const { type = '' } = schema;
  if (type !== '' && !TYPES.includes(type)) errors.push(unsupportedValue(`${path}.type`, type, TYPES));
  if (schema.default !== undefined && around.defaultsForbidden !== undefined) {
    errors.push(forbiddenValue(`${path}.default`, `must not be set ${around.defaultsForbidden}`));
  }
  for (const name of UNSUPPORTED) {
    const value = schema[name];
    const isEmpty =
      typeof value === 'object' && value !== null && name !== 'additionalItems' && Object.keys(value).length === 0;
    if (value !== undefined && value !== '' && !isEmpty) {
      errors.push(forbiddenValue(`${path}.${name}`, `${name} is not supported`));
    }
  }
  if (type === 'null') {
    errors.push(forbiddenValue(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbiddenValue(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (around.insideMeta && schema['x-kubernetes-embedded-resource']) {
    errors.push(forbiddenValue(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta'));
  }
  return errors;
}
