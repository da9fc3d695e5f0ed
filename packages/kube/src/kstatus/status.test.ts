import { describe, expect, it } from 'vitest';
import { computeStatus } from './status.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 1);
const object = (apiVersion: string, kind: string, spec: object, status?: object, metadata: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name: 'a', ...metadata },
  spec,
  ...(status === undefined ? {} : { status }),
});
const yes = (type: string, reason = '') => ({ type, status: 'True', reason, message: `${type} it is` });
const no = (type: string, reason = '') => ({ type, status: 'False', reason, message: `${type} it is not` });
const thing = (status?: object, metadata?: object) => object('example.com/v1', 'Thing', {}, status, metadata);
const deployment = (spec: object, status?: object) => object('apps/v1', 'Deployment', spec, status);
const full = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
const stateful = (spec: object, status?: object) => object('apps/v1', 'StatefulSet', spec, status);
const fullStateful = { replicas: 2, readyReplicas: 2, currentReplicas: 2, currentRevision: 'r', updateRevision: 'r' };
const daemon = (status?: object) => object('apps/v1', 'DaemonSet', {}, status, { generation: 1 });
const fullDaemon = {
  observedGeneration: 1,
  desiredNumberScheduled: 2,
  currentNumberScheduled: 2,
  updatedNumberScheduled: 2,
  numberAvailable: 2,
  numberReady: 2,
};
const replicaSet = (status?: object) => object('apps/v1', 'ReplicaSet', { replicas: 2 }, status);
const fullReplicas = { replicas: 2, fullyLabeledReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
const pod = (status?: object, created = '2026-01-01T00:00:00Z') =>
  object('v1', 'Pod', {}, status, { creationTimestamp: created });
const unschedulable = { phase: 'Pending', conditions: [no('PodScheduled', 'Unschedulable')] };
const crd = (...conditions: object[]) =>
  object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {}, { conditions });
const job = (status?: object) => object('batch/v1', 'Job', { completions: 3 }, status);

describe('the status of an object', () => {
  it.each([
    ['anything without a status', thing(), 'Current', ''],
    ['anything that is deleted', thing({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 'Terminating', 'Deleted'],
    [
      'a change nobody has seen',
      thing({ observedGeneration: 1 }, { generation: 2 }),
      'InProgress',
      'LatestGenerationNotObserved',
    ],
    ['Reconciling', thing({ conditions: [yes('Reconciling', 'Busy')] }), 'InProgress', 'Busy'],
    ['Stalled', thing({ conditions: [no('Reconciling'), yes('Stalled', 'Stuck')] }), 'Failed', 'Stuck'],
    ['Ready', thing({ conditions: [yes('Ready', 'Fine')] }), 'Current', 'Fine'],
    ['not Ready', thing({ conditions: [no('Ready', 'Wait')] }), 'InProgress', 'Wait'],
    ['conditions that are none', thing({ conditions: 'odd' }), 'Current', ''],
    ['a ConfigMap', object('v1', 'ConfigMap', {}), 'Current', 'Current'],

    ['a Deployment without replicas', deployment({ replicas: 2 }), 'InProgress', 'LessReplicas'],
    [
      'a Deployment half updated',
      deployment({ replicas: 2 }, { ...full, updatedReplicas: 1 }),
      'InProgress',
      'LessUpdated',
    ],
    ['a Deployment with old Pods', deployment({ replicas: 2 }, { ...full, replicas: 3 }), 'InProgress', 'ExtraPods'],
    [
      'a Deployment half available',
      deployment({ replicas: 2 }, { ...full, availableReplicas: 1 }),
      'InProgress',
      'LessAvailable',
    ],
    ['a Deployment half ready', deployment({ replicas: 2 }, { ...full, readyReplicas: 1 }), 'InProgress', 'LessReady'],
    [
      'a Deployment before its report',
      deployment({ replicas: 2, progressDeadlineSeconds: 600 }, full),
      'InProgress',
      'ReplicaSetNotAvailable',
    ],
    ['a Deployment not available', deployment({ replicas: 2 }, full), 'InProgress', 'DeploymentNotAvailable'],
    [
      'a Deployment that is done',
      deployment(
        { replicas: 2, progressDeadlineSeconds: 600 },
        { ...full, conditions: [yes('Progressing', 'NewReplicaSetAvailable'), yes('Available')] },
      ),
      'Current',
      'Current',
    ],
    [
      'a Deployment out of time',
      deployment({ replicas: 2 }, { conditions: [no('Progressing', 'ProgressDeadlineExceeded')] }),
      'Failed',
      'ProgressDeadlineExceeded',
    ],

    ['a ReplicaSet that is done', replicaSet(fullReplicas), 'Current', 'Current'],
    ['a ReplicaSet that is not', replicaSet({ ...fullReplicas, availableReplicas: 1 }), 'InProgress', 'LessAvailable'],
    ['a ReplicaSet new', replicaSet(), 'InProgress', 'LessLabelled'],
    [
      'a ReplicaSet that fails',
      replicaSet({ ...fullReplicas, conditions: [yes('ReplicaFailure')] }),
      'InProgress',
      'ReplicaFailure',
    ],

    ['a StatefulSet that is done', stateful({ replicas: 2 }, fullStateful), 'Current', 'Current'],
    ['a StatefulSet new', stateful({ replicas: 2 }), 'InProgress', 'LessReplicas'],
    [
      'a StatefulSet half ready',
      stateful({ replicas: 2 }, { ...fullStateful, readyReplicas: 1 }),
      'InProgress',
      'LessReady',
    ],
    ['a StatefulSet too large', stateful({ replicas: 1 }, fullStateful), 'InProgress', 'ExtraPods'],
    [
      'a StatefulSet rolling',
      stateful({ replicas: 2 }, { ...fullStateful, currentReplicas: 1 }),
      'InProgress',
      'LessCurrent',
    ],
    [
      'a StatefulSet of two revisions',
      stateful({ replicas: 2 }, { ...fullStateful, updateRevision: 's' }),
      'InProgress',
      'RevisionMismatch',
    ],
    ['a StatefulSet by hand', stateful({ replicas: 2, updateStrategy: { type: 'OnDelete' } }), 'Current', 'Current'],
    [
      'a StatefulSet partitioned',
      stateful({ replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } }, fullStateful),
      'InProgress',
      'PartitionRollout',
    ],
    [
      'a StatefulSet partitioned and done',
      stateful(
        { replicas: 2, updateStrategy: { rollingUpdate: { partition: 1 } } },
        { ...fullStateful, updatedReplicas: 1 },
      ),
      'Current',
      'Current',
    ],

    ['a DaemonSet that is done', daemon(fullDaemon), 'Current', 'Current'],
    ['a DaemonSet new', daemon(), 'InProgress', 'NoObservedGeneration'],
    ['a DaemonSet half available', daemon({ ...fullDaemon, numberAvailable: 1 }), 'InProgress', 'LessAvailable'],

    ['a Pod new', pod(), 'InProgress', 'PodNotObserved'],
    ['a Pod pending', pod({ phase: 'Pending' }), 'InProgress', 'PodPending'],
    ['a Pod waiting for a place', pod(unschedulable, '2026-01-01T00:00:50Z'), 'InProgress', 'PodNotScheduled'],
    ['a Pod without a place', pod(unschedulable), 'Failed', 'PodUnschedulable'],
    ['a Pod not ready', pod({ phase: 'Running' }), 'InProgress', 'PodRunningNotReady'],
    ['a Pod ready', pod({ phase: 'Running', conditions: [yes('Ready')] }), 'Current', 'Current'],
    [
      'a Pod that crashes',
      pod({ phase: 'Running', containerStatuses: [{ name: 'x', state: { waiting: { reason: 'CrashLoopBackOff' } } }] }),
      'Failed',
      'ContainerCrashLooping',
    ],
    ['a Pod at its end', pod({ phase: 'Failed' }), 'Current', 'Current'],

    ['a Job new', job(), 'InProgress', 'JobNotStarted'],
    ['a Job running', job({ startTime: 'x', active: 1 }), 'Current', 'Current'],
    ['a Job done', job({ startTime: 'x', conditions: [yes('Complete')] }), 'Current', 'Current'],
    ['a Job failed', job({ startTime: 'x', conditions: [yes('Failed')] }), 'Failed', 'JobFailed'],

    ['a Service', object('v1', 'Service', {}), 'Current', 'Current'],
    ['a Service without an address', object('v1', 'Service', { type: 'LoadBalancer' }), 'InProgress', 'NoIPAssigned'],
    ['a claim', object('v1', 'PersistentVolumeClaim', {}, { phase: 'Bound' }), 'Current', 'Current'],
    ['a claim not bound', object('v1', 'PersistentVolumeClaim', {}, { phase: 'Pending' }), 'InProgress', 'NotBound'],
    ['a definition', crd(yes('NamesAccepted'), yes('Established')), 'Current', 'Current'],
    ['a definition new', crd(), 'InProgress', 'Installing'],
    ['a definition in conflict', crd(no('NamesAccepted', 'PluralConflict')), 'Failed', 'PluralConflict'],
  ])('%s', (_, given, status, reason) => {
    expect(computeStatus(given, NOW)).toMatchObject({ status, reason });
  });
});
