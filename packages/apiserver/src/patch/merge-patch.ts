/** RFC 7386 JSON merge patch, with the one liberty Kubernetes takes: nulls inside new lists' objects go away too. */
import { deepClone, type Json } from '@capstan/kube';
import { goKind } from '../schema/go-text.ts';
import { assign, isObject, type JsonObject } from '../schema/json.ts';
import { malformedPatch } from './patch-error.ts';

/** The object with the patch merged in, as a new object. */
export function applyMergePatch(current: Json, patch: Json): Json {
  if (patch === null) throw malformedPatch('Invalid JSON Patch');
  if (!isObject(patch)) {
    const words = `json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`;
    throw malformedPatch(`error decoding patch: ${words}`);
  }
  return isObject(current) ? mergeInto(deepClone(current), patch) : withoutNulls(patch);
}

function mergeInto(target: JsonObject, patch: JsonObject): JsonObject {
  for (const key of Object.keys(patch)) {
    const change = patch[key]!;
    const existing = Object.hasOwn(target, key) ? target[key]! : null;
    if (change === null) delete target[key];
    else if (isObject(existing) && isObject(change)) mergeInto(existing, change);
    else assign(target, key, withoutNulls(change));
  }
  return target;
}

/** A copy without null fields, in lists too. Null items stay. */
export function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) if (value[key] !== null) assign(copy, key, withoutNulls(value[key]!));
  return copy;
}
