import type { Deployment, Pod, PodCondition, PodStatus } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import type { ObservedObjects } from './observation.ts';
import { type Report, reportOf } from './report.ts';
import { screen } from './screen.ts';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();
const nothing: ObservedObjects = {
  nodes: [],
  namespaces: [],
  deployments: [],
  statefulSets: [],
  daemonSets: [],
  pods: [],
  jobs: [],
  claims: [],
  storageClasses: [],
  events: [],
};
const server = { description: 'context "dev" (https://127.0.0.1:6443)', version: 'v1.37.0', latency: 2 };
const report = (objects: Partial<ObservedObjects>): Report =>
  reportOf({ server, objects: { ...nothing, ...objects }, unreadable: [] }, NOW);

/** Reasons and messages of what was found. */
const found = (objects: Partial<ObservedObjects>): string[] =>
  report(objects).sections.flatMap(({ findings }) => findings.map(({ reason, message }) => `${reason}: ${message}`));

const metadata = { namespace: 'default', name: 'it', generation: 1 };
const condition = (type: string, status: PodCondition['status'], reason = '', message = ''): PodCondition => ({
  type,
  status,
  reason,
  message,
});

function pod(status: PodStatus, more: Partial<Pod['metadata']> = {}): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, ...more }, spec: { containers: [] }, status };
}

const container = { name: 'c', image: 'i', imageID: '', ready: true, restartCount: 0 };
const READY = [condition('Ready', 'True')];

describe('a Pod', () => {
  it.each<[string, Pod, string[]]>([
    ['that is ready is well', pod({ phase: 'Running', conditions: READY }), []],
    ['that has done its work is well', pod({ phase: 'Succeeded' }), []],
    [
      'that no node takes',
      pod({ phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'Unschedulable', 'no node is free')] }),
      ['Unschedulable: no node is free'],
    ],
    [
      'whose image is not there',
      pod({
        phase: 'Pending',
        containerStatuses: [
          { ...container, ready: false, state: { waiting: { reason: 'ErrImagePull', message: 'who?' } } },
        ],
      }),
      ['ErrImagePull: who?'],
    ],
    [
      'that crashes again and again says how often and with what',
      pod({
        phase: 'Running',
        containerStatuses: [
          {
            ...container,
            restartCount: 4,
            state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s' } },
            lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: ago(120) } },
          },
        ],
      }),
      ['CrashLoopBackOff: c restarted 4 times, last after exit code 1 (Error), 2m ago; back-off 40s'],
    ],
    [
      'that was restarted a moment ago is worth a look, ready or not',
      pod({
        phase: 'Running',
        conditions: READY,
        containerStatuses: [
          { ...container, restartCount: 1, lastState: { terminated: { exitCode: 137, finishedAt: ago(5) } } },
        ],
      }),
      ['Restarted: c restarted once, last after exit code 137, 5s ago'],
    ],
    [
      'that was restarted long ago is well',
      pod({
        phase: 'Running',
        conditions: READY,
        containerStatuses: [
          { ...container, restartCount: 1, lastState: { terminated: { exitCode: 1, finishedAt: ago(3600) } } },
        ],
      }),
      [],
    ],
    [
      'whose probe fails',
      pod({ phase: 'Running', conditions: [condition('Ready', 'False', 'ContainersNotReady', 'not ready: [c]')] }),
      ['ContainersNotReady: not ready: [c]'],
    ],
    ['that nobody has looked at', pod({ phase: 'Pending' }), ['Pending: nothing runs it yet']],
    [
      'that failed',
      pod({ phase: 'Failed', containerStatuses: [{ ...container, state: { terminated: { exitCode: 3 } } }] }),
      ['Failed: c ended with exit code 3'],
    ],
    [
      'of a Job that failed is for the Job to tell',
      pod(
        { phase: 'Failed' },
        { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'u', controller: true }] },
      ),
      [],
    ],
    ['that is ending has its time', pod({ phase: 'Running' }, { deletionTimestamp: ago(5) }), []],
    [
      'that does not end',
      pod({ phase: 'Running' }, { deletionTimestamp: ago(300), finalizers: ['example.com/hold'] }),
      ['Terminating: should have been gone 5m ago; finalizers: example.com/hold'],
    ],
  ])('%s', (_, object, expected) => expect(found({ pods: [object] })).toEqual(expected));
});

function deployment(status: Deployment['status'], spec: Partial<Deployment['spec']> = {}): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 3, selector: {}, template: { spec: { containers: [] } }, ...spec },
    status: { observedGeneration: 1, ...status },
  };
}

describe('a Deployment', () => {
  const stuck = condition('Progressing', 'False', 'ProgressDeadlineExceeded', 'has timed out progressing.');
  it.each<[string, Deployment, string[]]>([
    ['with all its Pods is well', deployment({ updatedReplicas: 3, availableReplicas: 3 }), []],
    ['that is to have none is well', deployment({}, { replicas: 0 }), []],
    ['that lacks some', deployment({ updatedReplicas: 3, availableReplicas: 1 }), ['Unavailable: 1 of 3 available']],
    [
      'that is stuck says why',
      deployment({ updatedReplicas: 1, availableReplicas: 2, conditions: [stuck] }),
      ['ProgressDeadlineExceeded: 2 of 3 available: has timed out progressing.'],
    ],
    [
      'on its way to another version',
      deployment({ updatedReplicas: 1, availableReplicas: 3 }),
      ['RollingOut: 1 of 3 updated'],
    ],
    ['that is paused waits on purpose', deployment({ updatedReplicas: 1, availableReplicas: 3 }, { paused: true }), []],
    [
      'that nobody acts on',
      deployment({ observedGeneration: 0, updatedReplicas: 3, availableReplicas: 3 }),
      ['NotObserved: no controller has acted on its last change yet'],
    ],
  ])('%s', (_, object, expected) => expect(found({ deployments: [object] })).toEqual(expected));
});

describe('other things', () => {
  const named = (kind: string, more: object = {}) => ({ apiVersion: 'v1', kind, metadata: { ...metadata, ...more } });
  const claim = {
    ...named('PersistentVolumeClaim'),
    spec: { storageClassName: 'slow' },
    status: { phase: 'Pending' as const },
  };
  const lazy = {
    ...named('StorageClass', { name: 'slow' }),
    provisioner: 'p',
    volumeBindingMode: 'WaitForFirstConsumer' as const,
  };
  const user: Pod = {
    ...pod({ phase: 'Succeeded' }),
    spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'it' } }] },
  };
  it.each<[string, Partial<ObservedObjects>, string[]]>([
    [
      'a node that is not ready',
      {
        nodes: [
          { ...named('Node'), status: { conditions: [condition('Ready', 'Unknown', 'NodeStatusUnknown', 'silent')] } },
        ],
      },
      ['NodeStatusUnknown: silent'],
    ],
    [
      'a node short of disk',
      {
        nodes: [
          {
            ...named('Node'),
            status: { conditions: [...READY, condition('DiskPressure', 'True', 'x', 'disk is full')] },
          },
        ],
      },
      ['DiskPressure: disk is full'],
    ],
    ['a node in good order', { nodes: [{ ...named('Node'), status: { conditions: READY } }] }, []],
    [
      'a StatefulSet on its way',
      {
        statefulSets: [
          {
            ...named('StatefulSet'),
            spec: { replicas: 3, selector: {}, template: { spec: { containers: [] } } },
            status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 1 },
          },
        ],
      },
      ['Unavailable: 1 of 3 available'],
    ],
    [
      'a DaemonSet that misses a node',
      {
        daemonSets: [
          {
            ...named('DaemonSet'),
            spec: { selector: {}, template: { spec: { containers: [] } } },
            status: {
              observedGeneration: 1,
              currentNumberScheduled: 2,
              numberMisscheduled: 0,
              desiredNumberScheduled: 2,
              numberReady: 1,
              numberAvailable: 1,
              updatedNumberScheduled: 2,
            },
          },
        ],
      },
      ['Unavailable: 1 of 2 available'],
    ],
    [
      'a Job that failed',
      {
        jobs: [
          {
            ...named('Job'),
            spec: { template: { spec: { containers: [] } } },
            status: { conditions: [condition('Failed', 'True', 'BackoffLimitExceeded', 'too often')] },
          },
        ],
      },
      ['BackoffLimitExceeded: too often'],
    ],
    ['a claim without a volume', { claims: [claim] }, ['Pending: not bound to a volume; of storage class slow']],
    ['a claim that waits for its first Pod', { claims: [claim], storageClasses: [lazy] }, []],
    [
      'a claim whose Pod is there',
      { claims: [claim], storageClasses: [lazy], pods: [user] },
      ['Pending: not bound to a volume; of storage class slow'],
    ],
    [
      'a namespace that does not go',
      {
        namespaces: [
          {
            ...named('Namespace', { deletionTimestamp: ago(600) }),
            status: {
              phase: 'Terminating',
              conditions: [condition('NamespaceContentRemaining', 'True', '', 'pods. has 2')],
            },
          },
        ],
      },
      ['Terminating: pods. has 2'],
    ],
    ['a namespace that is just going', { namespaces: [named('Namespace', { deletionTimestamp: ago(5) })] }, []],
  ])('%s', (_, objects, expected) => expect(found(objects)).toEqual(expected));
});

describe('the screen', () => {
  const event = (message: string, lastTimestamp: string, type: 'Warning' | 'Normal' = 'Warning') => ({
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    involvedObject: { namespace: 'default', kind: 'Pod', name: 'it' },
    type,
    reason: 'BackOff',
    message,
    count: 2,
    lastTimestamp,
  });

  it('of a cluster in good order is short', () => {
    expect(screen(report({ pods: [pod({ phase: 'Running', conditions: READY })] }), NOW)).toBe(
      `API server    context "dev" (https://127.0.0.1:6443), v1.37.0, ready, answers in 2.0 ms

Pods          1, well

Everything is as it should be.`,
    );
  });

  it('tells what is wrong, newest warnings first, the same one once, old and normal ones not at all', () => {
    const events = [
      event('again', ago(60)),
      event('again', ago(10)),
      event('older', ago(300)),
      event('too old', ago(7200)),
      event('fine', ago(1), 'Normal'),
    ];
    expect(screen(report({ deployments: [deployment({ updatedReplicas: 3 })], events }), NOW)).toBe(
      `API server    context "dev" (https://127.0.0.1:6443), v1.37.0, ready, answers in 2.0 ms

Deployments   1, 1 not well
  ✗ default/it  Unavailable: 0 of 3 available

Warnings of the last hour
  10s ago  default/Pod/it  BackOff: again (4 times)
   5m ago  default/Pod/it  BackOff: older (2 times)

One thing is not as it should be.`,
    );
  });

  it('stays one screen, however much is wrong', () => {
    const many = Array.from({ length: 100 }, (_, n) => pod({ phase: 'Pending' }, { name: `p${n}` }));
    const text = screen(report({ pods: many }), NOW);
    expect(text.split('\n').length).toBeLessThan(20);
    expect(text).toContain('… and 92 more; --json has all of them');
    expect(text).toContain('100 things are not as they should be.');
  });

  it('says that the server is not ready, and what could not be read', () => {
    const observation = {
      server: { ...server, notReady: '[-]etcd failed' },
      objects: nothing,
      unreadable: [{ kind: 'Node', why: 'nodes is forbidden' }],
    };
    const seen = reportOf(observation, NOW);
    expect(seen.healthy).toBe(false);
    expect(screen(seen, NOW)).toContain('NOT READY ([-]etcd failed)');
    expect(screen(seen, NOW)).toContain('Node          not known: nodes is forbidden');
  });
});
