/** When an object counts as ready: three answers for three questions. */
import { computeStatus, type DynamicObject, type Job, type ObjectStatus, type Pod } from '@capstan/kube';

export type Readiness = (object: DynamicObject, now: number) => ObjectStatus;

/** `--wait`: by the rules of kstatus. A Deployment that someone has paused will not move: it is taken as it is. */
export const isCurrent: Readiness = (object, now) =>
  isPaused(object) ? status('Current', 'Paused', 'is paused') : computeStatus(object, now);

/** `--wait-for-jobs`: as `--wait`, and Jobs have to have ended well. */
export const isCurrentWithJobs: Readiness = (object, now) =>
  isKind(object, 'batch', 'Job') ? jobEnd(object as unknown as Job) : isCurrent(object, now);

/** A hook: Jobs and Pods have to have ended well; everything else is done when it is made. */
export const isFinished: Readiness = object => {
  if (isKind(object, 'batch', 'Job')) return jobEnd(object as unknown as Job);
  if (isKind(object, '', 'Pod')) return podEnd(object as unknown as Pod);
  return status('Current', 'Made', 'is there');
};

function jobEnd({ status: job = {} }: Job): ObjectStatus {
  for (const { type, status: truth, message, reason } of job.conditions ?? []) {
    if (truth !== 'True') continue;
    if (type === 'Complete') return status('Current', 'JobComplete', 'has completed');
    if (type === 'Failed') return status('Failed', 'JobFailed', message || reason || 'has failed');
  }
  const { active = 0, failed = 0 } = job;
  return status('InProgress', 'JobRunning', `has not completed: ${active} active, ${failed} failed`);
}

function podEnd({ status: pod }: Pod): ObjectStatus {
  const phase = pod?.phase ?? 'Pending';
  if (phase === 'Succeeded') return status('Current', 'PodSucceeded', 'has succeeded');
  if (phase === 'Failed') return status('Failed', 'PodFailed', pod?.message ?? 'has failed');
  return status('InProgress', `Pod${phase}`, `is ${phase.toLowerCase()}`);
}

function isPaused(object: DynamicObject): boolean {
  const { paused } = (object['spec'] ?? {}) as { paused?: unknown };
  return isKind(object, 'apps', 'Deployment') && paused === true;
}

function isKind({ apiVersion, kind }: DynamicObject, group: string, wanted: string): boolean {
  const of = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return kind === wanted && of === group;
}

function status(word: ObjectStatus['status'], reason: string, message: string): ObjectStatus {
  return { status: word, reason, message };
}
