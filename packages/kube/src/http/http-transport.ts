/** Requests over HTTP, on undici: kept-alive connections, TLS, credentials that are renewed, bounded answers. */
import type { Dispatcher } from 'undici';
import { type Clock, systemClock } from '../clock.ts';
import { TransportError } from '../errors.ts';
import type { ApiRequest, ApiResponse, Impersonation, Transport, WatchStream } from '../transport.ts';
import { type Credential, type Credentials, impersonationHeaders, noCredentials } from './credentials.ts';
import { Connections, type TlsSettings } from './dispatcher.ts';
import { transportFailure } from './failure.ts';
import { readWatchEvents } from './watch-stream.ts';

export interface HttpTransportOptions {
  /** `https://127.0.0.1:6443`; a path in it goes before every request's path. */
  readonly server: string;
  readonly tls?: TlsSettings;
  readonly credentials?: Credentials;
  /** For every request that does not name its own. */
  readonly impersonate?: Impersonation | undefined;
  /** The proxy to go through: `http://`, `https://` or `socks5://`. */
  readonly proxy?: string | undefined;
  readonly clock?: Clock;
  /** Milliseconds for a connection to come about. Default: 10 s. */
  readonly connectTimeout?: number;
  /** Milliseconds until the answer begins. Default: 65 s, as API servers give up at 60. */
  readonly headersTimeout?: number;
  /** Milliseconds between two pieces of an answer. Watches have no such limit: they may be quiet. Default: 65 s. */
  readonly bodyTimeout?: number;
  /** Bytes in one answer. Default: 512 MiB, about 100,000 Pods in one list. */
  readonly largestResponse?: number;
  /** Bytes in one event of a watch. Default: 64 MiB; objects are a few MiB at most. */
  readonly largestEvent?: number;
  /** How many requests are under way at once; the rest queue. Watches do not count. Default: 64. */
  readonly connections?: number;
}

const MIB = 1024 * 1024;
/** A refusal is a Status of a few hundred bytes; what comes beyond this is not worth reading. */
const LARGEST_REFUSAL = MIB;

export function createHttpTransport(options: HttpTransportOptions): Transport {
  const { clock = systemClock, credentials = noCredentials } = options;
  const { origin, pathname } = new URL(options.server);
  const prefix = pathname.replace(/\/+$/, '');
  const headersTimeout = options.headersTimeout ?? 65_000;
  const connections = new Connections({
    origin,
    tls: options.tls ?? {},
    proxy: options.proxy,
    connectTimeout: options.connectTimeout ?? 10_000,
    headersTimeout,
    bodyTimeout: options.bodyTimeout ?? 65_000,
    largestResponse: options.largestResponse ?? 512 * MIB,
    connections: options.connections ?? 64,
  });

  /** Sends with the current credentials, and once more if these were refused and there are newer ones. */
  const dispatch = async (request: ApiRequest, kind: 'requests' | 'watches'): Promise<Dispatcher.ResponseData> => {
    let credential = await currentCredential(credentials);
    for (let again = true; ; again = false) {
      const dispatcher = (await connections.for(credential.certificate))[kind];
      request.signal?.throwIfAborted();
      const response = await dispatcher.request({
        origin,
        path: prefix + request.path + queryText(request.query),
        method: request.method,
        headers: requestHeaders(request, credential, options.impersonate),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        ...(kind === 'watches' ? { bodyTimeout: 0 } : {}),
      });
      if (response.statusCode !== 401 || !again || !(await credentials.refused(credential))) return response;
      await response.body.dump();
      credential = await currentCredential(credentials);
    }
  };

  const failureOf = (error: unknown, request: ApiRequest): unknown =>
    request.signal?.aborted ? request.signal.reason : transportFailure(error, request, options.server);

  return {
    async request(request) {
      try {
        const response = await dispatch(request, 'requests');
        return apiResponse(response, await response.body.text(), request);
      } catch (error) {
        throw failureOf(error, request);
      }
    },

    async watch(request): Promise<WatchStream> {
      try {
        const response = await dispatch(request, 'watches');
        if (response.statusCode !== 200)
          return { refused: apiResponse(response, await beginningOf(response), request) };
        return openStream(response, request);
      } catch (error) {
        throw failureOf(error, request);
      }
    },

    close: () => connections.close(),
  };

  function openStream({ body }: Dispatcher.ResponseData, request: ApiRequest): WatchStream {
    // Nobody may be reading when the signal is aborted; the reason reaches whoever reads next.
    body.on('error', () => {});
    let activity = clock.monotonic();
    return {
      events: readWatchEvents(body, {
        longestLine: options.largestEvent ?? 64 * MIB,
        lazy: request.lazy ?? false,
        onBytes: () => {
          activity = clock.monotonic();
        },
        failure: error => failureOf(error, request),
      }),
      // Bytes that wait for a slow reader are a sign of life too.
      lastActivity: () => (body.readableLength > 0 ? clock.monotonic() : activity),
    };
  }
}

async function currentCredential(credentials: Credentials): Promise<Credential> {
  try {
    return await credentials.current();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new TransportError('ECREDENTIALS', message, { cause: error, neverSent: true });
  }
}

function requestHeaders(
  request: ApiRequest,
  credential: Credential,
  impersonate: Impersonation | undefined,
): Record<string, string | string[]> {
  return {
    accept: 'application/json',
    ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
    ...(credential.authorization === undefined ? {} : { authorization: credential.authorization }),
    ...impersonationHeaders(request.impersonate ?? impersonate),
    ...request.headers,
  };
}

function queryText(query: ApiRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const each of typeof value === 'string' ? [value] : value) parameters.append(name, each);
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function apiResponse(response: Dispatcher.ResponseData, text: string, request: ApiRequest): ApiResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ');
  }
  const status = response.statusCode;
  if (!headers['content-type']?.includes('json')) return { status, headers, body: text };
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch {
    // Errors are understood without their body; a torn object must not be taken for one.
    if (status >= 400) return { status, headers, body: text };
    throw new TransportError('EBADBODY', `${request.method} ${request.path}: the answer ${status} is not valid JSON`);
  }
}

async function beginningOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    if ((length += chunk.length) > LARGEST_REFUSAL) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
