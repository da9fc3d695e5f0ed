/** The CEL conditions of webhooks, checked when they are written: one that cannot be evaluated would fail every request. */
import { compile } from '@capstan/cel';
import { validateQualifiedName } from '@capstan/kube';
import { duplicateValue, invalidValue, requiredValue } from '../../field-error.ts';
import { type ConditionSpec, MATCH_VARIABLES } from '../../webhooks/match-conditions.ts';
import { checkText, type Errors } from './fields.ts';

const MAX_CONDITIONS = 64;

export function checkMatchConditions(
  errors: Errors,
  path: string,
  conditions: readonly Partial<ConditionSpec>[],
): void {
  if (conditions.length > MAX_CONDITIONS) {
    const detail = `must have at most ${MAX_CONDITIONS} items`;
    errors.push({ type: 'FieldValueTooMany', field: path, badValue: conditions.length, detail });
    return;
  }
  const names = new Set<string>();
  for (const [index, { name = '', expression = '' }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    checkExpression(errors, `${at}.expression`, expression);
    if (name === '') errors.push(requiredValue(`${at}.name`));
    else checkText(errors, `${at}.name`, name, validateQualifiedName);
    if (name !== '' && names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
  }
}

function checkExpression(errors: Errors, path: string, expression: string): void {
  const text = expression.trim();
  if (text === '') {
    errors.push(requiredValue(path));
    return;
  }
  const compiled = compile(text, { variables: MATCH_VARIABLES });
  if (!compiled.ok) {
    errors.push(invalidValue(path, text, `compilation failed: ${compiled.message}`));
    return;
  }
  const { type } = compiled.expression;
  // What depends on the data is told when there is some.
  if (type !== 'bool' && type !== 'dyn') errors.push(invalidValue(path, text, `must evaluate to bool but got ${type}`));
}
