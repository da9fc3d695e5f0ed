/** Fills in what the schema says is meant when a field is left out. */
import type { Json } from '@capstan/kube';
import { assign, copyJson, isObject } from './json.ts';
import { fieldSchema, planOf } from './plan.ts';
import type { Schema } from './schema.ts';

/**
 * Applies the schema's defaults in place, inside lists and maps too. A parent that is missing stays missing: its children's
 * defaults wait for it. A null where null is not allowed counts as left out: it becomes the default or, where there is none,
 * goes away.
 */
export function applyDefaults(draft: Json, schema: Schema): void {
  dropNulls(draft, schema);
  fill(draft, schema);
}

/** Removes nulls of fields that are neither nullable nor have a default. Null items of lists stay, and fail validation. */
function dropNulls(value: Json, schema: Schema | undefined): void {
  if (schema === undefined) return;
  const plan = planOf(schema);
  if (Array.isArray(value)) {
    for (const item of value) dropNulls(item, plan.items);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const field = fieldSchema(plan, key);
      if (field === undefined) continue;
      const child = value[key]!;
      if (child === null && !field.nullable && (field.default === undefined || field.default === null))
        delete value[key];
      else dropNulls(child, field);
    }
  }
}

function fill(value: Json, schema: Schema | undefined): void {
  if (schema === undefined) return;
  const plan = planOf(schema);
  if (Array.isArray(value)) {
    if (plan.items === undefined) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null) value[i] = withoutNull(plan.items);
      fill(value[i]!, plan.items);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const [key, property] of plan.properties) {
    if (property.default === undefined || property.default === null) continue;
    const missing = !Object.hasOwn(value, key) || (value[key] === null && !property.nullable);
    if (missing) assign(value, key, copyJson(property.default as Json));
  }
  for (const key of Object.keys(value)) {
    const field = fieldSchema(plan, key);
    if (field === undefined) continue;
    if (value[key] === null) assign(value, key, withoutNull(field));
    fill(value[key]!, field);
  }
}

/** What a null stands for: the default where null is not allowed, else null itself. */
function withoutNull(schema: Schema): Json {
  return schema.nullable || schema.default === undefined ? null : copyJson(schema.default as Json);
}
