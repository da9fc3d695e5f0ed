/** Numbers that may be given as a share: `3` or `25%`. */
import { invalidValue } from '../../field-error.ts';
import { checkNonNegative, type Errors } from './fields.ts';

export type IntOrPercent = number | string;

const NO_PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

export function checkIntOrPercent(errors: Errors, path: string, value: IntOrPercent | undefined): void {
  if (value === undefined) return;
  if (typeof value === 'number') checkNonNegative(errors, path, value);
  else if (!/^[0-9]+%$/.test(value)) errors.push(invalidValue(path, value, NO_PERCENT));
}

export function checkAtMostAll(errors: Errors, path: string, value: IntOrPercent | undefined): void {
  if (typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100) {
    errors.push(invalidValue(path, value, 'must not be greater than 100%'));
  }
}

/** 0, or 0 percent, or no number at all. */
export const isNone = (value: IntOrPercent | undefined): boolean =>
  value === undefined || (typeof value === 'number' ? value === 0 : !(Number.parseInt(value, 10) > 0));
