/**
 * One thing that is wrong with one field, as Kubernetes' validation reports it. A list of them becomes a 422 `Invalid` Status
 * (`invalid()` in status.ts) whose words kubectl prints as they are.
 */
import type { Json } from '@capstan/kube';
import { goQuote } from './schema/go-text.ts';

export interface FieldError {
  readonly type: FieldErrorType;
  /** `spec.template.spec.containers[0].image`, `metadata.labels[app.kubernetes.io/name]`. */
  readonly field: string;
  readonly badValue?: unknown;
  readonly detail: string;
}

export type FieldErrorType =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

const WORDS: Readonly<Record<FieldErrorType, string>> = {
  FieldValueInvalid: 'Invalid value',
  FieldValueRequired: 'Required value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueNotFound: 'Not found',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Types whose message does not repeat the value. */
const WITHOUT_VALUE: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'InternalError',
]);

/** A bad value that is not shown: an object that failed a rule may be large, and the rule says what is wrong. */
export const OMITTED: unique symbol = Symbol('omitted value');

/** The message without the field: `Invalid value: "x": must be …`. */
export function errorBody(error: FieldError): string {
  const word = WORDS[error.type];
  const omits = WITHOUT_VALUE.has(error.type) || error.badValue === OMITTED;
  const value = omits ? '' : `: ${quote(error.badValue)}`;
  return error.detail === '' ? `${word}${value}` : `${word}${value}: ${error.detail}`;
}

/** The whole message: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function errorMessage(error: FieldError): string {
  return `${error.field}: ${errorBody(error)}`;
}

/** Strings as Go quotes them, everything else as its JSON, in which markup is escaped. */
function quote(value: unknown): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  return JSON.stringify(value).replace(/[<>&]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`);
}

export const invalidValue = (field: string, badValue: unknown, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  badValue,
  detail,
});

export const requiredValue = (field: string, detail = ''): FieldError => ({
  type: 'FieldValueRequired',
  field,
  badValue: '',
  detail,
});

export const forbiddenValue = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  badValue: '',
  detail,
});

export const duplicateValue = (field: string, badValue: unknown): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  badValue,
  detail: '',
});

/** `Unsupported value: "x": supported values: "a", "b"`. */
export const unsupportedValue = (field: string, badValue: unknown, supported: readonly Json[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  badValue,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map(value => JSON.stringify(value)).join(', ')}`,
});

export const tooMany = (field: string, actual: number, maximum: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  badValue: actual,
  detail: `must have at most ${maximum} ${maximum === 1 ? 'item' : 'items'}`,
});

/** The value is longer than the schema allows; Kubernetes counts characters but says bytes. */
export const tooLong = (field: string, maximum: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  badValue: '<value omitted>',
  detail: `may not be more than ${maximum} ${maximum === 1 ? 'byte' : 'bytes'}`,
});

/** The value is of another type than the schema's. */
export const typeInvalid = (field: string, badValue: unknown, detail: string): FieldError => ({
  type: 'FieldValueTypeInvalid',
  field,
  badValue,
  detail,
});

/** `parent.name`, or `name` at the root. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** `parent[3]`. */
export function indexPath(parent: string, index: number): string {
  return `${parent}[${index}]`;
}

/** `parent[key]`, for the entries of a map. */
export function keyPath(parent: string, key: string): string {
  return `${parent}[${key}]`;
}
