/** The API over HTTPS (or plain HTTP inside a test): bytes to requests, answers to bytes. */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { stringify } from 'yaml';
import { type Answer, type FullAnswer, listJson } from './answer.ts';
import { certificateUser } from './http/client-certificates.ts';
import { hostCheck, notOurName } from './http/host-names.ts';
import { impersonationOf } from './impersonation.ts';
import { warningHeader } from './in-process.ts';
import { acceptsPlainText, type MediaType, negotiate, notAcceptable } from './negotiation.ts';
import { podUpgrades } from './pods/index.ts';
import type { OutgoingEvent, Watch } from './read/watch.ts';
import type { RequestBody, ServerRequest, User } from './request.ts';
import { sendStream } from './send-stream.ts';
import type { ApiServer } from './server.ts';
import { failure, type StatusError, tooLarge } from './status.ts';

/** As Kubernetes: an object is 1.5 MiB at most in etcd, and a request may carry a little more than one. */
export const BODY_LIMIT = 3 * 1024 * 1024;
/** Selectors are in the request line, and they can be long. */
const HEADER_LIMIT = 1024 * 1024;
/** A watcher that has fallen behind by this much is cut off; it resumes from where it was. */
const WATCH_BACKLOG_LIMIT = 8 * 1024 * 1024;

export interface ListenOptions {
  /** 0: any free one. */
  readonly port?: number;
  readonly host?: string;
  /**
   * PEM. Plain HTTP where absent, which kubectl sends no token over. Clients may show a certificate of `clientAuthority`: its common
   * name is the user, its organizations are the groups.
   */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientAuthority?: string };
  /** Further names that clients call this server by; its address, `localhost` and the names of the Service are known. */
  readonly hostNames?: readonly string[];
  /** Who sends this request; undefined: nobody we know, which is answered with 401. */
  readonly authenticate: (headers: ServerRequest['headers']) => User | undefined;
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  /** Ends watches and idle connections, and resolves when nothing is left. */
  close(): Promise<void>;
}

export async function listen(server: ApiServer, options: ListenOptions): Promise<Listener> {
  const { tls, host = '127.0.0.1', port = 0 } = options;
  const isOurs = hostCheck([host, ...(options.hostNames ?? [])]);
  const caller: Caller = {
    isMisled: ({ headers, socket }) => !isOurs({ host: headers.host, localAddress: socket.localAddress }),
    // In the order of Kubernetes: a good certificate wins over a token, and a bad one does not spoil it.
    user: incoming =>
      certificateUser(incoming, server.clock.now()) ??
      options.authenticate(incoming.headers as ServerRequest['headers']),
  };
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answer(server, caller, incoming, outgoing).catch(() => outgoing.destroy());
  };
  const upgrades = podUpgrades(server, incoming => upgradeRequest(caller, incoming));
  const settings = { maxHeaderSize: HEADER_LIMIT, shouldUpgradeCallback: upgrades.wanted };
  const http: Server = tls
    ? createHttpsServer({ ...tlsSettings(tls), ...settings, ALPNProtocols: ['http/1.1'] }, onRequest)
    : createHttpServer(settings, onRequest);
  http.on('upgrade', upgrades.accept);
  // A watch is silent for minutes, and a client may keep a connection for as long.
  http.requestTimeout = 60_000;
  http.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, resolve);
  });
  const bound = (http.address() as AddressInfo).port;
  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close: () =>
      new Promise(resolve => {
        http.close(() => resolve());
        http.closeAllConnections();
        upgrades.close();
      }),
  };
}

/** What a connection says about who is at its other end. */
interface Caller {
  /** It was made by a name that is not ours. */
  isMisled(incoming: IncomingMessage): boolean;
  user(incoming: IncomingMessage): User | undefined;
}

function tlsSettings({ key, cert, clientAuthority }: NonNullable<ListenOptions['tls']>): TlsOptions {
  if (clientAuthority === undefined) return { key, cert };
  // A client without a certificate, or with a bad one, may still have a token.
  return { key, cert, ca: clientAuthority, requestCert: true, rejectUnauthorized: false };
}

async function answer(
  server: ApiServer,
  caller: Caller,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const headers = incoming.headers as ServerRequest['headers'];
  if (caller.isMisled(incoming)) return refuse(outgoing, failure(403, 'Forbidden', notOurName(headers['host'])));
  const user = caller.user(incoming);
  if (!user) return refuse(outgoing, failure(401, 'Unauthorized', 'Unauthorized'));
  const { path, query } = parseTargetLine(incoming.url ?? '/');

  let body: RequestBody;
  try {
    body = await readBody(incoming);
  } catch (error) {
    outgoing.setHeader('connection', 'close');
    return refuse(outgoing, error as StatusError);
  }
  const representation = negotiate(incoming.headers.accept);
  if (!representation && !isDocument(path) && !(isLog(path) && acceptsPlainText(incoming.headers.accept))) {
    refuse(outgoing, notAcceptable());
    return;
  }
  let impersonate: ServerRequest['impersonate'];
  try {
    impersonate = isImpersonating(headers) ? impersonationOf(incoming.headersDistinct) : undefined;
  } catch (error) {
    refuse(outgoing, error as StatusError);
    return;
  }
  const gone = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  const request: ServerRequest = {
    method: incoming.method ?? 'GET',
    path,
    query,
    headers,
    body,
    user,
    impersonate,
    signal: gone.signal,
  };
  send(outgoing, await server.handle(request), representation?.type);
}

/** What the API says about itself has forms of its own. */
const isDocument = (path: string): boolean => /^\/(openapi\/|openid\/|apis?$|metrics$)/.test(path);

const isLog = (path: string): boolean => /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/log$/.test(path);

/**
 * Cut by hand: a URL parser would resolve dots, encoded ones too, and turn the name of an object into the path of the collection
 * above it.
 */
function parseTargetLine(text: string): { path: string; query: URLSearchParams } {
  const mark = text.indexOf('?');
  if (mark < 0) return { path: text, query: new URLSearchParams() };
  return { path: text.slice(0, mark), query: new URLSearchParams(text.slice(mark + 1)) };
}

/** A request whose connection is to be handed over: it has no body, and whether its client is still there is seen by the new owner. */
function upgradeRequest(caller: Caller, incoming: IncomingMessage): ServerRequest | undefined {
  const headers = incoming.headers as ServerRequest['headers'];
  const user = caller.isMisled(incoming) ? undefined : caller.user(incoming);
  if (!user) return undefined;
  const { path, query } = parseTargetLine(incoming.url ?? '/');
  const impersonate = isImpersonating(headers) ? impersonationOf(incoming.headersDistinct) : undefined;
  const signal = new AbortController().signal;
  return { method: incoming.method ?? 'GET', path, query, headers, body: { kind: 'none' }, user, impersonate, signal };
}

function isImpersonating(headers: ServerRequest['headers']): boolean {
  for (const name in headers) if (name.startsWith('impersonate-')) return true;
  return false;
}

function readBody(incoming: IncomingMessage): Promise<RequestBody> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Promise.resolve({ kind: 'none' });
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT) chunks.push(chunk);
      else reject(tooLarge(BODY_LIMIT));
    });
    incoming.on('end', () => {
      resolve(
        size === 0
          ? { kind: 'none' }
          : { kind: 'bytes', bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) },
      );
    });
    incoming.on('error', reject);
  });
}

function refuse(outgoing: ServerResponse, { status, headers }: StatusError): void {
  send(outgoing, { answer: { kind: 'value', status: status.code, value: status }, headers, warnings: [] });
}

function send(
  outgoing: ServerResponse,
  { answer: body, headers, warnings }: FullAnswer,
  wanted: MediaType = 'application/json',
): void {
  if (outgoing.destroyed) return;
  outgoing.setHeader('cache-control', 'no-cache, private');
  for (const [name, text] of Object.entries(headers)) outgoing.setHeader(name, text);
  if (warnings.length > 0) outgoing.setHeader('warning', warnings.map(printable).map(warningHeader).join(', '));
  if (body.kind === 'watch') {
    stream(outgoing, body.watch);
    return;
  }
  if (body.kind === 'stream') {
    void sendStream(outgoing, body);
    return;
  }
  const { status, type, content } = wanted === 'application/yaml' ? encodeYaml(body) : encode(body);
  if (status === 204) {
    outgoing.writeHead(status).end();
    return;
  }
  // A text goes out in one piece with the headers; bytes would be a second one, and each piece is encrypted for itself.
  outgoing.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(content) });
  outgoing.end(content);
}

/** Header values are Latin-1 without control characters; anything else would throw. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 1024);

/** What leaves in one piece. */
type Whole = Exclude<Answer, { kind: 'watch' | 'stream' }>;

function encode(body: Whole): { status: number; type: string; content: string | Buffer } {
  const json = 'application/json';
  switch (body.kind) {
    case 'entry':
      return { status: body.status, type: json, content: `${body.entry.json}\n` };
    case 'list':
      return { status: 200, type: json, content: listJson(body).join('') };
    case 'value':
      return { status: body.status, type: json, content: `${JSON.stringify(body.value)}\n` };
    case 'text':
      return { status: body.status, type: body.type, content: body.text };
    case 'document':
      return { status: body.status, type: body.type, content: body.bytes };
  }
}

function encodeYaml(body: Whole): ReturnType<typeof encode> {
  const { status, type, content } = encode(body);
  if (type !== 'application/json' || body.kind === 'document') return { status, type, content };
  return { status, type: 'application/yaml', content: stringify(JSON.parse(content.toString())) };
}

function stream(outgoing: ServerResponse, watch: Watch): void {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
  outgoing.flushHeaders();
  let lines: string[] = [];
  let ending = false;
  // One write a turn of the event loop, however many events came together: a write costs more than a line.
  const flush = (): void => {
    if (lines.length > 0) outgoing.write(lines.join(''));
    lines = [];
    if (ending) outgoing.end();
    else if (outgoing.writableLength > WATCH_BACKLOG_LIMIT) outgoing.destroy();
  };
  const later = (): void => {
    if (lines.length === 0 && !ending) setImmediate(flush);
  };
  const stop = watch.start({
    send(event) {
      later();
      lines.push(lineOf(event));
    },
    end() {
      later();
      ending = true;
    },
  });
  outgoing.once('close', stop);
}

const eventLines = new WeakMap<object, { type: string; line: string }>();

/** The line of an event is the same for every watcher, so it is put together once. */
function lineOf(event: OutgoingEvent): string {
  if (!('entry' in event)) return `${JSON.stringify(event)}\n`;
  const known = eventLines.get(event.entry);
  if (known?.type === event.type) return known.line;
  const line = `{"type":"${event.type}","object":${event.entry.json}}\n`;
  eventLines.set(event.entry, { type: event.type, line });
  return line;
}
