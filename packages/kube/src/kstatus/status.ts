/**
 * Whether an object is what its spec asks for, by the rules of kstatus (which kubectl, Flux and Helm's `--wait` follow): what
 * all kinds have in common first, then what is special to built-in ones, then the `Ready` condition.
 */
import type { KubeObject } from '../object.ts';
import { builtInStatus } from './built-in.ts';
import { conditionsOf, type ObjectStatus, statusOf } from './result.ts';

/** @param now milliseconds since the epoch: a Pod that nobody schedules is given some seconds. */
export function computeStatus(object: KubeObject, now: number): ObjectStatus {
  return (
    commonStatus(object) ?? builtInStatus(object, now) ?? readiness(object) ?? statusOf('Current', '', 'is current')
  );
}

function commonStatus(object: KubeObject): ObjectStatus | undefined {
  const { deletionTimestamp, generation } = object.metadata;
  if (deletionTimestamp) return statusOf('Terminating', 'Deleted', `is being deleted since ${deletionTimestamp}`);
  const { observedGeneration } = (object as { status?: { observedGeneration?: number } }).status ?? {};
  if (generation !== undefined && observedGeneration !== undefined && observedGeneration !== generation) {
    const message = `generation ${generation} has not been observed yet, only ${observedGeneration}`;
    return statusOf('InProgress', 'LatestGenerationNotObserved', message);
  }
  for (const { type, status, reason = type, message = '' } of conditionsOf(object)) {
    if (status !== 'True') continue;
    if (type === 'Reconciling') return statusOf('InProgress', reason, message);
    if (type === 'Stalled') return statusOf('Failed', reason, message);
  }
  return undefined;
}

function readiness(object: KubeObject): ObjectStatus | undefined {
  const ready = conditionsOf(object).find(condition => condition.type === 'Ready');
  if (ready === undefined) return undefined;
  if (ready.status === 'True') return statusOf('Current', ready.reason ?? 'Ready', 'is ready');
  return statusOf('InProgress', ready.reason ?? 'NotReady', ready.message ?? '');
}
