/** Everything that can go wrong in this package, each with a stable code and what to do about it. */

export type ControllerErrorCode =
  /** A cached read of a kind that nobody declared. */
  | 'NotCached'
  /** A kind was declared twice, in different ways. */
  | 'DeclaredTwice'
  /** A read by an index that was not declared. */
  | 'NoSuchIndex'
  /** The cache did not catch up with this process's own writes in time. */
  | 'CacheBehind'
  /** A write by a process that does not (or no longer) lead. */
  | 'NotLeading'
  /** A write by a reconcile that is over: its deadline has passed, or the controller was stopped. */
  | 'ReconcileOver'
  /** A reconcile took longer than its deadline. */
  | 'DeadlineExceeded'
  /** A reconcile returned something that is not a result. */
  | 'NotAResult'
  /** A schema that cannot be a structural schema. */
  | 'NotStructural'
  /** An object does not fit the schema of its kind. */
  | 'InvalidObject'
  /** The API server refused a CustomResourceDefinition. */
  | 'CrdRefused'
  /** A CustomResourceDefinition was accepted but not established in time. */
  | 'CrdNotEstablished'
  /** Workers did not stop when they were told to. */
  | 'NotStopping'
  /** The manager was used in a way that its life does not allow (started twice, a controller named twice). */
  | 'Misuse';

export class ControllerError extends Error {
  override readonly name = 'ControllerError';
  readonly code: ControllerErrorCode;

  constructor(code: ControllerErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** @example if (isControllerError(error, 'CacheBehind')) … */
export function isControllerError(error: unknown, code: ControllerErrorCode): error is ControllerError {
  return error instanceof ControllerError && error.code === code;
}
