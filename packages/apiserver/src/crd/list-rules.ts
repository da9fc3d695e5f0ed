/** Rules for `x-kubernetes-list-type`, `-list-map-keys` and `-map-type`: what server-side apply will merge by. */
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  keyPath,
  requiredValue,
  unsupportedValue,
} from '../field-error.ts';
import type { JsonSchema } from './types.ts';

export function listRuleErrors(schema: JsonSchema, path: string): FieldError[] {
  return [
    ...mapTypeErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...mapKeyErrors(schema, path),
    ...itemErrors(schema, path),
  ];
}

function mustBe(wanted: 'array' | 'object', schema: JsonSchema, path: string, name: string): FieldError[] {
  if (schema.type === wanted) return [];
  const words = `must be ${wanted} if ${name} is specified`;
  return [schema.type ? invalidValue(`${path}.type`, schema.type, words) : requiredValue(`${path}.type`, words)];
}

function mapTypeErrors(schema: JsonSchema, path: string): FieldError[] {
  const type = schema['x-kubernetes-map-type'];
  if (type === undefined) return [];
  const errors = mustBe('object', schema, path, 'x-kubernetes-map-type');
  const known = ['atomic', 'granular'];
  if (!known.includes(type)) errors.push(unsupportedValue(`${path}.x-kubernetes-map-type`, type, known));
  return errors;
}

function listTypeErrors(schema: JsonSchema, path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type === undefined) return [];
  const errors = mustBe('array', schema, path, 'x-kubernetes-list-type');
  const items = schema.items as JsonSchema | undefined;
  if (errors.length === 0 && type === 'set' && items !== undefined)
    errors.push(...setItemErrors(items, `${path}.items`));
  const known = ['atomic', 'set', 'map'];
  if (!known.includes(type)) errors.push(unsupportedValue(`${path}.x-kubernetes-list-type`, type, known));
  return errors;
}

/** A set compares its items as a whole, so nothing inside them may be merged. */
function setItemErrors(items: JsonSchema, path: string): FieldError[] {
  const words = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalidValue(`${path}.x-kubernetes-list-type`, listType, words)];
  }
  // The value shown here is the list type, even though the map type is what is wrong: so does Kubernetes.
  return items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic'
    ? [invalidValue(`${path}.x-kubernetes-map-type`, listType ?? null, words)]
    : [];
}

function mapKeyErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length > 0 && type !== 'map') {
    const words = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const at = `${path}.x-kubernetes-list-type`;
    errors.push(type === undefined ? requiredValue(at, words) : invalidValue(at, type, words));
  }
  if (type !== 'map') return errors;
  const at = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(requiredValue(at, 'must not be empty if x-kubernetes-list-type is map'));
  const items = schema.items as JsonSchema | undefined;
  if (items === undefined) {
    errors.push(requiredValue(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  } else if (items.type !== 'object') {
    const words = `must be object if parent array's x-kubernetes-list-type is map`;
    errors.push(invalidValue(`${path}.items.type`, items.type ?? '', words));
  } else {
    errors.push(...keyPropertyErrors(items, keys, path, at));
  }
  return errors;
}

function keyPropertyErrors(items: JsonSchema, keys: readonly string[], path: string, at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, key] of keys.entries()) {
    const property = propertyOf(items, key);
    if (property === undefined) errors.push(invalidValue(at, keys, 'entries must all be names of item properties'));
    else if (property.type === 'array' || property.type === 'object') {
      const words = `must be a scalar type if parent array's x-kubernetes-list-type is map`;
      errors.push(invalidValue(`${keyPath(`${path}.items.properties`, key)}.type`, items.type, words));
    }
    if (keys.indexOf(key) < index) errors.push(invalidValue(at, keys, 'must not contain duplicate entries'));
  }
  return errors;
}

/** Items of sets and maps, and the keys of maps, are always there. */
function itemErrors(schema: JsonSchema, path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  const items = schema.items as JsonSchema | undefined;
  if (items === undefined || (type !== 'set' && type !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    errors.push(forbiddenValue(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${type}`));
  }
  if (type !== 'map') return errors;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const at = keyPath(`${path}.items.properties`, key);
    const because = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!items.required?.includes(key) && property.default === undefined) {
      errors.push(requiredValue(`${at}.default`, `${because} must have a default or be a required property`));
    }
    if (property.nullable) errors.push(forbiddenValue(`${at}.nullable`, `${because} cannot be nullable`));
  }
  return errors;
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  return schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}
