/** How a webhook is reached, whatever it is asked: admission and conversion reviews go the same ways. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, deepClone, type Json, type Random } from '@capstan/kube';
import type { Store } from '../store/store.ts';
import type { ClientConfig } from './configuration.ts';
import { type Endpoint, serviceEndpoint } from './service-endpoint.ts';

/** Sends a review and gives the answer. Rejects with why not, in words that end a sentence about the webhook. */
export type WebhookCall = (client: ClientConfig, review: Json, timeoutSeconds: number) => Promise<Json>;

/**
 * A webhook that is a function of this process: takes a review, gives it back answered. `admissionWebhook` makes one from a
 * decision. What it throws counts as a webhook that cannot be reached.
 */
export type WebhookFunction = (review: Json, signal: AbortSignal) => Json | Promise<Json>;

export interface WebhookOptions {
  /**
   * Webhooks of this process by the address that configurations name: `https://policy.example.com/pods`. That of a Service is
   * `https://<name>.<namespace>.svc/<path>`, with its port where that is not 443.
   */
  readonly functions?: Readonly<Record<string, WebhookFunction>>;
  /**
   * Whether all others are called over HTTPS. Default: with the system's clock. On a stepped one they are not: a test must not
   * depend on the network.
   */
  readonly network?: boolean;
}

/** What the address of a webhook is made of. */
export interface Address {
  readonly url: URL;
  /** What certificates have to be valid for, and where to connect instead. Undefined: what the URL says. */
  readonly endpoint: (() => Endpoint) | undefined;
}

const DEFAULT_PORT = 443;

export function addressOf({ url, service }: ClientConfig, store: Store, random: Random): Address {
  if (!service) {
    if (url === undefined) throw new Error('webhook configuration must have either service or URL');
    return { url: new URL(url), endpoint: undefined };
  }
  const { name, namespace, path = '', port = DEFAULT_PORT } = service;
  return {
    url: new URL(`https://${name}.${namespace}.svc:${port}${path}`),
    endpoint: () => serviceEndpoint(store, random, { name, namespace, port }),
  };
}

/** Calls functions of this process; the others as `otherwise` does. */
export function inProcessCall(
  functions: NonNullable<WebhookOptions['functions']>,
  { clock, store, random }: { readonly clock: Clock; readonly store: Store; readonly random: Random },
  otherwise: WebhookCall,
): WebhookCall {
  const byAddress = new Map(Object.entries(functions).map(([address, ask]) => [new URL(address).href, ask]));
  if (byAddress.size === 0) return otherwise;
  return (client, review, timeoutSeconds) => {
    const ask = byAddress.get(addressOf(client, store, random).url.href);
    if (!ask) return otherwise(client, review, timeoutSeconds);
    const depth = (nesting.getStore() ?? 0) + 1;
    if (depth > MAX_NESTING) return Promise.reject(new Error('webhooks lead to each other without end'));
    return withDeadline(clock, timeoutSeconds, signal =>
      nesting.run(depth, async () => ask(deepClone(review), signal)),
    );
  };
}

/**
 * A function that writes what it is asked about itself would be asked for ever, and without a network in between nothing would
 * slow it down: not even the clock could stop it. Over HTTPS the deadline of the first question ends it.
 */
const MAX_NESTING = 16;
const nesting = new AsyncLocalStorage<number>();

/** What Go says of a call that took too long. */
export const DEADLINE_EXCEEDED = 'context deadline exceeded';

/** Runs `work`, and after the time given no longer waits for it. */
export function withDeadline<T>(clock: Clock, seconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = clock.after(seconds * 1000, () => {
      const error = new Error(DEADLINE_EXCEEDED);
      reject(error);
      controller.abort(error);
    });
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => timer.cancel());
  });
}

/** For servers that call nobody. */
export const refuseCalls: WebhookCall = () =>
  Promise.reject(new Error('this server calls only webhooks of its own process'));
