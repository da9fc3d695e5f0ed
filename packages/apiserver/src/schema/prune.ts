/** Removes what the schema does not know, and says what it was: `fieldValidation` warns or refuses with it. */
import type { Json } from '@capstan/kube';
import type { JsonObject } from './json.ts';
import { OBJECT_META } from './object-meta.ts';
import { fieldSchema, type Plan, planOf } from './plan.ts';
import type { Schema } from './schema.ts';

export interface PruneOptions {
  /** Paths sorted, those of metadata first, as Kubernetes reports them for custom resources; else as the document has them. */
  readonly sorted?: boolean;
}

/**
 * Removes unknown fields in place and gives their paths (`spec.foo`, `spec.list[0].bar`). Arrays keep their length.
 * `x-kubernetes-preserve-unknown-fields` keeps what is not specified; what is specified below it is pruned again.
 */
export function prune(draft: Json, schema: Schema, { sorted = false }: PruneOptions = {}): string[] {
  const unknown: string[] = [];
  pruneValue(draft, schema, '', unknown);
  if (!sorted) return unknown;
  const inMetadata = (path: string): boolean => path.startsWith('metadata.');
  return [...unknown.filter(inMetadata).sort(), ...unknown.filter(path => !inMetadata(path)).sort()];
}

/** `strict decoding error: unknown field "spec.foo", unknown field "spec.bar"`. */
export function strictDecodingError(problems: readonly string[]): string {
  return `strict decoding error: ${problems.join(', ')}`;
}

/** What fieldValidation says about a pruned path. */
export const unknownField = (path: string): string => `unknown field "${path}"`;

/** What fieldValidation says about a key that came twice. */
export const duplicateField = (path: string): string => `duplicate field "${path}"`;

/** `keepsUnknown`: an item of a preserving list keeps its unspecified fields as the list does. */
function pruneValue(
  value: Json,
  schema: Schema | undefined,
  path: string,
  unknown: string[],
  keepsUnknown = false,
): void {
  if (typeof value !== 'object' || value === null) return;
  const plan = schema && planOf(schema);
  const keeps = keepsUnknown || plan?.preserves === true;
  if (!Array.isArray(value)) {
    pruneFields(value, plan, path, unknown, keeps);
  } else if (!keeps || plan?.items !== undefined) {
    for (let i = 0; i < value.length; i++) pruneValue(value[i]!, plan?.items, `${path}[${i}]`, unknown, keeps);
  }
}

function pruneFields(
  object: JsonObject,
  plan: Plan | undefined,
  path: string,
  unknown: string[],
  keeps: boolean,
): void {
  for (const key of Object.keys(object)) {
    if (plan !== undefined && isKnown(plan, key)) {
      const value = object[key]!;
      if (typeof value === 'object' && value !== null && !isTypeMeta(plan, key)) {
        pruneValue(value, childSchema(plan, key), path === '' ? key : `${path}.${key}`, unknown);
      }
    } else if (!keeps) {
      unknown.push(path === '' ? key : `${path}.${key}`);
      delete object[key];
    }
  }
}

const isTypeMeta = (plan: Plan, key: string): boolean => plan.embedded && (key === 'apiVersion' || key === 'kind');

function isKnown(plan: Plan, key: string): boolean {
  return (
    plan.properties.has(key) ||
    plan.additional !== undefined ||
    plan.schema.additionalProperties === true ||
    (plan.embedded && (key === 'metadata' || isTypeMeta(plan, key)))
  );
}

/** Undefined under `additionalProperties: true`: the key is known, the fields of an object below it are not. */
function childSchema(plan: Plan, key: string): Schema | undefined {
  return plan.embedded && key === 'metadata' ? OBJECT_META : fieldSchema(plan, key);
}
