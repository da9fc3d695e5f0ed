import type { Status, StatusCause } from './object.ts';

/** The API server answered with a failure. `message` is the server's own. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;
  readonly code: number;
  /** `NotFound`, `Conflict`, `AlreadyExists`, `Invalid`, … */
  readonly reason: string;

  constructor(status: Status, request?: string) {
    super(status.message || `the API server answered ${status.code ?? 'with a failure'}`);
    this.status = status;
    this.code = status.code ?? 0;
    this.reason = status.reason ?? '';
    if (request !== undefined) this.request = request;
  }

  /** What was asked: `GET /api/v1/pods`. */
  readonly request?: string;

  get causes(): readonly StatusCause[] {
    return this.status.details?.causes ?? [];
  }

  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }
}

/** No answer came: refused, reset, timed out, or not understandable. Whether a write happened is unknown. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  /**
   * - `ECONNREFUSED`, `ENOTFOUND`, `EHOSTUNREACH`, `EPROXY`: the server was not reached
   * - `ETLS`: it could not be trusted
   * - `ECREDENTIALS`: there are no credentials to show it; `cause` says why
   * - `ECONNRESET`, `ETIMEDOUT`: the connection broke, or nothing came in time
   * - `EBADHTTP`, `EBADBODY`, `EBADSTREAM`: what came is not what an API server says
   * - `ETOOLARGE`: more came than is allowed
   * - `ECLOSED`: the transport was closed
   */
  readonly code: string;
  /** True when the request cannot have reached the server, so that even a create may be sent again. */
  readonly neverSent: boolean;

  constructor(code: string, message: string, options: { cause?: unknown; neverSent?: boolean } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.neverSent = options.neverSent ?? false;
  }
}

const hasReason =
  (reason: string, code: number) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && (error.reason === reason || (error.reason === '' && error.code === code));

export const isNotFound = hasReason('NotFound', 404);
export const isAlreadyExists = hasReason('AlreadyExists', -1);
export const isConflict = hasReason('Conflict', 409);
export const isForbidden = hasReason('Forbidden', 403);
export const isUnauthorized = hasReason('Unauthorized', 401);
export const isInvalid = hasReason('Invalid', 422);

/** The version asked for is no longer (or not yet) known: list anew. */
export function isGone(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.reason === 'Expired' || error.reason === 'Gone' || error.code === 410);
}

/** Worth trying again as it is: too many requests, server errors, time-outs, broken connections. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  return error instanceof ApiError && (error.code === 429 || (error.code >= 500 && error.code !== 501));
}
