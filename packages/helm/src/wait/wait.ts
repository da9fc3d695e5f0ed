/** Waiting for the objects of a release, by watching them: until all are ready, or gone, or the time is up. */
import { type Client, type Clock, computeStatus, type DynamicObject } from '@capstan/kube';
import { describe, type Target } from '../apply/target.ts';
import { ReleaseError } from '../release/errors.ts';
import { followObject } from './follow.ts';
import type { Awaited, OnProgress } from './progress.ts';
import type { Readiness } from './readiness.ts';

export interface WaitContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly onProgress: OnProgress;
  /** Ends the wait with the signal's reason. */
  readonly signal: AbortSignal;
}

/**
 * Resolves when every object is ready. One that has failed is not waited for any longer, but may still recover while the others are
 * on their way, as with Helm; in the end all that are not ready are named.
 */
export function waitUntilReady(
  context: WaitContext,
  targets: readonly Target[],
  readiness: Readiness,
  timeout: number,
): Promise<void> {
  return waitFor(context, targets, timeout, (state, target) => {
    if (state === undefined) return awaited(target, 'Missing', 'is not there');
    const { status, message } = readiness(state, context.clock.now());
    return status === 'Current' ? undefined : awaited(target, status, message);
  });
}

/** Resolves when none of the objects is there any more. */
export function waitUntilGone(context: WaitContext, targets: readonly Target[], timeout: number): Promise<void> {
  return waitFor(context, targets, timeout, (state, target) => {
    if (state === undefined) return undefined;
    const { status, message } = computeStatus(state, context.clock.now());
    return awaited(target, status === 'Failed' ? 'InProgress' : status, `still exists: ${message}`);
  });
}

function awaited({ object }: Target, status: Awaited['status'], message: string): Awaited {
  return { object: describe(object), status, message };
}

/** @param judge what is missing about the state of an object; nothing if it is as wanted */
async function waitFor(
  { client, clock, onProgress, signal }: WaitContext,
  targets: readonly Target[],
  timeout: number,
  judge: (state: DynamicObject | undefined, target: Target) => Awaited | undefined,
): Promise<void> {
  const open = new Map<Target, Awaited>();
  const tell = (): void => onProgress({ kind: 'waiting', for: [...open.values()] });
  const enough = new AbortController();
  const deadline = clock.after(timeout, () => enough.abort(TIME_IS_UP));
  const both = AbortSignal.any([signal, enough.signal]);

  const follow = async (target: Target): Promise<void> => {
    await followObject(client, clock, target.resource, target.object, both, state => {
      const missing = judge(state, target);
      if (missing === undefined) open.delete(target);
      else open.set(target, missing);
      tell();
      if (open.size > 0 && [...open.values()].every(({ status }) => status === 'Failed')) enough.abort(ALL_DECIDED);
      return missing === undefined;
    });
  };

  for (const target of targets) open.set(target, awaited(target, 'InProgress', 'has not been looked at yet'));
  try {
    await Promise.all(targets.map(follow));
  } catch (error) {
    if (signal.aborted || !enough.signal.aborted) throw error;
    throw new ReleaseError('NotReady', notReady([...open.values()], timeout, enough.signal.reason === TIME_IS_UP));
  } finally {
    deadline.cancel();
    // Whoever still watches, because another one failed, has to stop.
    enough.abort(ALL_DECIDED);
  }
}

const TIME_IS_UP = new Error('time is up');
const ALL_DECIDED = new Error('there is nothing left to wait for');

function notReady(open: readonly Awaited[], timeout: number, late: boolean): string {
  const list = open.map(({ object, status, message }) => `${object} (${status}: ${message})`).join(', ');
  return late ? `not ready after ${Math.round(timeout / 1000)} s: ${list}` : `not ready: ${list}`;
}
