/** Sending one request, as often as it takes. */
import { tracingChannel } from 'node:diagnostics_channel';
import { type Clock, type Random, sleep } from '../clock.ts';
import { ApiError, TransportError } from '../errors.ts';
import { withoutUndefined } from '../json.ts';
import type { ApiRequest, ApiResponse, Impersonation, Transport, WatchStream } from '../transport.ts';
import { errorFromResponse } from './response.ts';
import { type RetryMode, type RetryPolicy, retryDelay } from './retry.ts';

export interface SenderOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: RetryPolicy;
  readonly impersonate: Impersonation | undefined;
  readonly userAgent: string | undefined;
  readonly onWarning: ((text: string, request: string) => void) | undefined;
}

export interface Outgoing extends ApiRequest {
  readonly mode?: RetryMode | undefined;
  /** Overrides what the method says about doing it twice; see `repeatableByMethod`. */
  readonly repeatable?: boolean;
}

/** Every request passes here as a span: `{ request, attempt }`, with `result` or `error` when it ends. */
export const requestChannel = tracingChannel('capstan:kube:request');

export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** The answer with a status below 400; an `ApiError` or `TransportError` otherwise. */
  send(outgoing: Outgoing): Promise<ApiResponse> {
    const request = this.#dressed(outgoing);
    return this.#repeatedly(outgoing, async () => {
      const response = await this.#options.transport.request(request);
      if (response.status >= 400) throw errorFromResponse(response, request);
      this.#warn(response, request);
      return response;
    });
  }

  /** An open stream; a refusal is thrown as `ApiError`. */
  async openWatch(outgoing: Outgoing): Promise<Extract<WatchStream, { refused?: undefined }>> {
    const request = this.#dressed(outgoing);
    return this.#repeatedly(outgoing, async () => {
      const stream = await this.#options.transport.watch(request);
      if (stream.refused !== undefined) throw errorFromResponse(stream.refused, request);
      return stream;
    });
  }

  async #repeatedly<R>(outgoing: Outgoing, once: () => Promise<R>): Promise<R> {
    const { clock, random, policy } = this.#options;
    const { mode = 'auto', repeatable = REPEATABLE[outgoing.method], signal } = outgoing;
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      try {
        return await requestChannel.tracePromise(once, { request: outgoing, attempt });
      } catch (failure) {
        if (!(failure instanceof ApiError || failure instanceof TransportError)) throw failure;
        const delay = retryDelay({ failure, attempt, mode, repeatable }, policy, random);
        if (delay === undefined) throw failure;
        await sleep(clock, delay, signal);
      }
    }
  }

  #dressed(outgoing: Outgoing): ApiRequest {
    const { mode: _, repeatable: __, ...request } = outgoing;
    const { impersonate, userAgent } = this.#options;
    return {
      ...request,
      ...(request.body === undefined ? {} : { body: withoutUndefined(request.body) }),
      headers: { ...(userAgent === undefined ? {} : { 'user-agent': userAgent }), ...request.headers },
      ...(impersonate === undefined ? {} : { impersonate }),
    };
  }

  /** The header holds `299 - "text"`, several of them joined by commas. */
  #warn({ headers }: ApiResponse, { method, path }: ApiRequest): void {
    const { onWarning } = this.#options;
    const header = headers['warning'];
    if (onWarning === undefined || header === undefined) return;
    for (const [, text] of header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)) {
      onWarning(text!.replace(/\\(.)/g, '$1'), `${method} ${path}`);
    }
  }
}

/** A delete may hit an object that was made anew under the same name, so only one of a given `uid` is repeatable. */
const REPEATABLE = { GET: true, PUT: true, POST: false, PATCH: false, DELETE: false } as const;
