/** The failures of the API, in Kubernetes' own words: clients and people match on them. */
import type { Status, StatusCause, StatusDetails } from '@capstan/kube';
import { errorBody, errorMessage, type FieldError } from './field-error.ts';

/** Thrown anywhere on the request path; becomes the answer. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status & { readonly code: number };
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Status & { readonly code: number }) {
    super(status.message);
    this.status = status;
    const seconds = status.details?.retryAfterSeconds ?? 0;
    this.headers = seconds > 0 ? { 'retry-after': String(seconds) } : {};
  }
}

/** What a message calls the thing: `deployments.apps "web"`. */
export interface Subject {
  readonly group: string;
  /** The plural in most messages; the kind in those about validation. */
  readonly plural: string;
  readonly kind: string;
}

const qualified = (group: string, name: string): string => (group === '' ? name : `${name}.${group}`);

export function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason !== '' && { reason }),
    ...(details && { details }),
    code,
  });
}

const about = (subject: Subject, name: string): StatusDetails => ({
  ...(name !== '' && { name }),
  ...(subject.group !== '' && { group: subject.group }),
  kind: subject.plural,
});

export const notFound = (subject: Subject, name: string): StatusError =>
  failure(404, 'NotFound', `${qualified(subject.group, subject.plural)} "${name}" not found`, about(subject, name));

export const alreadyExists = (subject: Subject, name: string): StatusError =>
  failure(
    409,
    'AlreadyExists',
    `${qualified(subject.group, subject.plural)} "${name}" already exists`,
    about(subject, name),
  );

export const conflict = (subject: Subject, name: string, why: string): StatusError =>
  failure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(subject.group, subject.plural)} "${name}": ${why}`,
    about(subject, name),
  );

export const modified = (subject: Subject, name: string): StatusError =>
  conflict(
    subject,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const forbidden = (
  subject: Subject,
  name: string,
  why: string,
  causes: readonly StatusCause[] = [],
): StatusError =>
  failure(403, 'Forbidden', `${qualified(subject.group, subject.plural)} "${name}" is forbidden: ${why}`, {
    ...about(subject, name),
    ...(causes.length > 0 && { causes }),
  });

export const badRequest = (message: string): StatusError => failure(400, 'BadRequest', message);

export function invalid(subject: Subject, name: string, errors: readonly FieldError[]): StatusError {
  // Kubernetes lists each message once, however many fields have it.
  const messages = [...new Set(errors.map(errorMessage))];
  const list = messages.length === 1 ? messages[0] : `[${messages.join(', ')}]`;
  return failure(422, 'Invalid', `${qualified(subject.group, subject.kind)} "${name}" is invalid: ${list}`, {
    ...(name !== '' && { name }),
    ...(subject.group !== '' && { group: subject.group }),
    ...(subject.kind !== '' && { kind: subject.kind }),
    causes: errors.map(error => ({ reason: error.type, message: errorBody(error), field: error.field })),
  });
}

/** The version asked for lies before what history holds. */
export const expired = (message: string): StatusError => failure(410, 'Expired', message);

/** No such path. Kubernetes answers it without saying what it looked for. */
export const noSuchPath = (): StatusError =>
  failure(404, 'NotFound', 'the server could not find the requested resource', {});

export const methodNotAllowed = (): StatusError =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});

export const unsupportedMediaType = (accepted: readonly string[]): StatusError =>
  failure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

export const tooLarge = (limit: number): StatusError =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

export const notImplemented = (message: string): StatusError => failure(501, 'NotImplemented', message);

export const internal = (message: string): StatusError =>
  failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
