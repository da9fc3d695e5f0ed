import type { StructuralSchema, ValidationRule } from '../../schema.ts';
import type { RuleProblem } from '../../schema-rules.ts';
import { resolveFieldPath } from './field-path.ts';

const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

const hasBreaks = (text: string): boolean => /[\n\r]/.test(text);

/** What can be said about a rule without compiling it. */
export function checkRuleText(rule: ValidationRule, schema: StructuralSchema, path: string): RuleProblem[] {
  const problems: RuleProblem[] = [];
  const invalid = (field: string, value: string, detail: string) =>
    problems.push({ path: `${path}.${field}`, type: 'Invalid', value, detail });
  const required = (field: string, detail: string) =>
    problems.push({ path: `${path}.${field}`, type: 'Required', detail });
  const text = rule.rule?.trim() ?? '';
  const message = rule.message?.trim() ?? '';
  if (text === '') required('rule', 'rule is not specified');
  else if (rule.message && message === '') invalid('message', rule.message, 'must be non-empty if specified');
  else if (hasBreaks(message)) invalid('message', rule.message!, 'must not contain line breaks');
  else if (hasBreaks(text) && message === '')
    required('message', 'message must be specified if rule contains line breaks');
  if (rule.messageExpression && rule.messageExpression.trim() === '') {
    required('messageExpression', 'messageExpression must be non-empty if specified');
  }
  if (rule.reason !== undefined && !REASONS.includes(rule.reason)) {
    const detail = `supported values: ${REASONS.map(reason => `"${reason}"`).join(', ')}`;
    problems.push({ path: `${path}.reason`, type: 'NotSupported', value: rule.reason, detail });
  }
  if (rule.fieldPath) {
    if (rule.fieldPath.trim() === '') invalid('fieldPath', rule.fieldPath, 'must be non-empty if specified');
    if (hasBreaks(rule.fieldPath)) invalid('fieldPath', rule.fieldPath, 'must not contain line breaks');
    if (resolveFieldPath(rule.fieldPath, schema) === undefined)
      invalid('fieldPath', rule.fieldPath, 'must be a valid path');
  }
  return problems;
}
