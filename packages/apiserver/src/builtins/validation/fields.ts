/** The small rules that the validations of all kinds are made of. Each adds what it finds to a list. */
import {
  validateAnnotationKey,
  validateConfigKey,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelKey,
  validateLabelValue,
} from '@capstan/kube';
import { childPath, type FieldError, invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Tree } from '../tree.ts';

/** Grows while an object is looked at. */
export type Errors = FieldError[];

type Check = (value: string) => readonly string[];

/** Adds one error for each thing that `check` finds. */
export function checkText(errors: Errors, path: string, value: string, check: Check): void {
  for (const problem of check(value)) errors.push(invalidValue(path, value, problem));
}

export const checkLabel = (errors: Errors, path: string, value: string): void =>
  checkText(errors, path, value, validateDns1123Label);
export const checkSubdomain = (errors: Errors, path: string, value: string): void =>
  checkText(errors, path, value, validateDns1123Subdomain);

/** Missing, or present and checked. */
export function requireText(errors: Errors, path: string, value: string | undefined, check?: Check): void {
  if (!value) errors.push(requiredValue(path));
  else if (check !== undefined) checkText(errors, path, value, check);
}

/** One of a closed set; `undefined` is for other rules to judge. */
export function checkOneOf(
  errors: Errors,
  path: string,
  value: string | undefined,
  supported: readonly string[],
): void {
  if (value !== undefined && !supported.includes(value)) errors.push(unsupportedValue(path, value, supported));
}

/** As `checkOneOf`, where nothing is an error of its own. */
export function requireOneOf(
  errors: Errors,
  path: string,
  value: string | undefined,
  supported: readonly string[],
): void {
  if (!value) errors.push(requiredValue(path));
  else checkOneOf(errors, path, value, supported);
}

export function checkNonNegative(errors: Errors, path: string, value: number | undefined): void {
  if (value !== undefined && value < 0) errors.push(invalidValue(path, value, 'must be greater than or equal to 0'));
}

/** `checkNonNegative` of several fields of one object. */
export function checkNoneNegative(
  errors: Errors,
  path: string,
  tree: Tree | undefined,
  fields: readonly string[],
): void {
  for (const field of fields) checkNonNegative(errors, childPath(path, field), tree?.[field] as number | undefined);
}

export const inRange = (least: number, most: number): string => `must be between ${least} and ${most}, inclusive`;

export function checkRange(errors: Errors, path: string, value: number | undefined, least: number, most: number): void {
  if (value !== undefined && (value < least || value > most))
    errors.push(invalidValue(path, value, inRange(least, most)));
}

export const checkPort = (errors: Errors, path: string, value: number): void =>
  checkRange(errors, path, value, 1, 65535);

/** Keys and values of labels, of node selectors and of other maps that select by label. */
export function checkLabels(errors: Errors, path: string, labels: Readonly<Record<string, string>> | undefined): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    checkText(errors, path, key, validateLabelKey);
    checkText(errors, path, value, validateLabelValue);
  }
}

export function checkAnnotations(
  errors: Errors,
  path: string,
  annotations: Readonly<Record<string, string>> = {},
): void {
  for (const key of Object.keys(annotations)) checkText(errors, path, key, validateAnnotationKey);
}

export function checkConfigKey(errors: Errors, path: string, key: string): void {
  checkText(errors, path, key, validateConfigKey);
}

/** A map as Go prints it, by its keys; null for none. */
export function sortedMap(map: Readonly<Record<string, string>> | undefined): Record<string, string> | null {
  if (map === undefined) return null;
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** What Kubernetes says of a value that may not change. */
export const IMMUTABLE = 'field is immutable';

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

export const isIPv4 = (text: string): boolean => IPV4.test(text);
export const isIPv6 = (text: string): boolean => text.includes(':') && /^[0-9a-fA-F:.]+$/.test(text) && canParse6(text);

function canParse6(text: string): boolean {
  // The URL parser knows all forms of IPv6 that there are.
  return URL.canParse(`http://[${text}]/`);
}

const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

export function checkAddress(errors: Errors, path: string, value: string): boolean {
  if (isIPv4(value) || isIPv6(value)) return true;
  errors.push(invalidValue(path, value, NO_ADDRESS));
  return false;
}
