/** From a response to an object or an error. */
import { ApiError, TransportError } from '../errors.ts';
import { deepFreeze } from '../json.ts';
import { isStatus, type KubeObject, type ManagedFieldsEntry, type Status, type StatusDetails } from '../object.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import type { ApiRequest, ApiResponse } from '../transport.ts';
import type { Transform } from './options.ts';

/** The error that a response with a status of 400 or more stands for. */
export function errorFromResponse(response: ApiResponse, request: ApiRequest): ApiError {
  const given = isStatus(response.body) ? response.body : inferredStatus(response, request);
  const seconds = given.details?.retryAfterSeconds ?? retryAfter(response);
  const details: StatusDetails | undefined =
    seconds === undefined ? given.details : { ...given.details, retryAfterSeconds: seconds };
  const code = given.code ?? response.status;
  const status: Status = details === undefined ? { ...given, code } : { ...given, code, details };
  return new ApiError(deepFreeze(status), `${request.method} ${request.path}`);
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Proxies and load balancers answer in HTML or plain text. Enough of it is shown to find out who spoke. */
function inferredStatus({ status: code, body }: ApiResponse, { method, path }: ApiRequest): Status {
  const text =
    typeof body === 'string'
      ? body
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim()
          .slice(0, 200)
      : '';
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason: code === 409 && method === 'POST' ? 'AlreadyExists' : (REASONS[code] ?? ''),
    message: `the server answered ${code} to ${method} ${path}${text === '' ? '' : `: ${text}`}`,
  };
}

/** Seconds; the other form of the header, a date, is not used by API servers. */
function retryAfter({ headers }: ApiResponse): number | undefined {
  const text = headers['retry-after'];
  return text !== undefined && /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** The body as an object of the API; a success with anything else in it did not come from an API server. */
export function objectFromResponse<T>({ status, body }: ApiResponse, { method, path }: ApiRequest): T {
  if (typeof body === 'object' && body !== null) return body as T;
  const shown = JSON.stringify(String(body).slice(0, 100));
  throw new TransportError('EBADBODY', `${method} ${path}: the answer ${status} holds no JSON object but ${shown}`);
}

/**
 * Says what an object is, where the server left that out: items of lists do not carry their kind. Of a `metadataOnly` kind it
 * keeps just that, for servers that send whole objects all the same.
 */
export function identified<T extends KubeObject>(object: T, resource: Resource<T>): T {
  const apiVersion = apiVersionOf(resource);
  if (resource.metadataOnly) return { apiVersion, kind: resource.kind, metadata: object.metadata } as T;
  return object.kind === undefined ? { ...object, apiVersion, kind: resource.kind } : object;
}

/** Makes an object ready to be handed out: named, reduced, frozen. */
export function finished<T extends KubeObject>(object: T, resource: Resource<T>, transform?: Transform<T>): T {
  const named = identified(object, resource);
  return deepFreeze(transform === undefined ? named : transform(named));
}

/**
 * A `transform` that drops `metadata.managedFields`: two thirds of the memory of a typical cached object, and of no use to
 * most readers.
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata?.managedFields === undefined) return object;
  if (Object.isFrozen(object.metadata)) {
    const { managedFields: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  delete (object.metadata as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields;
  return object;
}
