/** Webhooks over HTTPS: certificates checked against the configuration, connections kept, answers bounded, no redirects. */

import type { IncomingMessage } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import type { Clock, Json, Random } from '@capstan/kube';
import { DecodeError, parseYaml } from '../schema/decode.ts';
import { goQuote } from '../schema/go-text.ts';
import type { Store } from '../store/store.ts';
import { type Address, addressOf, DEADLINE_EXCEEDED, type WebhookCall, withDeadline } from './call.ts';
import type { ClientConfig } from './configuration.ts';
import { describeFailure, describeStatus } from './http-words.ts';

/** An answer repeats nothing of the question, so that one larger than any request cannot be meant. */
export const ANSWER_LIMIT = 3 * 1024 * 1024;
/** Connections to one webhook at a time; more calls than this wait for one to be free. */
const MAX_CONNECTIONS = 64;
/** Webhooks whose connections are kept. */
const MAX_AGENTS = 100;

export interface HttpsCaller {
  readonly call: WebhookCall;
  /** Ends the connections that are kept. */
  close(): void;
}

export function httpsCaller(clock: Clock, store: Store, random: Random): HttpsCaller {
  const agents = new Agents();
  return {
    call(client, review, timeoutSeconds) {
      const address = addressOf(client, store, random);
      const { url } = address;
      url.searchParams.set('timeout', `${timeoutSeconds}s`);
      const body = Buffer.from(JSON.stringify(review));
      return withDeadline(clock, timeoutSeconds, signal => post(agents, client, address, body, signal)).catch(error => {
        // As Go's client: a failure that is not an answer is told with what was tried.
        const words = (error as Error).message;
        throw error instanceof BadAnswer ? error : new Error(`Post ${goQuote(printed(client, url))}: ${words}`);
      });
    },
    close: () => agents.close(),
  };
}

/** An answer came, and it is of no use; nothing about the way it came needs to be said. */
class BadAnswer extends Error {}

/** A URL leaves the port of HTTPS out; Go prints that of a Service. */
function printed({ service }: ClientConfig, url: URL): string {
  return service ? url.href.replace(url.host, `${url.hostname}:${url.port || 443}`) : url.href;
}

function post(
  agents: Agents,
  client: ClientConfig,
  address: Address,
  body: Buffer,
  signal: AbortSignal,
): Promise<Json> {
  const { url } = address;
  const endpoint = address.endpoint?.();
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const options: RequestOptions = {
    method: 'POST',
    host: endpoint?.host ?? hostname,
    port: endpoint?.port ?? (url.port === '' ? 443 : Number(url.port)),
    path: `${url.pathname}${url.search}`,
    ...(isIP(hostname) === 0 && { servername: hostname }),
    agent: agents.of(client, hostname),
    headers: {
      host: url.host,
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': body.length,
      'user-agent': 'kube-apiserver-admission',
    },
    signal,
  };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new Error(describeFailure(error, options.host!, options.port as number)));
    const outgoing = request(options, incoming => read(incoming).then(resolve, reject));
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

function read(incoming: IncomingMessage): Promise<Json> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= ANSWER_LIMIT) chunks.push(chunk);
      else incoming.destroy(new BadAnswer(`the answer is larger than ${ANSWER_LIMIT} bytes`));
    });
    incoming.on('error', error => reject(error instanceof BadAnswer ? error : cutOff(error)));
    incoming.on('end', () => {
      try {
        resolve(decode(incoming, Buffer.concat(chunks)));
      } catch (error) {
        reject(error);
      }
    });
  });
}

const cutOff = (error: Error): Error =>
  error.message === DEADLINE_EXCEEDED
    ? error
    : new BadAnswer('unexpected error when reading response body. Please retry. Original error: unexpected EOF');

function decode({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Json {
  if (statusCode < 200 || statusCode > 206) {
    throw new BadAnswer(describeStatus(statusCode, headers['content-type'], bytes.toString()));
  }
  if (bytes.length === 0) {
    const type = headers['content-type'] ?? 'application/json';
    throw new BadAnswer(`0-length response with status code: ${statusCode} and content type: ${type}`);
  }
  try {
    return parseYaml(bytes).value; // Kubernetes takes YAML from webhooks, of which JSON is a part
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new BadAnswer(error.reason.replace('error converting YAML to JSON: ', ''));
  }
}

/** One for each place and authority, so that a changed authority does not find a connection that the old one vouched for. */
class Agents {
  readonly #agents = new Map<string, Agent>();

  of({ caBundle }: ClientConfig, hostname: string): Agent {
    const key = `${hostname} ${caBundle ?? ''}`;
    const known = this.#agents.get(key);
    this.#agents.delete(key); // and to the end with it: the first one is the one that was not used for longest
    const ca = caBundle ? { ca: Buffer.from(caBundle, 'base64') } : {};
    const agent = known ?? new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, ...ca });
    this.#agents.set(key, agent);
    const [oldest] = this.#agents.keys();
    if (this.#agents.size > MAX_AGENTS) this.#drop(oldest!);
    return agent;
  }

  #drop(key: string): void {
    this.#agents.get(key)?.destroy();
    this.#agents.delete(key);
  }

  close(): void {
    for (const key of [...this.#agents.keys()]) this.#drop(key);
  }
}
