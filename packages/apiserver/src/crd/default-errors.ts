/** Defaults must be values that the schema accepts, whole: nothing unknown in them, nothing invalid. */
import { deepClone, deepEqual, type Json } from '@capstan/kube';
import { type FieldError, invalidValue, keyPath } from '../field-error.ts';
import { validateEmbedded } from '../schema/embedded.ts';
import { sortKeys } from '../schema/json.ts';
import { prune } from '../schema/prune.ts';
import { validateRules } from '../schema/rules.ts';
import type { Schema } from '../schema/schema.ts';
import { validateFields } from '../schema/validate.ts';
import type { JsonSchema } from './types.ts';

/** The schema is structural already. Defaults under `additionalProperties` are not followed: none are applied there. */
export function defaultErrors(schema: JsonSchema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { default: value } = schema;
  if (value !== undefined && value !== null)
    errors.push(...valueErrors(value as Json, schema as Schema, `${path}.default`));
  if (schema.items !== undefined) errors.push(...defaultErrors(schema.items as JsonSchema, `${path}.items`));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...defaultErrors(property, keyPath(`${path}.properties`, name)));
  }
  return errors;
}

function valueErrors(value: Json, schema: Schema, path: string): FieldError[] {
  const pruned = deepClone(value);
  prune(pruned, schema);
  const errors: FieldError[] = [];
  if (!deepEqual(pruned, value)) errors.push(invalidValue(path, sortKeys(value), 'must not have unknown fields'));
  const embedded = validateEmbedded(value, schema, path);
  const invalid = embedded.length > 0 ? embedded : validateFields(value, schema, { path });
  if (invalid.length > 0) return [...errors, ...invalid];
  const isResourceRoot = schema['x-kubernetes-embedded-resource'] === true;
  // As if the default had been there before, and then as a value that is new: rules may tell the two apart.
  const kept = validateRules(value, schema, { path, isResourceRoot, old: value });
  return [...errors, ...(kept.length > 0 ? kept : validateRules(value, schema, { path, isResourceRoot }))];
}
