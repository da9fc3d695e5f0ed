/**
 * How requests reach an API server. Two implementations exist: HTTP (`http-transport.ts`) and, in `@capstan/apiserver`,
 * straight into the embedded server without a socket. `transport.contract.ts` is the suite that both pass.
 */
import type { KubeObject, ObjectMeta, Status } from './object.ts';

export interface Transport {
  /**
   * Sends one request and gives the whole answer, whatever its status code. Rejects with a `TransportError` only when there
   * is no answer (connection refused or reset, time-out), and with the signal's reason when aborted.
   */
  request(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Opens a watch. Resolves when the server has answered the headers. A refusal (status ≥ 400) comes as `refused`, never as
   * an exception. Leaving the iteration or aborting the signal closes the stream.
   */
  watch(request: ApiRequest): Promise<WatchStream>;
  /** Ends idle connections; requests under way fail. */
  close(): Promise<void>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface ApiRequest {
  readonly method: Method;
  /** Begins with `/`, already encoded, without a query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain JSON value; it is neither kept nor changed. */
  readonly body?: unknown;
  /** Of the body; `application/json` if there is a body and this is not given. */
  readonly contentType?: string;
  /** Act as someone else; the credentials in use need the right to do so. */
  readonly impersonate?: Impersonation | undefined;
  /**
   * Of a watch: most of the objects will not be read, and nobody needs their `managedFields`. A transport may then leave parsing
   * an object to its first reader.
   */
  readonly lazy?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Who a request is made as. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text where the answer is not JSON. Treat it as read-only: it may be shared and frozen. */
  readonly body: unknown;
}

export type WatchStream =
  | { readonly refused: ApiResponse; readonly events?: undefined }
  | {
      readonly refused?: undefined;
      /**
       * Ends when the server ends the stream in good order. Throws a `TransportError` when the connection breaks, and for a line that is not
       * JSON. The consumer is in charge: the next event is read when it is asked for (back-pressure).
       */
      readonly events: AsyncIterable<WatchEvent>;
      /** Milliseconds on the clock's monotonic scale at which the last byte came in: for idle detection. */
      lastActivity(): number;
    };

/** One line of a watch. */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | ObjectEvent<T>
  /** Nothing changed; `object.metadata.resourceVersion` is where to resume. May carry `k8s.io/initial-events-end`. */
  | { readonly type: 'BOOKMARK'; readonly object: T }
  /** The stream is of no more use; the Status says why (410 `Expired`: list anew). */
  | { readonly type: 'ERROR'; readonly object: Status };

/** An object as an event carries it. Reading `object` may be what parses it. */
export interface ObjectEvent<T extends KubeObject = KubeObject> {
  /**
   * `ADDED`: it came into the selection, or was there already when the watch began without a version. `DELETED`: it left the
   * selection; this is its last state, with the version of the deletion.
   */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
  /** Who the object is, where that is known before it is parsed; then its metadata can be had alone, too, without `managedFields`. */
  readonly identity?: ObjectIdentity;
  readonly metadata?: ObjectMeta;
}

/** Which object, and in which state. */
export interface ObjectIdentity {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}
