/** What a reflector does next: pure, so that each row of the table can be tested by itself. */
import { ApiError, isGone, type Random, TransportError } from '@capstan/kube';
import { type Backoff, backoffDelay } from '../queue/backoff.ts';

/** How one attempt to list or watch came out. */
export type Outcome =
  /** The list is in; watch from there. */
  | { readonly type: 'listed' }
  /** The server ended the watch in good order, as it does every few minutes. */
  | { readonly type: 'ended' }
  /** The version to resume from is gone (410): only a new list helps. */
  | { readonly type: 'expired'; readonly error: unknown }
  /** The server does not do WatchList: lists come in pages from now on. */
  | { readonly type: 'unsupported'; readonly error: unknown }
  /** Anything else: refused, broken, silent, garbage. */
  | { readonly type: 'failed'; readonly error: unknown };

/** What the reflector knows about its own past. */
export interface History {
  /** Failures in a row. */
  readonly failures: number;
  /** When the last one was, on the monotonic scale. */
  readonly failedAt: number;
  /** Failures since the last event or bookmark: resuming does not help for ever. */
  readonly withoutProgress: number;
}

export const NEW_HISTORY: History = { failures: 0, failedAt: Number.NEGATIVE_INFINITY, withoutProgress: 0 };

export interface Decision {
  readonly next: 'list' | 'watch';
  /** Milliseconds to wait before. */
  readonly delay: number;
  readonly history: History;
}

export interface Circumstances {
  readonly now: number;
  readonly random: Random;
  /** Whether there is a version to resume a watch from. */
  readonly resumable: boolean;
  /** Whether the attempt brought anything (an event, a bookmark) or lasted longer than a hiccup. */
  readonly healthy: boolean;
}

/** As client-go: 0.8 s doubling to 30 s, each with as much again of jitter. */
export const RECONNECT_BACKOFF: Backoff = { base: 800, factor: 2, max: 30_000, jitter: 1 };

/** This long without a failure, and the next one counts as the first. */
const HEALTHY_AFTER = 120_000;

/** After this many attempts to resume that brought nothing, the version itself is suspect (a line that can never be read). */
const RESUME_ATTEMPTS = 3;

export function decide(outcome: Outcome, history: History, circumstances: Circumstances): Decision {
  const { healthy, resumable, now } = circumstances;
  const progressed = healthy ? { ...history, withoutProgress: 0 } : history;
  switch (outcome.type) {
    case 'listed':
      return { next: 'watch', delay: 0, history: progressed };
    case 'ended':
      // A server that ends every watch at once would otherwise be asked thousands of times a second.
      if (healthy) return { next: resumable ? 'watch' : 'list', delay: 0, history: progressed };
      return afterFailure(undefined, progressed, circumstances, resumable ? 'watch' : 'list');
    case 'unsupported':
      return { next: 'list', delay: 0, history: progressed };
    case 'expired': {
      const decision = afterFailure(outcome.error, progressed, circumstances, 'list');
      return isFirst(progressed, now) ? { ...decision, delay: 0 } : decision;
    }
    case 'failed': {
      const again = resumable && progressed.withoutProgress + 1 < RESUME_ATTEMPTS ? 'watch' : 'list';
      return afterFailure(outcome.error, progressed, circumstances, again);
    }
  }
}

function isFirst(history: History, now: number): boolean {
  return history.failures === 0 || now - history.failedAt >= HEALTHY_AFTER;
}

function afterFailure(
  error: unknown,
  history: History,
  { now, random }: Circumstances,
  next: 'list' | 'watch',
): Decision {
  const failures = isFirst(history, now) ? 1 : history.failures + 1;
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return {
    next,
    delay: Math.max(asked, backoffDelay(RECONNECT_BACKOFF, failures, random)),
    history: { failures, failedAt: now, withoutProgress: history.withoutProgress + 1 },
  };
}

/** What an exception during an attempt means. */
export function classify(error: unknown, attempt: 'stream' | 'pages' | 'watch'): Outcome {
  if (isGone(error)) return { type: 'expired', error };
  if (attempt === 'stream' && refusesWatchList(error)) return { type: 'unsupported', error };
  return { type: 'failed', error };
}

/** Servers before 1.32 (or with the gate off) call the parameters forbidden; older ones ignore them and never say that the list is complete. */
function refusesWatchList(error: unknown): boolean {
  if (error instanceof NoInitialEventsEnd) return true;
  return error instanceof ApiError && [400, 405, 406, 415, 422, 501].includes(error.code);
}

/** The stream began but the bookmark that closes the initial events never came. */
export class NoInitialEventsEnd extends TransportError {
  constructor() {
    super('ENOINITIALEND', 'the server did not mark the end of the initial events');
  }
}

/** Nothing was heard for too long: the connection is taken to be half open. */
export class Silence extends TransportError {
  constructor(what: string, milliseconds: number) {
    super('ETIMEDOUT', `${what}: no byte for ${Math.round(milliseconds / 1000)} s`);
  }
}
