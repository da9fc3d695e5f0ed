/** `x-kubernetes-validations` as text: that a rule is there, that its message can be shown. What CEL makes of it comes later. */
import { type FieldError, indexPath, invalidValue, requiredValue, unsupportedValue } from '../field-error.ts';
import { findField } from '../schema/rule-field-path.ts';
import type { Schema } from '../schema/schema.ts';
import type { JsonSchema } from './types.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasNewline = (text: string): boolean => /[\n\r]/.test(text);

export function ruleTextErrors(schema: JsonSchema, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const at = indexPath(`${path}.x-kubernetes-validations`, index);
    const { rule: text = '', message = '', messageExpression = '', reason, fieldPath = '' } = rule;
    const errors: FieldError[] = [];
    if (text.trim() === '') errors.push(requiredValue(`${at}.rule`, 'rule is not specified'));
    else if (message !== '' && message.trim() === '') {
      errors.push(invalidValue(`${at}.message`, message, 'must be non-empty if specified'));
    } else if (hasNewline(message.trim())) {
      errors.push(invalidValue(`${at}.message`, message, 'must not contain line breaks'));
    } else if (hasNewline(text.trim()) && message.trim() === '') {
      errors.push(requiredValue(`${at}.message`, 'message must be specified if rule contains line breaks'));
    }
    if (messageExpression !== '' && messageExpression.trim() === '') {
      errors.push(requiredValue(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
    }
    if (reason !== undefined && !REASONS.includes(reason))
      errors.push(unsupportedValue(`${at}.reason`, reason, REASONS));
    errors.push(...fieldPathErrors(fieldPath, schema, `${at}.fieldPath`));
    return errors;
  });
}

function fieldPathErrors(fieldPath: string, schema: JsonSchema, at: string): FieldError[] {
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  if (fieldPath.trim() === '') errors.push(invalidValue(at, fieldPath, 'must be non-empty if specified'));
  if (hasNewline(fieldPath)) errors.push(invalidValue(at, fieldPath, 'must not contain line breaks'));
  if ('problem' in findField(fieldPath, schema as Schema, { brackets: true })) {
    errors.push(invalidValue(at, fieldPath, 'must be a valid path'));
  }
  return errors;
}
