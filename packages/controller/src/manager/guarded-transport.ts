import type { ApiRequest, ApiResponse, Transport } from '@capstan/kube';
import { type Write, writeOf } from '../cache/write.ts';
import { currentReconcile, writerName } from '../controller/current-reconcile.ts';
import { ControllerError } from '../errors.ts';

export interface Guard {
  /** Throws when this process may not write now: it does not lead. */
  readonly mayWrite: () => void;
  /** Told of each write before it goes out; the returned function is called with its answer. */
  readonly beginWrite: (write: Write) => (response: ApiResponse | undefined) => void;
}

/**
 * A transport whose writes are checked before they go out and remembered when they come back. Every request of a manager's
 * clients passes here, each attempt of a retried one too: a leader that was paused and wakes up late is stopped at this point.
 */
export function guardedTransport(inner: Transport, { mayWrite, beginWrite }: Guard): Transport {
  return {
    async request(request: ApiRequest): Promise<ApiResponse> {
      const reconcile = currentReconcile();
      if (request.method !== 'GET') {
        if (reconcile?.over) {
          const { controller, key } = reconcile;
          throw new ControllerError(
            'ReconcileOver',
            `${controller}: the reconcile of ${key} is over, and may not write any more`,
          );
        }
        mayWrite();
      }
      const write = writeOf(request, reconcile && writerName(reconcile.controller, reconcile.key));
      const end = write && beginWrite(write);
      let response: ApiResponse | undefined;
      try {
        response = await inner.request(withSignal(request, reconcile?.signal));
        return response;
      } finally {
        end?.(response);
      }
    },
    watch: request => inner.watch(withSignal(request, currentReconcile()?.signal)),
    close: () => inner.close(),
  };
}

/** Ends a request with the reconcile that it belongs to, so that a deadline does not have to be passed to every call. */
function withSignal(request: ApiRequest, signal: AbortSignal | undefined): ApiRequest {
  if (signal === undefined) return request;
  if (request.signal === undefined) return { ...request, signal };
  return { ...request, signal: AbortSignal.any([request.signal, signal]) };
}
