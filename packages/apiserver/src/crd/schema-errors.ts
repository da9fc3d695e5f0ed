/** Everything that can be wrong with the schema of a version. */
import { type FieldError, forbiddenValue, invalidValue } from '../field-error.ts';
import { defaultErrors } from './default-errors.ts';
import { ruleErrors } from './rule-errors.ts';
import { schemaRuleErrors } from './schema-rules.ts';
import { structuralErrors } from './structural.ts';
import { subschemas } from './subschemas.ts';
import type { JsonSchema } from './types.ts';

/** In the order of Kubernetes' own list, which its message prints. */
const ALLOWED_AT_ROOT_WITH_STATUS: readonly (readonly [word: string, field: keyof JsonSchema])[] = [
  ['Description', 'description'],
  ['Type', 'type'],
  ['Format', 'format'],
  ['Title', 'title'],
  ['Maximum', 'maximum'],
  ['ExclusiveMaximum', 'exclusiveMaximum'],
  ['Minimum', 'minimum'],
  ['ExclusiveMinimum', 'exclusiveMinimum'],
  ['MaxLength', 'maxLength'],
  ['MinLength', 'minLength'],
  ['Pattern', 'pattern'],
  ['MaxItems', 'maxItems'],
  ['MinItems', 'minItems'],
  ['UniqueItems', 'uniqueItems'],
  ['MultipleOf', 'multipleOf'],
  ['Required', 'required'],
  ['Items', 'items'],
  ['Properties', 'properties'],
  ['ExternalDocs', 'externalDocs'],
  ['Example', 'example'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields'],
  ['XValidations', 'x-kubernetes-validations'],
];

/** `path` is that of the `openAPIV3Schema`. */
export function schemaErrors(schema: JsonSchema, path: string, hasStatus: boolean): FieldError[] {
  const errors = hasStatus ? rootErrors(schema, path) : [];
  if (schema.nullable) errors.push(forbiddenValue(`${path}.nullable`, 'nullable cannot be true at the root'));
  // A schema with what is not supported at all cannot be looked at as a structural one.
  const rules = schemaRuleErrors(schema, path);
  if (!isConvertible(schema)) return [...errors, ...rules];
  const structural = structuralErrors(schema, path);
  const unsound = structural.length > 0 ? structural : defaultErrors(schema, path);
  // Rules are compiled only against a schema that can be relied on: what CEL says of a broken one helps nobody.
  const cel = unsound.length === 0 && rules.length === 0 ? ruleErrors(schema, path) : [];
  return [...errors, ...unsound, ...rules, ...cel];
}

/** The schema of status is taken out of the whole: nothing at the root may be lost by that. */
function rootErrors(schema: JsonSchema, path: string): FieldError[] {
  for (const [name, value] of Object.entries(schema)) {
    if (value === undefined || value === null || value === false || value === '') continue;
    if (name === 'type' && value !== 'object') {
      const words =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalidValue(`${path}.type`, value, words)];
    }
    if (!ALLOWED_AT_ROOT_WITH_STATUS.some(([, field]) => field === name)) {
      const allowed = ALLOWED_AT_ROOT_WITH_STATUS.map(([word]) => word).join(' ');
      const words = `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`;
      return [invalidValue(path, schema, words)];
    }
  }
  return [];
}

/** No node uses what a structural schema has no words for. */
function isConvertible(root: JsonSchema): boolean {
  return subschemas(root).every(
    schema =>
      !Array.isArray(schema.items) &&
      schema['x-kubernetes-preserve-unknown-fields'] !== false &&
      (['id', '$schema', '$ref', 'additionalItems'] as const).every(name => !schema[name]) &&
      (['patternProperties', 'dependencies', 'definitions'] as const).every(
        name => Object.keys(schema[name] ?? {}).length === 0,
      ),
  );
}
