/** One run of a controller's function for one key: its deadline, its log, its span, and what came of it. */
import { tracingChannel } from 'node:diagnostics_channel';
import { type Client, type Clock, isConflict, type Timer } from '@capstan/kube';
import { attempt } from '../attempt.ts';
import type { Cache } from '../cache/cache.ts';
import { ControllerError, isControllerError } from '../errors.ts';
import type { Log } from '../log/log.ts';
import type { Cluster } from '../manager/cluster.ts';
import type { Outcome } from '../manager/metrics.ts';
import type { Finish } from '../queue/queue.ts';
import { type CurrentReconcile, runInReconcile } from './current-reconcile.ts';
import { type Request, requestOf } from './request.ts';
import { isResult, type Result } from './result.ts';

/** Every reconcile passes here as a span: `{ controller, key, id }`, with `result` or `error` when it ends. */
export const reconcileChannel = tracingChannel('capstan:controller:reconcile');

/** What a reconcile is given besides its request. */
export interface ReconcileContext {
  /** Of the request's cluster. */
  readonly client: Client;
  readonly cache: Cache;
  /** Aborted when the deadline has passed or the manager stops. Calls of `client` and reads of `cache` obey it by themselves. */
  readonly signal: AbortSignal;
  /** Each line carries the controller, the key and the id of this reconcile. */
  readonly log: Log;
  /** When this reconcile began, in milliseconds since the epoch: all its decisions agree on the time. */
  readonly now: number;
}

export type Reconcile = (request: Request, context: ReconcileContext) => Promise<Result> | Result;

export interface RunOptions {
  readonly controller: string;
  readonly reconcile: Reconcile;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly log: Log;
  readonly deadline: number;
  /** The controller stops, and does not wait any longer. */
  readonly signal: AbortSignal;
  /** The function ignores its signal and is left behind. It may not write any more, but it runs until `ended`. */
  readonly onAbandoned: (key: string, ended: Promise<unknown>) => void;
}

export interface Run {
  readonly finish: Finish;
  readonly outcome: Outcome;
}

/** After its deadline a function that obeys its signal ends within this; one that does not is left behind. */
const LAST_MOMENTS = 5_000;

export async function runReconcile(key: string, id: string, options: RunOptions): Promise<Run> {
  const { controller, clock, cluster, deadline } = options;
  const log = options.log.child({ controller, key, reconcile: id });
  const current = attempt(clock, options.signal);
  current.deadline(deadline, () => new ControllerError('DeadlineExceeded', late(options, key)));
  const reconcile: CurrentReconcile = { controller, key, id, signal: current.signal, over: false };
  const { client, cache } = cluster;
  const context: ReconcileContext = { client, cache, signal: current.signal, log, now: clock.now() };
  const span = { controller, key, id };
  try {
    const call = (): Promise<Result> =>
      runInReconcile(reconcile, async () => options.reconcile(requestOf(key), context));
    const result = await reconcileChannel.tracePromise(() => unlessAbandoned(call, key, current.signal, options), span);
    if (!isResult(result)) throw new ControllerError('NotAResult', nonsense(options, key, result));
    return concluded(result, log);
  } catch (error) {
    return failed(current.error ?? error, options, log);
  } finally {
    reconcile.over = true;
    current.end();
  }
}

/** The function's own end, or the reason of the signal if it ignores the signal for too long. */
async function unlessAbandoned<R>(
  call: () => Promise<R>,
  key: string,
  signal: AbortSignal,
  { clock, onAbandoned }: RunOptions,
): Promise<R> {
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  let timer: Timer | undefined;
  const abort = (): void => {
    timer = clock.after(LAST_MOMENTS, () => {
      onAbandoned(key, running);
      reject(signal.reason);
    });
  };
  const running = call();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    timer?.cancel();
    signal.removeEventListener('abort', abort);
  }
}

function concluded(result: Result, log: Log): Run {
  switch (result.type) {
    case 'done':
      return { finish: { type: 'done' }, outcome: 'done' };
    case 'requeueAfter':
      return { finish: { type: 'after', milliseconds: result.milliseconds }, outcome: 'requeued' };
    case 'fail':
      log.warn({ reason: result.reason }, 'reconcile failed; it will be tried again');
      return { finish: { type: 'failed' }, outcome: 'failed' };
  }
}

/** Anything can be thrown; a log would leave out `undefined`, and show of an object more than it should. */
function named(error: unknown): unknown {
  if (error instanceof Error || typeof error === 'string') return error;
  return new Error(`${error === null ? 'null' : `a value of the type ${typeof error}`} was thrown, not an Error`);
}

function failed(error: unknown, { signal }: RunOptions, log: Log): Run {
  const finish: Finish = { type: 'failed' };
  if (signal.aborted || isControllerError(error, 'NotLeading')) return { finish, outcome: 'stopped' };
  if (isConflict(error)) {
    // Someone else was faster: normal, and the retry decides on the new state.
    log.debug({ error }, 'conflict; it will be tried again');
    return { finish, outcome: 'conflict' };
  }
  log.error({ error: named(error) }, 'reconcile failed; it will be tried again');
  return { finish, outcome: isControllerError(error, 'DeadlineExceeded') ? 'deadline' : 'error' };
}

function late({ controller, deadline }: RunOptions, key: string): string {
  return `${controller}: the reconcile of ${key} took longer than its deadline of ${deadline / 1000} s`;
}

function nonsense({ controller }: RunOptions, key: string, value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value)?.slice(0, 100) ?? String(value));
  return `${controller}: the reconcile of ${key} returned ${text}; return done(), requeueAfter(…) or fail(reason)`;
}
