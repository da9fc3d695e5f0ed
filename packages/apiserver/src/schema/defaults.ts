/** Fills in what the schema says is meant when a field is left out. */
import { deepClone, type Json } from '@capstan/kube';
import { assign, type JsonObject } from './json.ts';
import { fieldSchema, type Plan, planOf } from './plan.ts';
import type { Schema } from './schema.ts';

/**
 * Applies the schema's defaults in place, inside lists and maps too. A parent that is missing stays missing: its children's
 * defaults wait for it. A null where null is not allowed counts as left out: it becomes the default or, where there is none,
 * goes away.
 */
export function applyDefaults(draft: Json, schema: Schema): void {
  if (typeof draft !== 'object' || draft === null) return;
  const plan = planOf(schema);
  if (Array.isArray(draft)) fillItems(draft, plan);
  else fillFields(draft, plan);
}

/** Null items without a default stay, and fail validation. */
function fillItems(list: Json[], { items }: Plan): void {
  if (items === undefined) return;
  for (let i = 0; i < list.length; i++) {
    if (list[i] === null && !items.nullable && hasDefault(items)) list[i] = deepClone(items.default as Json);
    applyDefaults(list[i]!, items);
  }
}

function fillFields(object: JsonObject, plan: Plan): void {
  for (const key of Object.keys(object)) {
    if (object[key] !== null) continue;
    const field = fieldSchema(plan, key);
    if (field === undefined || field.nullable) continue;
    if (hasDefault(field)) assign(object, key, deepClone(field.default as Json));
    else delete object[key];
  }
  for (const [key, value] of plan.defaults) {
    if (!Object.hasOwn(object, key)) assign(object, key, deepClone(value));
  }
  for (const key of Object.keys(object)) {
    const field = fieldSchema(plan, key);
    if (field !== undefined) applyDefaults(object[key]!, field);
  }
}

const hasDefault = (schema: Schema): boolean => schema.default !== undefined && schema.default !== null;
