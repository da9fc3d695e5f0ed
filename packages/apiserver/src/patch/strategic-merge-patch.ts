/**
 * Strategic merge patch: a merge patch that knows which lists are really maps. The schema of a built-in kind says so with
 * `x-kubernetes-patch-strategy` and `x-kubernetes-patch-merge-key`; directives in the patch (`$patch`, `$retainKeys`,
 * `$setElementOrder/…`, `$deleteFromPrimitiveList/…`) say the rest.
 */
import { deepClone, type Json } from '@capstan/kube';
import { goKind, goValue } from '../schema/go-text.ts';
import { assign, isObject, type JsonObject } from '../schema/json.ts';
import { fieldSchema, planOf } from '../schema/plan.ts';
import type { Schema } from '../schema/schema.ts';
import { type MergeItem, mergeList } from './merge-list.ts';
import { withoutNulls } from './merge-patch.ts';
import { malformedPatch, PatchError } from './patch-error.ts';
import { orderLike } from './set-element-order.ts';

const SET_ORDER = '$setElementOrder/';
const DELETE_FROM = '$deleteFromPrimitiveList/';

/** The object with the patch merged in, as a new object. */
export function applyStrategicMergePatch(current: Json, patch: Json, schema: Schema): Json {
  if (!isObject(patch)) {
    if (patch === null) return deepClone(current);
    throw malformedPatch(`json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`);
  }
  return mergeObject(isObject(current) ? deepClone(current) : {}, deepClone(patch), schema);
}

/** Both belong to this walk and may be changed. */
function mergeObject(target: JsonObject, patch: JsonObject, schema: Schema | undefined): JsonObject {
  if (Object.hasOwn(patch, '$patch')) return directed(patch);
  retainKeys(target, patch);
  applySetOrders(target, patch, schema);
  for (const key of Object.keys(patch)) mergeField(target, key, patch[key]!, schema);
  return target;
}

/** `$patch: replace` takes the patch for the object, `$patch: delete` leaves nothing of it. */
function directed(patch: JsonObject): JsonObject {
  const { $patch: directive, ...rest } = patch;
  if (directive === 'replace') return withoutNulls(rest) as JsonObject;
  if (directive === 'delete') return {};
  throw new PatchError(500, `unknown patch type: ${goValue(directive!)} in map: ${goValue(patch)}`);
}

/** `$retainKeys` names all fields that remain; those in the patch have to be among them. */
function retainKeys(target: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, '$retainKeys')) return;
  const keep = patch.$retainKeys;
  delete patch.$retainKeys;
  if (!Array.isArray(keep)) throw malformedPatch('invalid patch format of retainKeys');
  for (const key of Object.keys(patch)) {
    const isDirective = key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER);
    if (patch[key] !== null && !isDirective && !keep.includes(key)) {
      throw malformedPatch('invalid patch format of retainKeys');
    }
  }
  for (const key of Object.keys(target)) if (!keep.includes(key)) delete target[key];
}

function mergeField(target: JsonObject, patchKey: string, change: Json, schema: Schema | undefined): void {
  const deletes = patchKey.startsWith(DELETE_FROM);
  const key = deletes ? patchKey.slice(DELETE_FROM.length) : patchKey;
  if (change === null) {
    delete target[key];
    return;
  }
  const existing = Object.hasOwn(target, key) ? target[key]! : undefined;
  const sameKind = existing !== undefined && goKind(existing) === goKind(change);
  if (deletes) {
    if (sameKind && Array.isArray(existing)) assign(target, key, without(existing, change as Json[]));
    return;
  }
  const field = schema && fieldSchema(planOf(schema), key);
  if (sameKind && isObject(existing) && isObject(change)) {
    const replaces = strategiesOf(field).includes('replace');
    assign(target, key, replaces ? change : mergeObject(existing, change, field));
  } else if (sameKind && Array.isArray(existing) && Array.isArray(change)) {
    assign(target, key, mergedList(existing, change, field));
  } else {
    const value = withoutDirectives(withoutNulls(change));
    if (value === undefined) delete target[key];
    else assign(target, key, value);
  }
}

function mergedList(existing: Json[], change: Json[], field: Schema | undefined): Json[] {
  if (!strategiesOf(field).includes('merge')) return withoutNulls(change) as Json[];
  const mergeItem: MergeItem = (item, itemPatch) => mergeObject(item, itemPatch, field?.items);
  return mergeList(existing, change, field?.['x-kubernetes-patch-merge-key'] ?? '', mergeItem);
}

/** Merges the lists that a `$setElementOrder` is about, brings them into its order, and takes both out of the patch. */
function applySetOrders(target: JsonObject, patch: JsonObject, schema: Schema | undefined): void {
  for (const directive of Object.keys(patch).filter(key => key.startsWith(SET_ORDER))) {
    const order = patch[directive];
    const key = directive.slice(SET_ORDER.length);
    delete patch[directive];
    const existing = Object.hasOwn(target, key) ? target[key]! : undefined;
    const change = Object.hasOwn(patch, key) ? patch[key]! : undefined;
    for (const list of [order, existing, change]) {
      if (list !== undefined && !Array.isArray(list)) {
        throw new PatchError(500, `expected a []interface {}, but received a ${goKind(list!)}`);
      }
    }
    const field = schema && fieldSchema(planOf(schema), key);
    const merged =
      existing === undefined
        ? (withoutDirectives(withoutNulls(change ?? [])) as Json[])
        : change === undefined
          ? (existing as Json[])
          : mergedList(existing as Json[], change as Json[], field);
    delete patch[key];
    if (existing === undefined && change === undefined) continue;
    const mergeKey = field?.['x-kubernetes-patch-merge-key'] ?? '';
    const lists = {
      merged,
      order: order as Json[],
      change: (change ?? []) as Json[],
      live: (existing ?? []) as Json[],
    };
    assign(target, key, orderLike(lists, mergeKey));
  }
}

function strategiesOf(field: Schema | undefined): readonly string[] {
  return field?.['x-kubernetes-patch-strategy']?.split(',') ?? [];
}

function without(list: readonly Json[], removed: readonly Json[]): Json[] {
  return list.filter(item => !removed.includes(item));
}

/** A value that is new to the object has nothing to be directed at; undefined when it was only a directive. */
function withoutDirectives(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter(item => item !== undefined);
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, '$patch')) return undefined;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const field = withoutDirectives(value[key]!);
    if (field !== undefined) assign(copy, key, field);
  }
  return copy;
}
