/**
 * The selectors that a question about access may carry: may I list those with this label? Roles know no selectors, so they
 * change no answer; but they have to make sense.
 */
import { parseFieldSelector, parseLabelSelector, validateLabelKey, validateLabelValue } from '@capstan/kube';
import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../field-error.ts';

interface Requirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface Selector {
  readonly rawSelector?: string;
  readonly requirements?: readonly Requirement[];
}

export function selectorErrors(kind: 'field' | 'label', selector: Selector | undefined): readonly FieldError[] {
  if (!selector) return [];
  const at = `spec.resourceAttributes.${kind}Selector`;
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    errors.push(invalidValue(`${at}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'));
  }
  if (rawSelector === '' && requirements.length === 0) {
    errors.push(
      requiredValue(`${at}.requirements`, `when ${at} is specified, requirements or rawSelector is required`),
    );
  }
  for (const [index, requirement] of requirements.entries()) {
    const path = `${at}.requirements[${index}]`;
    const key = kind === 'field' ? fieldErrors(requirement, path) : labelErrors(requirement, path);
    const values = valuesErrors(requirement, path);
    errors.push(...(kind === 'field' ? [...key, ...values] : [...values, ...key]));
  }
  return errors;
}

/** Operators that are not known are let through: a newer client may ask about more than we can tell. */
function valuesErrors({ operator, values = [] }: Requirement, at: string): readonly FieldError[] {
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    return [requiredValue(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    return [forbiddenValue(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
  }
  return [];
}

const fieldErrors = ({ key }: Requirement, at: string): readonly FieldError[] =>
  key ? [] : [requiredValue(`${at}.key`, 'must be specified')];

function labelErrors({ key = '', values = [] }: Requirement, at: string): readonly FieldError[] {
  return [
    ...validateLabelKey(key).map(problem => invalidValue(`${at}.key`, key, problem)),
    ...values.flatMap((value, index) =>
      validateLabelValue(value).map(problem => invalidValue(`${at}.values[${index}]`, value, problem)),
    ),
  ];
}

/** Which selectors could not be read, as one sentence; empty where all could. */
export function selectorProblems(selectors: {
  readonly fieldSelector?: Selector;
  readonly labelSelector?: Selector;
}): string {
  const ignored = [
    ...(isUnreadable(selectors.fieldSelector, parseFieldSelector) ? ['fieldSelector'] : []),
    ...(isUnreadable(selectors.labelSelector, parseLabelSelector) ? ['labelSelector'] : []),
  ];
  return ignored.map(name => `spec.resourceAttributes.${name} ignored due to parse error`).join('; ');
}

function isUnreadable(selector: Selector | undefined, parse: (text: string) => unknown): boolean {
  if (!selector?.rawSelector) return false;
  try {
    parse(selector.rawSelector);
    return false;
  } catch {
    return true;
  }
}
