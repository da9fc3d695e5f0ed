/**
 * The narrow opening through which a reflector sees an API server: one page of a list, one watch. Everything that says *which*
 * objects (kind, namespace, selectors, metadata only) is behind it.
 */
import {
  ApiError,
  type ApiResponse,
  type KubeObject,
  type ObjectList,
  type Resource,
  resourcePath,
  type Status,
  type Transport,
  TransportError,
  type WatchEvent,
  withoutManagedFields,
} from '@capstan/kube';

export interface ListWatch<T extends KubeObject = KubeObject> {
  list(call: ListCall): Promise<ObjectList<T>>;
  /** Resolves when the server has accepted the watch; rejects with an `ApiError` when it refuses. */
  watch(call: WatchCall): Promise<OpenWatch<T>>;
}

export interface ListCall {
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly signal: AbortSignal;
}

export interface WatchCall {
  /** Events after this version; `""` with `sendInitialEvents` for the newest state first. */
  readonly resourceVersion: string;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export interface OpenWatch<T extends KubeObject = KubeObject> {
  readonly events: AsyncIterable<WatchEvent<T>>;
  /** When the last byte came in, on the clock's monotonic scale. */
  lastActivity(): number;
}

export interface Selection {
  /** One namespace; all of them when left out. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Only `metadata`: a tenth of the bytes for who needs no more. */
  readonly metadataOnly?: boolean | undefined;
}

/** Lists and watches a kind through a transport. */
export function listWatch<T extends KubeObject>(
  transport: Transport,
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector, metadataOnly = false }: Selection = {},
): ListWatch<T> {
  const path = resourcePath(resource, { namespace });
  const selectors = { labelSelector, fieldSelector };
  const accept = (kind: string): Record<string, string> => ({
    accept: metadataOnly ? `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json` : 'application/json',
  });
  return {
    async list({ limit, continue: token, signal }) {
      const query = { ...selectors, limit: limit?.toString(), continue: token };
      const headers = accept('PartialObjectMetadataList');
      const response = await transport.request({ method: 'GET', path, query, headers, signal });
      if (response.status >= 400) throw refusal(response, `GET ${path}`);
      if (!isList(response.body)) throw new TransportError('EBADBODY', `GET ${path} was not answered with a list`);
      const list = response.body as ObjectList<T>;
      return { ...list, items: (list.items ?? []).map(withoutManagedFields) };
    },
    async watch({ resourceVersion, sendInitialEvents, timeoutSeconds, signal }) {
      const query = {
        ...selectors,
        watch: 'true',
        allowWatchBookmarks: 'true',
        timeoutSeconds: String(timeoutSeconds),
        resourceVersion: resourceVersion === '' ? undefined : resourceVersion,
        ...(sendInitialEvents && { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }),
      };
      const headers = accept('PartialObjectMetadata');
      const stream = await transport.watch({ method: 'GET', path, query, headers, lazy: true, signal });
      if (stream.refused !== undefined) throw refusal(stream.refused, `watch ${path}`);
      return { events: stream.events as AsyncIterable<WatchEvent<T>>, lastActivity: () => stream.lastActivity() };
    },
  };
}

/** What the server said, with the Retry-After header where the Status does not carry the time itself. */
function refusal(response: ApiResponse, request: string): ApiError {
  const status = isStatus(response.body) ? response.body : plainStatus(response);
  const seconds = Number(response.headers['retry-after']);
  if (status.details?.retryAfterSeconds !== undefined || !(seconds > 0)) return new ApiError(status, request);
  return new ApiError({ ...status, details: { ...status.details, retryAfterSeconds: seconds } }, request);
}

function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'Status' && 'code' in body;
}

function isList(body: unknown): body is ObjectList {
  return (
    typeof body === 'object' && body !== null && 'items' in body && (Array.isArray(body.items) || body.items === null)
  );
}

function plainStatus({ status: code, body }: ApiResponse): Status {
  const message = typeof body === 'string' && body !== '' ? body.slice(0, 200) : `the server answered ${code}`;
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message };
}
