import type { ApiRequest, ApiResponse, Transport, WatchEvent } from '../transport.ts';

type Answer = ApiResponse | Error | ((request: ApiRequest) => ApiResponse);

/** A transport that gives prepared answers in order and remembers what it was asked. */
export function scriptedTransport(
  answers: readonly Answer[],
  events: readonly unknown[] = [],
): Transport & { asked: ApiRequest[] } {
  const rest = [...answers];
  const asked: ApiRequest[] = [];
  const next = (request: ApiRequest): ApiResponse => {
    asked.push(request);
    const answer = rest.shift();
    if (answer === undefined) throw new Error(`unexpected ${request.method} ${request.path}`);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : answer;
  };
  return {
    asked,
    request: async request => next(request),
    async watch(request) {
      const response = next(request);
      if (response.status >= 400) return { refused: response };
      const iterate = async function* (): AsyncGenerator<WatchEvent> {
        for (const event of events) {
          request.signal?.throwIfAborted();
          if (event instanceof Error) throw event;
          yield event as WatchEvent;
        }
      };
      return { events: iterate(), lastActivity: () => 7 };
    },
    close: async () => {},
  };
}

export const ok = (body: unknown): ApiResponse => ({ status: 200, headers: {}, body });

export const failure = (code: number, reason: string, more: object = {}, headers = {}): ApiResponse => ({
  status: code,
  headers,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    message: `no: ${reason}`,
    ...more,
  },
});
