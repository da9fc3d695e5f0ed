/** Columns, subresources, selectable fields and the deprecation of a version. */
import { duplicateValue, type FieldError, indexPath, invalidValue, requiredValue, tooMany } from '../field-error.ts';
import { findField } from '../schema/rule-field-path.ts';
import type { Schema } from '../schema/schema.ts';
import type { CrdSubresources, CrdVersion, JsonSchema, PrinterColumn } from './types.ts';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAX_SELECTABLE_FIELDS = 8;

export function columnErrors(column: PrinterColumn, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { name, type, format, jsonPath } = column;
  if (!name) errors.push(requiredValue(`${path}.name`));
  const oneOf = (words: readonly string[]): string => `must be one of ${words.join(',')}`;
  if (!type) errors.push(requiredValue(`${path}.type`, oneOf(COLUMN_TYPES)));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalidValue(`${path}.type`, type, oneOf(COLUMN_TYPES)));
  if (format && !COLUMN_FORMATS.includes(format)) {
    errors.push(invalidValue(`${path}.format`, format, oneOf(COLUMN_FORMATS)));
  }
  if (!jsonPath) errors.push(requiredValue(`${path}.JSONPath`));
  else errors.push(...simplePathErrors(jsonPath, `${path}.JSONPath`));
  return errors;
}

function simplePathErrors(jsonPath: string, path: string): FieldError[] {
  return jsonPath.startsWith('.') ? [] : [invalidValue(path, jsonPath, 'must be a simple json path starting with .')];
}

export function subresourceErrors({ scale }: CrdSubresources, path: string): FieldError[] {
  if (scale === undefined) return [];
  const errors: FieldError[] = [];
  for (const [field, root] of [
    ['specReplicasPath', 'spec'],
    ['statusReplicasPath', 'status'],
  ] as const) {
    const at = `${path}.scale.${field}`;
    const value = scale[field];
    if (!value) errors.push(requiredValue(at));
    else errors.push(...scalePathErrors(value, at, [root], `should be a json path under .${root}`));
  }
  if (scale.labelSelectorPath) {
    const words = 'should be a json path under either .spec or .status';
    errors.push(
      ...scalePathErrors(scale.labelSelectorPath, `${path}.scale.labelSelectorPath`, ['spec', 'status'], words),
    );
  }
  return errors;
}

function scalePathErrors(value: string, path: string, roots: readonly string[], words: string): FieldError[] {
  const errors = simplePathErrors(value, path);
  if (errors.length > 0 || roots.some(root => value.startsWith(`.${root}.`))) return errors;
  return [invalidValue(path, value, words)];
}

export function selectableFieldErrors(
  fields: NonNullable<CrdVersion['selectableFields']>,
  schema: JsonSchema,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const at = `${indexPath(path, index)}.jsonPath`;
    if (!jsonPath) {
      errors.push(requiredValue(at));
      continue;
    }
    const found = findField(jsonPath, schema as Schema, { brackets: false });
    if ('problem' in found) {
      errors.push(invalidValue(at, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (found.root === 'metadata') errors.push(invalidValue(at, jsonPath, 'must not point to fields in metadata'));
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      const words =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalidValue(at, jsonPath, words));
    }
    if (seen.has(found.path)) errors.push(duplicateValue(at, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS) errors.push(tooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  return errors;
}

export function deprecationErrors({ deprecated, deprecationWarning: warning }: CrdVersion, path: string): FieldError[] {
  if (warning === undefined) return [];
  const problems: string[] = [];
  if (!deprecated) problems.push('can only be set for deprecated versions');
  else {
    if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long');
    if (warning === '') problems.push('must not be an empty string');
    const index = [...warning].findIndex(character => character !== ' ' && /[\p{C}\p{Z}]/u.test(character));
    if (index >= 0) {
      const at = Buffer.byteLength([...warning].slice(0, index).join(''));
      problems.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
    }
  }
  return problems.map(problem => invalidValue(`${path}.deprecationWarning`, warning, problem));
}
