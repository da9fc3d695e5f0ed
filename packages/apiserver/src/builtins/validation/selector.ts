/** Label selectors: those that select Pods, and those of nodes by their labels and fields. */
import { validateLabelKey, validateLabelValue } from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, own, type Tree } from '../tree.ts';
import { checkLabels, checkText, type Errors, sortedMap } from './fields.ts';

export function checkLabelSelector(errors: Errors, path: string, selector: Tree | null | undefined): void {
  if (selector === undefined || selector === null) return;
  checkLabels(errors, `${path}.matchLabels`, selector['matchLabels']);
  for (const [index, expression] of listOf(selector, 'matchExpressions').entries()) {
    checkRequirement(errors, `${path}.matchExpressions[${index}]`, expression);
  }
}

function checkRequirement(errors: Errors, at: string, expression: Tree): void {
  const values = (expression['values'] ?? []) as string[];
  switch (expression['operator']) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(requiredValue(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          forbiddenValue(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      break;
    default:
      errors.push(invalidValue(`${at}.operator`, expression['operator'] ?? '', 'not a valid selector operator'));
  }
  checkText(errors, `${at}.key`, expression['key'] ?? '', validateLabelKey);
  for (const [index, value] of values.entries()) checkText(errors, `${at}.values[${index}]`, value, validateLabelValue);
}

/** Whether a set of labels is what a selector selects. */
export function matches(selector: Tree, labels: Readonly<Record<string, string>>): boolean {
  for (const [key, value] of Object.entries((selector['matchLabels'] ?? {}) as Record<string, string>)) {
    if (own(labels, key) !== value) return false;
  }
  return listOf(selector, 'matchExpressions').every(({ key, operator, values = [] }) => {
    const value = own(labels, key);
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value);
      case 'NotIn':
        return value === undefined || !values.includes(value);
      case 'Exists':
        return value !== undefined;
      default:
        return value === undefined;
    }
  });
}

/** Selects everything: neither labels nor expressions. */
export function isEmptySelector(selector: Tree): boolean {
  return Object.keys(selector['matchLabels'] ?? {}).length + listOf(selector, 'matchExpressions').length === 0;
}

/** The terms of `nodeSelectorTerms`: any of them may match. */
export function checkNodeSelector(errors: Errors, path: string, selector: Tree): void {
  const terms = listOf(selector, 'nodeSelectorTerms');
  if (terms.length === 0)
    errors.push(requiredValue(`${path}.nodeSelectorTerms`, 'must have at least one node selector term'));
  for (const [index, term] of terms.entries()) checkNodeTerm(errors, `${path}.nodeSelectorTerms[${index}]`, term);
}

export function checkNodeTerm(errors: Errors, at: string, term: Tree): void {
  for (const [index, expression] of listOf(term, 'matchExpressions').entries()) {
    checkNodeRequirement(errors, `${at}.matchExpressions[${index}]`, expression);
  }
  for (const [index, field] of listOf(term, 'matchFields').entries()) {
    checkFieldRequirement(errors, `${at}.matchFields[${index}]`, field);
  }
}

function checkNodeRequirement(errors: Errors, at: string, expression: Tree): void {
  const values = (expression['values'] ?? []) as string[];
  switch (expression['operator']) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(requiredValue(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        errors.push(
          forbiddenValue(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      }
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) {
        errors.push(requiredValue(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
      }
      break;
    default:
      errors.push(invalidValue(`${at}.operator`, expression['operator'] ?? '', 'not a valid selector operator'));
  }
  checkText(errors, `${at}.key`, expression['key'] ?? '', validateLabelKey);
}

/** Of the fields of a node, only its name selects. */
function checkFieldRequirement(errors: Errors, at: string, requirement: Tree): void {
  const values = (requirement['values'] ?? []) as string[];
  if (requirement['operator'] !== 'In' && requirement['operator'] !== 'NotIn') {
    errors.push(invalidValue(`${at}.operator`, requirement['operator'] ?? '', 'not a valid selector operator'));
  } else if (values.length !== 1) {
    errors.push(
      requiredValue(
        `${at}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  }
  if (requirement['key'] !== 'metadata.name') {
    errors.push(invalidValue(`${at}.key`, requirement['key'] ?? '', 'not a valid field selector key'));
  }
}

/** A selector as Go prints it in an error. */
export function selectorValue(selector: Tree | null | undefined): unknown {
  if (selector === undefined || selector === null) return null;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(matchLabels !== undefined && { matchLabels: sortedMap(matchLabels) }),
    ...(matchExpressions !== undefined && {
      matchExpressions: listOf(selector, 'matchExpressions').map(({ key, operator, values }) => ({
        key,
        operator,
        values,
      })),
    }),
  };
}

/** Whether it can be used at all: what is wrong with it has been said elsewhere. */
export function isUsable(selector: Tree): boolean {
  const problems: Errors = [];
  checkLabelSelector(problems, '', selector);
  return problems.length === 0;
}
