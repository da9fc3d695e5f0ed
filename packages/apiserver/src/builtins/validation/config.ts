/** ConfigMap and Secret. */
import { deepEqual } from '@capstan/kube';
import { type FieldError, forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { checkConfigKey, type Errors, IMMUTABLE } from './fields.ts';

const MOST_BYTES = 1024 * 1024;
const SEALED = 'field is immutable when `immutable` is set';

type Texts = Readonly<Record<string, string>>;

export function validateConfigMap(configMap: Draft): Errors {
  const errors: Errors = [];
  const data = (configMap['data'] ?? {}) as Texts;
  const binary = (configMap['binaryData'] ?? {}) as Texts;
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    checkConfigKey(errors, `data[${key}]`, key);
    if (Object.hasOwn(binary, key)) {
      errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binary)) {
    checkConfigKey(errors, `binaryData[${key}]`, key);
    size += decodedLength(value);
  }
  if (size > MOST_BYTES) errors.push(tooLarge('[]'));
  return errors;
}

const tooLarge = (field: string): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  badValue: '',
  detail: `may not be more than ${MOST_BYTES} bytes`,
});

function decodedLength(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

export function validateConfigMapUpdate(configMap: Draft, old: Stored): Errors {
  return old['immutable'] === true ? sealed(configMap, old, ['data', 'binaryData']) : [];
}

/** `immutable` is for good: neither it nor what it guards may change. */
function sealed(object: Draft, old: Stored, fields: readonly string[]): Errors {
  const errors: Errors = [];
  if (object['immutable'] !== true) errors.push(forbiddenValue('immutable', SEALED));
  for (const field of fields) {
    if (!deepEqual(object[field] ?? {}, old[field] ?? {})) errors.push(forbiddenValue(field, SEALED));
  }
  return errors;
}

export function validateSecret(secret: Draft): Errors {
  const errors: Errors = [];
  const data = (secret['data'] ?? {}) as Texts;
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    checkConfigKey(errors, `data[${key}]`, key);
    size += decodedLength(value);
  }
  if (size > MOST_BYTES) errors.push(tooLarge('data'));
  checkSecretType(errors, secret, data);
  return errors;
}

const ACCOUNT = 'kubernetes.io/service-account.name';

/** Types that Kubernetes knows promise certain keys. */
function checkSecretType(errors: Errors, secret: Draft, data: Texts): void {
  const needs = (key: string): void => {
    if (data[key] === undefined) errors.push(requiredValue(`data[${key}]`));
  };
  switch (secret['type']) {
    case 'kubernetes.io/service-account-token':
      if (!secret.metadata.annotations?.[ACCOUNT]) errors.push(requiredValue(`metadata.annotations[${ACCOUNT}]`));
      return;
    case 'kubernetes.io/dockercfg':
      checkJson(errors, data, '.dockercfg');
      return;
    case 'kubernetes.io/dockerconfigjson':
      checkJson(errors, data, '.dockerconfigjson');
      return;
    case 'kubernetes.io/basic-auth':
      // One of the two may be missing.
      if (data['username'] === undefined && data['password'] === undefined) {
        needs('username');
        needs('password');
      }
      return;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) errors.push(requiredValue('data[ssh-privatekey]'));
      return;
    case 'kubernetes.io/tls':
      needs('tls.crt');
      needs('tls.key');
  }
}

function checkJson(errors: Errors, data: Texts, key: string): void {
  const value = data[key];
  if (value === undefined) {
    errors.push(requiredValue(`data[${key}]`));
    return;
  }
  const text = Buffer.from(value, 'base64').toString();
  try {
    JSON.parse(text);
  } catch {
    const why = isCutOff(text) ? 'unexpected end of JSON input' : 'invalid character in JSON input';
    errors.push(invalidValue(`data[${key}]`, '<secret contents redacted>', why));
  }
}

/** Whether more text could still make it JSON: no closing bracket has come too early. */
function isCutOff(text: string): boolean {
  const opened = (text.match(/[[{]/g) ?? []).length;
  const closed = (text.match(/[\]}]/g) ?? []).length;
  return text.trim() === '' || opened > closed;
}

export function validateSecretUpdate(secret: Draft, old: Stored): Errors {
  const errors: Errors = [];
  if (secret['type'] !== old['type']) errors.push(invalidValue('type', secret['type'], IMMUTABLE));
  if (old['immutable'] === true) errors.push(...sealed(secret, old, ['data']));
  return errors;
}

/** A TLS Secret that no server could use is accepted, but not in silence. */
export function secretWarnings(secret: Draft): string[] {
  if (secret['type'] !== 'kubernetes.io/tls') return [];
  const data = (secret['data'] ?? {}) as Texts;
  for (const [key, words] of [
    ['tls.crt', 'certificate'],
    ['tls.key', 'key'],
  ] as const) {
    const text = Buffer.from(data[key] ?? '', 'base64').toString();
    if (!text.includes('-----BEGIN ')) return [`tls: failed to find any PEM data in ${words} input`];
  }
  return [];
}
