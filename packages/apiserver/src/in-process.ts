/** Straight into the server, without a socket: the same meaning, none of the bytes. */
import type { ApiRequest, ApiResponse, Clock, KubeObject, Transport, WatchEvent, WatchStream } from '@capstan/kube';
import { type Answer, type FullAnswer, listValue } from './answer.ts';
import type { OutgoingEvent, Watch } from './read/watch.ts';
import type { ServerRequest, User } from './request.ts';

/** The part of the server that is needed here. */
export interface Handler {
  handle(request: ServerRequest): Promise<FullAnswer>;
}

export function inProcessTransport(server: Handler, clock: Clock, user: User): Transport {
  const send = (request: ApiRequest): Promise<FullAnswer> => {
    request.signal?.throwIfAborted();
    return server.handle(serverRequest(request, user));
  };
  return {
    async request(request) {
      const full = await send(request);
      request.signal?.throwIfAborted();
      return full.answer.kind === 'stream' ? await collected(full.answer, full.headers) : response(full);
    },
    async watch(request): Promise<WatchStream> {
      const full = await send(request);
      if (full.answer.kind !== 'watch') return { refused: response(full) };
      const { watch } = full.answer;
      let last = clock.monotonic();
      const touch = (): void => {
        last = clock.monotonic();
      };
      return { events: events(watch, request.signal, touch), lastActivity: () => last };
    },
    close: async () => {},
  };
}

const NEVER_ABORTED = new AbortController().signal;

function serverRequest(request: ApiRequest, user: User): ServerRequest {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(request.query ?? {})) {
    if (given === undefined) continue;
    for (const one of Array.isArray(given) ? given : [given]) query.append(name, one);
  }
  const headers: Record<string, string> = { 'user-agent': 'capstan' };
  for (const [name, text] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = text;
  if (request.contentType !== undefined) headers['content-type'] = request.contentType;
  return {
    method: request.method,
    path: request.path,
    query,
    headers,
    body: request.body === undefined ? { kind: 'none' } : { kind: 'value', value: request.body },
    user,
    impersonate: request.impersonate,
    signal: request.signal ?? NEVER_ABORTED,
  };
}

function response({ answer, headers, warnings }: FullAnswer): ApiResponse {
  const all = warnings.length === 0 ? headers : { ...headers, warning: warnings.map(warningHeader).join(', ') };
  switch (answer.kind) {
    case 'entry':
      return { status: answer.status, headers: all, body: answer.entry.object };
    case 'list':
      return { status: 200, headers: all, body: listValue(answer) };
    case 'value':
      return { status: answer.status, headers: all, body: answer.value };
    case 'text':
      return { status: answer.status, headers: all, body: answer.text };
    case 'document':
      return { status: answer.status, headers: all, body: documentBody(answer) };
    case 'stream':
      throw new TypeError('a stream has to be read to its end first');
    case 'watch':
      throw new TypeError('a watch has to be opened with Transport.watch');
  }
}

/** The whole text, when it has ended; aborting the request ends it. */
async function collected(
  { chunks }: Extract<Answer, { kind: 'stream' }>,
  headers: FullAnswer['headers'],
): Promise<ApiResponse> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return { status: 200, headers, body: Buffer.concat(all).toString() };
}

function documentBody({ type, bytes }: Extract<Answer, { kind: 'document' }>): unknown {
  if (bytes.length === 0) return undefined;
  return type.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes;
}

/** RFC 7234: code 299, no agent, the text quoted. */
export const warningHeader = (text: string): string => `299 - ${JSON.stringify(text)}`;

/** A queue between the server, which pushes, and the reader, who pulls. */
async function* events(watch: Watch, signal: AbortSignal | undefined, touch: () => void): AsyncGenerator<WatchEvent> {
  const queue: WatchEvent[] = [];
  let ended = false;
  let wake: () => void = () => {};
  const stop = watch.start({
    send(event) {
      touch();
      queue.push(incoming(event));
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  });
  const abort = (): void => wake();
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const event = queue.shift();
      if (event) yield event;
      else if (ended) return;
      else await new Promise<void>(resolve => (wake = resolve));
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    stop();
  }
}

function incoming(event: OutgoingEvent): WatchEvent {
  switch (event.type) {
    case 'BOOKMARK':
      return { type: 'BOOKMARK', object: event.object as KubeObject };
    case 'ERROR':
      return event;
    default:
      return { type: event.type, object: event.entry.object as unknown as KubeObject };
  }
}
