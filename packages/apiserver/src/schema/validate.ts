/** Validates a value against its schema: the fields, the keys of lists, embedded resources and CEL rules. */
import type { Json } from '@capstan/kube';
import type { FieldError } from '../field-error.ts';
import { fits } from './check.ts';
import { Correlated } from './correlate.ts';
import { validateEmbedded } from './embedded.ts';
import { explain } from './explain.ts';
import { listTypeErrors } from './list-types.ts';
import { validateRules } from './rules.ts';
import type { Schema } from './schema.ts';

export interface ValidateOptions {
  /** The field the value stands in; '' for a whole object. */
  readonly path?: string;
  /** What the value was before: what was invalid and has not changed may stay so. */
  readonly old?: Json | undefined;
}

/** Everything that is wrong with the value, in Kubernetes' words. */
export function validate(value: Json, schema: Schema, options: ValidateOptions = {}): FieldError[] {
  const errors = [
    ...validateFields(value, schema, options),
    ...validateEmbedded(value, schema, options.path ?? ''),
    ...validateListTypes(value, schema, options),
  ];
  return [...errors, ...validateRules(value, schema, { ...options, errors })];
}

/** Types, bounds, patterns, formats, required fields, enums and combinations. */
export function validateFields(value: Json, schema: Schema, { path = '', old }: ValidateOptions = {}): FieldError[] {
  if (fits(value, schema)) return [];
  return explain(value, schema, path, old === undefined ? undefined : new Correlated(value, old, schema));
}

/** Sets have no duplicates, and no two items of a map have the same keys, unless that was so before. */
export function validateListTypes(value: Json, schema: Schema, { path = '', old }: ValidateOptions = {}): FieldError[] {
  const errors = listTypeErrors(value, schema, path);
  return errors.length > 0 && old !== undefined && listTypeErrors(old, schema, path).length > 0 ? [] : errors;
}
