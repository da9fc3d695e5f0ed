/** Brings a Job one step further: observe → decide → create or delete Pods → count those that ended → finish. */
import { done, type Reconcile, type Recorder, requeueAfter } from '@capstan/controller';
import { type Client, deepEqual, isNotFound, type Job, jobs, type Pod, pods, timestamp } from '@capstan/kube';
import { claimPods, ownedPods } from '../workload/owned-pods.ts';
import type { PodControl } from '../workload/pod-control.ts';
import { isActive, isReady, isTerminating } from '../workload/pod-state.ts';
import { slowStart } from '../workload/slow-start.ts';
import { type Assessment, activeDeadline, assess, completion, type Verdict } from './assessment.ts';
import { isFinished, withJobCondition } from './conditions.ts';
import { newPod } from './new-pod.ts';
import { type Plan, planFor } from './plan.ts';
import { TRACKING_FINALIZER } from './pods.ts';
import { type JobStatus, nothingUncounted, track, withoutUntracked } from './tracking.ts';

export function reconcileJob(control: (client: Client) => PodControl, recorder: Recorder): Reconcile {
  return async ({ namespace, name }, { client, cache, now }) => {
    const found = await cache.get(jobs, { namespace, name });
    if (found === undefined || isFinished(found.status?.conditions) || isManagedElsewhere(found)) return done();
    const observed = await claimPods(found, { client, cache, ownerKind: jobs, finalizer: TRACKING_FINALIZER });
    const job = started(found, now);
    const assessment = assess(job, observed, now);

    const acted = await act(job, observed, assessment, control(client), now);
    const current = acted.changed ? await ownedPods(job, cache) : observed;
    const active = current.filter(isActive);
    const verdict = decided(job, assessment, active, acted.error);

    const counts = { active, terminating: current.filter(isTerminating).length };
    const suspension = verdict === undefined ? suspended(job, now) : job.status!;
    if (suspension !== job.status) tellSuspension(job, recorder);
    const draft = withCounts(suspension, counts);
    const tracking = track({ ...job, status: draft }, observed, assessment, verdict);
    const announced = withVerdict(tracking.status, verdict, now);

    const stored = await store(found, announced, client);
    for (const pod of tracking.release) await release(pod, client);
    const tracked = tracking.release.length > 0 ? await ownedPods(job, cache) : current;
    const final = finish(withoutUntracked(announced, tracked), verdict, tracking.more, now);
    await store(stored, final, client);
    if (isFinished(final.conditions)) tellEnd(stored, verdict!, recorder);

    if (acted.error !== undefined) throw acted.error;
    if (isFinished(final.conditions)) return done();
    if (tracking.more) return requeueAfter(0);
    return nextLook(acted.wait, activeDeadline({ ...job, status: final }, now));
  };
}

function nextLook(...waits: readonly (number | undefined)[]) {
  const known = waits.filter(wait => wait !== undefined && wait > 0);
  return known.length === 0 ? done() : requeueAfter(Math.min(...(known as number[])));
}

interface Acted {
  readonly changed: boolean;
  readonly wait?: number;
  readonly error: unknown;
}

async function act(
  job: Job,
  observed: readonly Pod[],
  assessment: Assessment,
  control: PodControl,
  now: number,
): Promise<Acted> {
  if (assessment.verdict !== undefined) return deleteAll(job, assessment.active, control);
  if (job.metadata.deletionTimestamp !== undefined) return { changed: false, error: undefined };
  const plan: Plan = planFor(job, observed, assessment, now);
  switch (plan.type) {
    case 'rest':
      return { changed: false, error: undefined };
    case 'wait':
      return { changed: false, wait: plan.milliseconds, error: undefined };
    case 'delete':
      return deleteAll(job, plan.pods, control, 'uncounted');
    case 'create': {
      const { creations } = plan;
      const { error } = await slowStart(creations.length, async at => {
        await control.create(job, newPod(job, creations[at]!));
      });
      return { changed: true, error };
    }
  }
}

/** Pods that the Job does not want any more (`uncounted`) lose their finalizer first: they have not failed. */
async function deleteAll(job: Job, unwanted: readonly Pod[], control: PodControl, mode?: 'uncounted'): Promise<Acted> {
  if (unwanted.length === 0) return { changed: false, error: undefined };
  const results = await Promise.allSettled(unwanted.map(pod => control.delete(job, pod, mode && TRACKING_FINALIZER)));
  const failure = results.find(result => result.status === 'rejected');
  return { changed: true, error: failure?.reason };
}

/** What could not be deleted may still run: until it is, nothing is decided. */
function decided(job: Job, { verdict, succeeded }: Assessment, active: readonly Pod[], error: unknown) {
  if (verdict !== undefined) return error === undefined ? verdict : undefined;
  return completion(job, succeeded, active.length);
}

function started(job: Job, now: number): Job & { readonly status: JobStatus } {
  const status = { ...job.status };
  if (status.startTime !== undefined || job.spec.suspend) return { ...job, status };
  return { ...job, status: { ...status, startTime: timestamp(now) } };
}

/** The clock of the active deadline starts anew when a Job is resumed. */
function suspended({ spec, status = {}, metadata }: Job, now: number): JobStatus {
  if (metadata.deletionTimestamp !== undefined) return status;
  const { conditions = [] } = status;
  const condition = spec.suspend
    ? ({ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' } as const)
    : ({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' } as const);
  const set = withJobCondition(conditions, condition, now);
  if (set === conditions) return status;
  const { startTime: _, ...rest } = status;
  return spec.suspend ? { ...rest, conditions: set } : { ...rest, conditions: set, startTime: timestamp(now) };
}

function withCounts(
  status: JobStatus,
  { active, terminating }: { readonly active: readonly Pod[]; readonly terminating: number },
): JobStatus {
  const { active: _, ...rest } = status;
  return {
    ...rest,
    ...(active.length > 0 && { active: active.length }),
    ready: active.filter(isReady).length,
    terminating,
  };
}

function withVerdict(status: JobStatus, verdict: Verdict | undefined, now: number): JobStatus {
  if (verdict === undefined) return status;
  return { ...status, conditions: withJobCondition(status.conditions ?? [], { ...verdict, status: 'True' }, now) };
}

/** A Job ends when every Pod is counted and none is left that might still do something. */
function finish(status: JobStatus, verdict: Verdict | undefined, more: boolean, now: number): JobStatus {
  if (verdict === undefined || more || !nothingUncounted(status) || (status.terminating ?? 0) > 0) return status;
  const { reason, message } = verdict;
  const type = verdict.type === 'FailureTarget' ? 'Failed' : 'Complete';
  const conditions = withJobCondition(status.conditions ?? [], { type, status: 'True', reason, message }, now);
  return { ...status, conditions, ...(type === 'Complete' && { completionTime: timestamp(now) }) };
}

async function store(job: Job, status: JobStatus, client: Client): Promise<Job> {
  if (deepEqual(job.status, status)) return job;
  return client.updateStatus(jobs, { ...job, status });
}

async function release({ metadata: { namespace, name, uid } }: Pod, client: Client): Promise<void> {
  const metadata = { uid, '$deleteFromPrimitiveList/finalizers': [TRACKING_FINALIZER] };
  await client.patch(pods, { namespace, name }, { strategic: { metadata } }).catch(error => {
    if (!isNotFound(error)) throw error;
  });
}

function tellSuspension(job: Job, recorder: Recorder): void {
  const [reason, message] = job.spec.suspend ? ['Suspended', 'Job suspended'] : ['Resumed', 'Job resumed'];
  recorder.record(job, { type: 'Normal', reason: reason!, message: message! });
}

function tellEnd(job: Job, { type, reason, message }: Verdict, recorder: Recorder): void {
  if (type === 'FailureTarget') recorder.record(job, { type: 'Warning', reason, message });
  else recorder.record(job, { type: 'Normal', reason: 'Completed', message: 'Job completed' });
}

function isManagedElsewhere({ spec }: Job): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== 'kubernetes.io/job-controller';
}
