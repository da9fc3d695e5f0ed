/** `x-kubernetes-embedded-resource`: an object inside an object has a type and well-formed metadata of its own. */
import {
  type Json,
  validateAnnotationKey,
  validateDns1035Label,
  validateDns1123Label,
  validateLabelKey,
  validateLabelValue,
} from '@capstan/kube';
import { childPath, type FieldError, indexPath, invalidValue, keyPath, requiredValue } from '../field-error.ts';
import { isObject, type JsonObject } from './json.ts';
import { OBJECT_META } from './object-meta.ts';
import { planOf, reachable } from './plan.ts';
import type { Schema } from './schema.ts';
import { validateFields } from './validate.ts';

/** What is wrong with the resources inside a value; the value itself is not one of them unless the schema says so. */
export function validateEmbedded(value: Json, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (mayHaveEmbedded(schema)) walk(value, schema, path, errors);
  return errors;
}

const withEmbedded = new WeakMap<Schema, boolean>();

function mayHaveEmbedded(root: Schema): boolean {
  const known = withEmbedded.get(root);
  if (known !== undefined) return known;
  const found = reachable(root).some(schema => schema['x-kubernetes-embedded-resource'] === true);
  withEmbedded.set(root, found);
  return found;
}

function walk(value: Json, schema: Schema, path: string, errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null) return;
  const plan = planOf(schema);
  if (Array.isArray(value)) {
    if (plan.items) for (const [index, item] of value.entries()) walk(item, plan.items, indexPath(path, index), errors);
    return;
  }
  if (plan.embedded) checkResource(value, path, errors);
  for (const key of Object.keys(value)) {
    const property = plan.properties.get(key);
    if (property) walk(value[key]!, property, childPath(path, key), errors);
    else if (plan.additional) walk(value[key]!, plan.additional, keyPath(path, key), errors);
  }
}

function checkResource(resource: JsonObject, path: string, errors: FieldError[]): void {
  for (const field of ['apiVersion', 'kind'] as const) {
    const at = childPath(path, field);
    const value = Object.hasOwn(resource, field) ? resource[field] : undefined;
    if (value === undefined) errors.push(requiredValue(at));
    else if (typeof value !== 'string') errors.push(invalidValue(at, value, 'must be a string'));
    else if (value === '') errors.push(invalidValue(at, value, 'must not be empty'));
    else if (field === 'apiVersion' && value.split('/').length > 2) {
      errors.push(invalidValue(at, value, `unexpected GroupVersion string: ${value}`));
    } else if (field === 'kind') {
      const problems = validateDns1035Label(value.toLowerCase());
      if (problems.length > 0) {
        const words = `may have mixed case, but should otherwise match: ${problems.join(',')}`;
        errors.push(invalidValue(at, value, words));
      }
    }
  }
  if (Object.hasOwn(resource, 'metadata')) checkMetadata(resource.metadata!, childPath(path, 'metadata'), errors);
}

function checkMetadata(metadata: Json, path: string, errors: FieldError[]): void {
  const wrongTypes = validateFields(metadata, OBJECT_META, { path });
  if (wrongTypes.length > 0 || !isObject(metadata)) {
    errors.push(...wrongTypes);
    return;
  }
  const { name, namespace, labels, annotations } = metadata as { [key: string]: never } & JsonObject;
  for (const problem of typeof name === 'string' && name !== '' ? pathSegmentProblems(name) : []) {
    errors.push(invalidValue(childPath(path, 'name'), name, problem));
  }
  for (const problem of typeof namespace === 'string' && namespace !== '' ? validateDns1123Label(namespace) : []) {
    errors.push(invalidValue(childPath(path, 'namespace'), namespace, problem));
  }
  for (const [key, value] of Object.entries((labels ?? {}) as Record<string, string>)) {
    for (const problem of validateLabelKey(key)) errors.push(invalidValue(childPath(path, 'labels'), key, problem));
    for (const problem of validateLabelValue(value))
      errors.push(invalidValue(childPath(path, 'labels'), value, problem));
  }
  for (const key of Object.keys((annotations ?? {}) as Record<string, string>)) {
    for (const problem of validateAnnotationKey(key)) {
      errors.push(invalidValue(childPath(path, 'annotations'), key, problem));
    }
  }
}

function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter(character => name.includes(character)).map(character => `may not contain '${character}'`);
}
