/** Pods whose Job is gone, or has ended without them: nobody will count them, so their finalizer comes off. */
import { type Cache, controllerOf, done, type Reconcile } from '@capstan/controller';
import { isNotFound, type Job, jobs, type ObjectReference, type Pod, pods } from '@capstan/kube';
import { isFinished } from './conditions.ts';
import { isTracked, TRACKING_FINALIZER } from './pods.ts';

export const reconcileOrphan: Reconcile = async ({ namespace, name }, { client, cache }) => {
  const pod = await cache.get(pods, { namespace, name });
  if (pod === undefined || !isTracked(pod)) return done();
  const owner = controllerOf(pod);
  // A Pod without a controller may be adopted by a Job; until then it is whoever made it who answers for the finalizer.
  if (owner?.kind !== 'Job' && pod.metadata.deletionTimestamp === undefined) return done();
  const job = owner && (await cache.get(jobs, { namespace, name: owner.name }));
  const counted = job !== undefined && job.metadata.uid === owner?.uid && !isFinished(job.status?.conditions);
  if (counted) return done();
  const metadata = { uid: pod.metadata.uid, '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] };
  await client.patch(pods, { namespace, name }, { strategic: { metadata } }).catch(error => {
    if (!isNotFound(error)) throw error;
  });
  return done();
};

/** The Pods of a Job that carry the finalizer. */
export function trackedPodsOf(job: Job, cache: Cache): readonly ObjectReference[] {
  const { namespace, uid } = job.metadata;
  return cache
    .of(pods)
    .now.list({ namespace, owner: uid })
    .filter((pod: Pod) => isTracked(pod))
    .map(({ metadata }) => metadata);
}
