/** `x-kubernetes-validations`: rules in CEL, over the object and what it was before. */
import type { Json } from '@capstan/kube';
import { type FieldError, invalidValue } from '../field-error.ts';
import { reachable } from './plan.ts';
import type { Schema } from './schema.ts';

export interface RuleOptions {
  readonly old?: Json | undefined;
  /** What other checks found: rules run only on objects whose fields they can rely on. */
  readonly errors: readonly FieldError[];
}

/** Findings after which a rule may meet a value of another type or size than its author was promised. */
const BLOCKING: ReadonlySet<string> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

export function validateRules(_value: Json, schema: Schema, { errors }: RuleOptions): FieldError[] {
  if (!hasRules(schema)) return [];
  const unchecked =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return errors.some(error => BLOCKING.has(error.type)) ? [invalidValue('<nil>', null, unchecked)] : [];
}

const withRules = new WeakMap<Schema, boolean>();

function hasRules(schema: Schema): boolean {
  let has = withRules.get(schema);
  if (has === undefined) {
    has = reachable(schema).some(node => (node['x-kubernetes-validations']?.length ?? 0) > 0);
    withRules.set(schema, has);
  }
  return has;
}
