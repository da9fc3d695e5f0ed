/** What can be asked of each verb. */
import type { KubeObject } from '../object.ts';
import type { FieldSelection } from '../selectors/field-selector.ts';
import type { LabelSelection } from '../selectors/label-selector.ts';
import type { RetryMode } from './retry.ts';

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** See `RetryMode`; `auto` if not given. */
  readonly retry?: RetryMode;
}

export interface GetOptions extends CallOptions {
  /** `'0'` takes any state that the server has at hand; a version, one not older than that. Default: the latest. */
  readonly resourceVersion?: string | undefined;
}

export interface SelectionOptions extends CallOptions {
  /** One namespace; all of them if not given. */
  readonly namespace?: string | undefined;
  /** `'app=web,!legacy'`, `{ app: 'web' }` or a LabelSelector. */
  readonly labels?: LabelSelection | undefined;
  /** `'status.phase=Running'` or `{ 'metadata.name': 'a' }`. Each kind supports few of them. */
  readonly fields?: FieldSelection | undefined;
}

export interface ListOptions<T extends KubeObject = KubeObject> extends SelectionOptions {
  /** At most so many objects in one answer; `metadata.continue` then tells that there are more. */
  readonly limit?: number | undefined;
  /** `metadata.continue` of the page before. */
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
  /** See `Transform`. */
  readonly transform?: Transform<T> | undefined;
}

export interface WatchOptions<T extends KubeObject = KubeObject> extends SelectionOptions {
  /** Watch one object only. */
  readonly name?: string | undefined;
  /** The version after which to begin, from a list or an event. Without it the watch begins with what there is. */
  readonly from?: string | undefined;
  /** Bookmarks keep the version fresh while nothing happens, so that a new watch can resume. Default: true. */
  readonly bookmarks?: boolean;
  /**
   * Stream what there is as ADDED events, then a bookmark with the annotation `k8s.io/initial-events-end`, then changes:
   * a list and a watch in one, and lighter for the server. Needs Kubernetes 1.32; older ones refuse it (422 or 400).
   */
  readonly sendInitialEvents?: boolean;
  /** The server ends the stream after so many seconds. */
  readonly timeoutSeconds?: number | undefined;
  /** See `Transform`. */
  readonly transform?: Transform<T> | undefined;
}

/**
 * Makes of an object what is worth keeping, before it is frozen. The object may be shared: change it only when it is not
 * frozen (`withoutManagedFields` knows how).
 */
export type Transform<T extends KubeObject> = (object: T) => T;

export interface WriteOptions extends CallOptions {
  /** Who owns the fields that are written (`fieldManager`). Default: the client's. */
  readonly owner?: string | undefined;
  /** The server does everything but store it. */
  readonly dryRun?: boolean | undefined;
  /** What to do about unknown and doubled fields. The server's default is `Warn`; see `ClientOptions.onWarning`. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export interface ApplyOptions extends WriteOptions {
  /** Required: an apply says "these fields are mine", so it has to say who. One name a controller. */
  readonly owner: string;
  /** Take fields that another owner holds with another value. Without it that is a Conflict. */
  readonly force?: boolean | undefined;
}

export interface PatchOptions extends WriteOptions {
  readonly subresource?: string | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Delete only this very object (`uid`), only in this very state (`resourceVersion`); else a Conflict. */
  readonly preconditions?:
    | { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined }
    | undefined;
  /** What becomes of the objects it owns: deleted before it, after it, or left alone. The default is the kind's. */
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Seconds that a Pod has to end; 0 removes it at once. */
  readonly grace?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface DeleteCollectionOptions extends SelectionOptions, Omit<DeleteOptions, 'preconditions'> {}
