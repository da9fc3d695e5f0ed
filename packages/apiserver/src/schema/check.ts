/**
 * Whether a value fits a schema, yes or no: no paths, no messages, nothing allocated. Nearly every object that is ever
 * written fits, so this is the way that is taken; `explain.ts` finds the words when it does not. Both must agree, which a
 * property in the tests holds them to.
 */
import { deepEqual, type Json } from '@capstan/kube';
import { canonicalJson, type JsonObject } from './json.ts';
import { violatesNumber } from './numbers.ts';
import { type Plan, planOf } from './plan.ts';
import type { Schema } from './schema.ts';
import { typeProblem } from './types.ts';

export function fits(value: Json, schema: Schema): boolean {
  const plan = planOf(schema);
  if (typeProblem(value, plan) !== undefined) return false;
  if (!inEnum(value, schema.enum)) return false;
  if (value === null) return true;
  if (plan.hasJunctors && !fitsJunctors(value, schema)) return false;
  switch (typeof value) {
    case 'string':
      return fitsText(value, plan);
    case 'number':
      return !violatesNumber(value, plan);
    case 'boolean':
      return true;
    default:
      return Array.isArray(value) ? fitsItems(value, plan) : fitsFields(value, plan);
  }
}

/** Null is in no enum, not even in one that lists it. */
export function inEnum(value: Json, allowed: readonly Json[] | undefined): boolean {
  if (allowed === undefined || allowed.length === 0) return true;
  if (value === null) return false;
  // Kubernetes compares in the type of the allowed value: a fraction is cut off where that is a whole number.
  if (typeof value === 'number') return allowed.includes(value) || allowed.includes(Math.trunc(value));
  if (typeof value !== 'object') return allowed.includes(value);
  return allowed.some(candidate => deepEqual(candidate, value));
}

/** In characters, as Kubernetes counts: an emoji is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    if (isPair) {
      count--;
      i++;
    }
  }
  return count;
}

export function hasDuplicates(items: readonly Json[]): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const text = canonicalJson(item);
    if (seen.has(text)) return true;
    seen.add(text);
  }
  return false;
}

function fitsText(text: string, plan: Plan): boolean {
  const { maxLength, minLength } = plan.schema;
  if (maxLength !== undefined || minLength !== undefined) {
    const length = characterCount(text);
    if (maxLength !== undefined && length > maxLength) return false;
    if (minLength !== undefined && length < minLength) return false;
  }
  if (plan.pattern !== undefined && !(plan.pattern.valid && plan.pattern.test(text))) return false;
  return plan.isFormat === undefined || plan.isFormat(text);
}

function fitsItems(list: readonly Json[], plan: Plan): boolean {
  const { minItems, maxItems, uniqueItems } = plan.schema;
  if (minItems !== undefined && list.length < minItems) return false;
  if (maxItems !== undefined && list.length > maxItems) return false;
  if (plan.items !== undefined) {
    for (const item of list) if (!fits(item, plan.items)) return false;
  }
  return !uniqueItems || !hasDuplicates(list);
}

function fitsFields(object: JsonObject, plan: Plan): boolean {
  const { minProperties, maxProperties, additionalProperties } = plan.schema;
  const keys = Object.keys(object);
  if (minProperties !== undefined && keys.length < minProperties) return false;
  if (maxProperties !== undefined && keys.length > maxProperties) return false;
  for (const name of plan.required) if (!Object.hasOwn(object, name)) return false;
  for (const key of keys) {
    const schema = plan.properties.get(key) ?? plan.additional;
    if (schema !== undefined) {
      if (!fits(object[key]!, schema)) return false;
    } else if (additionalProperties === false) {
      return false;
    }
  }
  return true;
}

function fitsJunctors(value: Exclude<Json, null>, schema: Schema): boolean {
  if (schema.allOf !== undefined) for (const part of schema.allOf) if (!fits(value, part)) return false;
  if (schema.anyOf?.length && !schema.anyOf.some(part => fits(value, part))) return false;
  if (schema.oneOf?.length && schema.oneOf.filter(part => fits(value, part)).length !== 1) return false;
  return schema.not === undefined || !fits(value, schema.not);
}
