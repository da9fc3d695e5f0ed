import { done, type Reconcile, requeueAfter } from '@capstan/controller';
import { isConflict, isNotFound, type Job, jobs } from '@capstan/kube';

/** Deletes the Job, and with it its Pods, as soon as it has been over for long enough. */
export const reconcileFinishedJob: Reconcile = async ({ namespace, name }, { client, cache, now }) => {
  const job = await cache.get(jobs, { namespace, name });
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return done();
  const expiry = expiryOf(job);
  if (expiry === undefined) return done();
  if (expiry > now) return requeueAfter(expiry - now);
  // Guarded by the version that the decision was made on: the time to live may just have been made longer.
  const { uid, resourceVersion } = job.metadata;
  const preconditions = { uid, resourceVersion };
  await client.delete(jobs, { namespace, name }, { propagation: 'Foreground', preconditions }).catch(error => {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  });
  return done();
};

/** When the Job is to be deleted, in milliseconds; `undefined` while it runs, or when it is to stay. */
export function expiryOf({ spec, status }: Job): number | undefined {
  if (spec.ttlSecondsAfterFinished === undefined) return undefined;
  const end = status?.conditions?.find(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  );
  if (!end?.lastTransitionTime) return undefined;
  return Date.parse(end.lastTransitionTime) + spec.ttlSecondsAfterFinished * 1000;
}
