/** What can go wrong with releases, each with a code that programs may rely on and a sentence that says what to do. */

export type ReleaseErrorCode =
  /** There is no release of that name, or not that revision. */
  | 'ReleaseNotFound'
  /** The name is taken by a release that was not uninstalled. */
  | 'NameInUse'
  | 'InvalidName'
  /** The record does not fit into a Secret, even without what Helm can do without. */
  | 'ReleaseTooLarge'
  /** A Secret of the right type and labels holds something that is no release. */
  | 'CorruptRelease'
  /** Someone else is at work on the release, and alive. */
  | 'HeldByAnother'
  /** Someone else took the release over while this run was at work: it stopped. */
  | 'LeaseLost'
  /** An object that the chart makes is there already and belongs to someone else. */
  | 'NotOwned'
  /** The server does not have a kind that the manifest names. */
  | 'UnknownKind'
  | 'BadManifest'
  | 'ApplyFailed'
  | 'HookFailed'
  /** What was waited for did not come about in time, or cannot any more. */
  | 'NotReady'
  | 'InvalidOption'
  /** The operation failed, and what it had changed was taken back as asked. */
  | 'RolledBack';

export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly code: ReleaseErrorCode;

  constructor(code: ReleaseErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
