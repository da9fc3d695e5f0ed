/** `x-kubernetes-list-type`: the items of a set and the keys of a map are unique. */
import type { Json } from '@capstan/kube';
import { childPath, duplicateValue, type FieldError, indexPath, invalidValue, keyPath } from '../field-error.ts';
import { canonicalJson, isObject, type JsonObject, sortKeys } from './json.ts';
import { planOf, reachable } from './plan.ts';
import type { Schema } from './schema.ts';

export function listTypeErrors(value: Json, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (mayHaveListTypes(schema)) walk(value, schema, path, errors);
  return errors;
}

const withListTypes = new WeakMap<Schema, boolean>();

/** Most schemas have no set and no map anywhere: their objects need no walk. */
function mayHaveListTypes(root: Schema): boolean {
  const known = withListTypes.get(root);
  if (known !== undefined) return known;
  const found = reachable(root).some(({ 'x-kubernetes-list-type': type }) => type === 'set' || type === 'map');
  withListTypes.set(root, found);
  return found;
}

function walk(value: Json, schema: Schema, path: string, errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null) return;
  const plan = planOf(schema);
  if (Array.isArray(value)) {
    const type = schema['x-kubernetes-list-type'];
    if (type === 'set')
      for (const i of repeated(value)) errors.push(duplicateValue(indexPath(path, i), sortKeys(value[i]!)));
    if (type === 'map') checkMap(value, schema['x-kubernetes-list-map-keys'] ?? [], path, errors);
    if (plan.items) for (let i = 0; i < value.length; i++) walk(value[i]!, plan.items, indexPath(path, i), errors);
    return;
  }
  for (const key of Object.keys(value)) {
    const property = plan.properties.get(key);
    if (property) walk(value[key]!, property, childPath(path, key), errors);
    if (plan.additional) walk(value[key]!, plan.additional, keyPath(path, key), errors);
  }
}

function checkMap(items: readonly Json[], keyNames: readonly string[], path: string, errors: FieldError[]): void {
  const stranger = items.findIndex(item => item !== null && !isObject(item));
  if (stranger >= 0) {
    const words = 'must be an object for an array of list-type map';
    errors.push(invalidValue(indexPath(path, stranger), items[stranger], words));
    return;
  }
  const keys = items.map(item => keysOf(item as JsonObject | null, keyNames));
  for (const i of repeated(keys)) errors.push(duplicateValue(indexPath(path, i), sortKeys(keys[i]!)));
}

function keysOf(item: JsonObject | null, keyNames: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  if (item !== null) for (const name of keyNames) if (Object.hasOwn(item, name)) keys[name] = item[name]!;
  return keys;
}

/** The index of the second appearance of each value that appears more than once. */
function repeated(items: readonly Json[]): number[] {
  if (items.length <= 1) return [];
  const times = new Map<string, number>();
  const second: number[] = [];
  for (let i = 0; i < items.length; i++) {
    const text = canonicalJson(items[i]!);
    const count = (times.get(text) ?? 0) + 1;
    times.set(text, count);
    if (count === 2) second.push(i);
  }
  return second;
}
