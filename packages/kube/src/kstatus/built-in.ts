/** What "done" means for the built-in kinds: most of them say it in numbers, before or without conditions. */
import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from '../kinds/apps.ts';
import type { Job } from '../kinds/batch.ts';
import type { PersistentVolumeClaim, Pod, Service } from '../kinds/core.ts';
import type { KubeObject } from '../object.ts';
import { conditionsOf, current, failed, inProgress, type ObjectStatus } from './result.ts';

type Rule = (object: never, now: number) => ObjectStatus;

const RULES: Readonly<Record<string, Rule>> = {
  Pod: podStatus,
  Service: serviceStatus,
  Secret: alwaysCurrent,
  ConfigMap: alwaysCurrent,
  PersistentVolumeClaim: claimStatus,
  'apps/Deployment': deploymentStatus,
  'apps/ReplicaSet': replicaSetStatus,
  'apps/StatefulSet': statefulSetStatus,
  'apps/DaemonSet': daemonSetStatus,
  'batch/Job': jobStatus,
  'batch/CronJob': alwaysCurrent,
  'policy/PodDisruptionBudget': alwaysCurrent,
  'apiextensions.k8s.io/CustomResourceDefinition': definitionStatus,
};

export function builtInStatus(object: KubeObject, now: number): ObjectStatus | undefined {
  const [group] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : [''];
  const key = group === '' ? object.kind : `${group}/${object.kind}`;
  if (!Object.hasOwn(RULES, key)) return undefined;
  return (RULES[key] as (object: KubeObject, now: number) => ObjectStatus)(object, now);
}

function alwaysCurrent(): ObjectStatus {
  return current('is there, which is all it has to be');
}

/** The first of these that is short of what is wanted. */
function shortfall(...counts: readonly (readonly [reason: string, what: string, have: number, want: number])[]) {
  const short = counts.find(([, , have, want]) => have < want);
  return short === undefined ? undefined : inProgress(short[0], `${short[1]}: ${short[2]}/${short[3]}`);
}

function surplus(have: number, want: number): ObjectStatus | undefined {
  return have > want ? inProgress('ExtraPods', `pending termination: ${have - want}`) : undefined;
}

function deploymentStatus(deployment: Deployment): ObjectStatus {
  const { replicas: wanted = 1, progressDeadlineSeconds } = deployment.spec;
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = deployment.status ?? {};
  const conditions = conditionsOf(deployment);
  const progressing = conditions.find(condition => condition.type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') {
    return failed('ProgressDeadlineExceeded', progressing.message ?? 'progress deadline exceeded');
  }
  const counted =
    shortfall(['LessReplicas', 'replicas', replicas, wanted], ['LessUpdated', 'updated', updatedReplicas, wanted]) ??
    surplus(replicas, wanted) ??
    shortfall(
      ['LessAvailable', 'available', availableReplicas, updatedReplicas],
      ['LessReady', 'ready', readyReplicas, wanted],
    );
  if (counted !== undefined) return counted;
  // Without a deadline the controller never reports progress.
  const rolledOut = progressing?.status === 'True' && progressing.reason === 'NewReplicaSetAvailable';
  if (progressDeadlineSeconds !== undefined && !rolledOut) {
    return inProgress('ReplicaSetNotAvailable', 'the new ReplicaSet is not available');
  }
  const available = conditions.some(({ type, status }) => type === 'Available' && status === 'True');
  return available
    ? current(`is available with ${replicas} replicas`)
    : inProgress('DeploymentNotAvailable', 'is not available');
}

function replicaSetStatus(set: ReplicaSet): ObjectStatus {
  const { replicas: wanted = 1 } = set.spec;
  const status = set.status ?? { replicas: 0 };
  const { replicas, fullyLabeledReplicas = 0, availableReplicas = 0, readyReplicas = 0 } = status;
  if (conditionsOf(set).some(({ type, status: truth }) => type === 'ReplicaFailure' && truth === 'True')) {
    return inProgress('ReplicaFailure', 'Pods cannot be made; see the condition ReplicaFailure');
  }
  return (
    shortfall(
      ['LessLabelled', 'labelled', fullyLabeledReplicas, wanted],
      ['LessAvailable', 'available', availableReplicas, wanted],
      ['LessReady', 'ready', readyReplicas, wanted],
    ) ??
    surplus(replicas, wanted) ??
    current(`is available with ${replicas} replicas`)
  );
}

function statefulSetStatus(set: StatefulSet): ObjectStatus {
  const { replicas: wanted = 1, updateStrategy } = set.spec;
  if (updateStrategy?.type === 'OnDelete') return current('is updated by whoever deletes its Pods');
  const status = set.status ?? { replicas: 0 };
  const { replicas, readyReplicas = 0, currentReplicas = 0, updatedReplicas = 0 } = status;
  const counted =
    shortfall(['LessReplicas', 'replicas', replicas, wanted], ['LessReady', 'ready', readyReplicas, wanted]) ??
    surplus(replicas, wanted);
  if (counted !== undefined) return counted;
  const partition = updateStrategy?.rollingUpdate?.partition;
  if (partition !== undefined) {
    return (
      shortfall(['PartitionRollout', 'updated', updatedReplicas, wanted - partition]) ??
      current(`the partition is rolled out, ${updatedReplicas} updated`)
    );
  }
  const rolling = shortfall(['LessCurrent', 'current', currentReplicas, wanted]);
  if (rolling !== undefined) return rolling;
  return status.currentRevision === status.updateRevision
    ? current(`all ${replicas} replicas are as wanted`)
    : inProgress('RevisionMismatch', 'the updated revision is not the current one yet');
}

function daemonSetStatus(set: DaemonSet): ObjectStatus {
  const { status } = set;
  if (set.metadata.generation === undefined) return inProgress('NoGeneration', 'has no generation');
  if (status?.observedGeneration === undefined) {
    return inProgress('NoObservedGeneration', 'has not been observed by its controller');
  }
  const wanted = status.desiredNumberScheduled;
  if (wanted === undefined) return inProgress('NoDesiredNumber', 'the number of nodes is not known yet');
  return (
    shortfall(
      ['LessCurrent', 'current', status.currentNumberScheduled ?? 0, wanted],
      ['LessUpdated', 'updated', status.updatedNumberScheduled ?? 0, wanted],
      ['LessAvailable', 'available', status.numberAvailable ?? 0, wanted],
      ['LessReady', 'ready', status.numberReady ?? 0, wanted],
    ) ?? current(`runs on all ${wanted} nodes`)
  );
}

/** Nodes come and go: only who finds no place for so long is stuck. */
const SCHEDULING_TIME = 15_000;

function podStatus(pod: Pod, now: number): ObjectStatus {
  const { phase, containerStatuses = [] } = pod.status ?? {};
  const conditions = conditionsOf(pod);
  switch (phase) {
    case 'Succeeded':
      return current('has completed');
    case 'Failed':
      // It will never be anything else, which is what "current" asks.
      return current('has completed, but not successfully');
    case 'Running': {
      if (conditions.some(({ type, status }) => type === 'Ready' && status === 'True')) return current('is ready');
      const looping = containerStatuses.filter(({ state }) => state?.waiting?.reason === 'CrashLoopBackOff');
      if (looping.length > 0) {
        return failed('ContainerCrashLooping', `keeps crashing: ${looping.map(({ name }) => name).join(', ')}`);
      }
      return inProgress('PodRunningNotReady', 'is running but not ready');
    }
    case 'Pending': {
      const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
      if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable')
        return inProgress('PodPending', 'is pending');
      const age = now - Date.parse(pod.metadata.creationTimestamp ?? '');
      if (age < SCHEDULING_TIME) return inProgress('PodNotScheduled', 'has not been scheduled yet');
      return failed('PodUnschedulable', scheduled.message ?? 'cannot be scheduled');
    }
    default:
      return inProgress('PodNotObserved', 'has no phase yet');
  }
}

function serviceStatus({ spec }: Service): ObjectStatus {
  return spec?.type === 'LoadBalancer' && !spec.clusterIP
    ? inProgress('NoIPAssigned', 'has no address yet')
    : current('is ready');
}

function claimStatus({ status }: PersistentVolumeClaim): ObjectStatus {
  return status?.phase === 'Bound' ? current('is bound') : inProgress('NotBound', `is ${status?.phase ?? 'not bound'}`);
}

/** A Job that runs is what was asked for; only one that has not begun is in progress. */
function jobStatus(job: Job): ObjectStatus {
  const { parallelism = 1, completions = parallelism } = job.spec;
  const { succeeded = 0, active = 0, failed: failures = 0, startTime } = job.status ?? {};
  for (const { type, status, message } of conditionsOf(job)) {
    if (status !== 'True') continue;
    if (type === 'Complete') return current(`has completed, ${succeeded}/${completions} succeeded`);
    if (type === 'Failed') return failed('JobFailed', message ?? `${failures} failed`);
  }
  if (startTime === undefined) return inProgress('JobNotStarted', 'has not started');
  return current(`is running: ${succeeded} succeeded, ${active} active, ${failures} failed`);
}

function definitionStatus(definition: KubeObject): ObjectStatus {
  for (const { type, status, reason = '', message = '' } of conditionsOf(definition)) {
    if (type === 'NamesAccepted' && status === 'False') return failed(reason, message);
    if (type !== 'Established') continue;
    if (status === 'True') return current('is established');
    if (status === 'False' && reason !== 'Installing') return failed(reason, message);
  }
  return inProgress('Installing', 'is being installed');
}
