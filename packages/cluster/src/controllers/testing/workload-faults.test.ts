/** The controllers killed at every one of their writes, and disturbed in every other way: the end is the same. */
import { createManager, silentLog } from '@capstan/controller';
import {
  type Client,
  controllerRevisions,
  cronJobs,
  daemonSets,
  deployments,
  type Json,
  jobs,
  type KubeObject,
  nodes,
  type Pod,
  persistentVolumeClaims,
  pods,
  type Resource,
  replicaSets,
  statefulSets,
} from '@capstan/kube';
import { explore, type Fault, report, type Scenario } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import type { BuiltinController } from '../builtin-controller.ts';
import { cronJobController } from '../cronjob/index.ts';
import { daemonSetController } from '../daemonset/index.ts';
import { nodeOf } from '../daemonset/placement.ts';
import { deploymentController } from '../deployment/index.ts';
import { jobController } from '../job/index.ts';
import { replicaSetController } from '../replicaset/index.ts';
import { statefulSetController } from '../statefulset/index.ts';
import { canonical } from '../workload/template-hash.ts';
import { type PodLife, simulatedPods } from './simulated-pods.fixture.ts';

const namespace = 'default';
const container = (image: string) => ({ name: 'c', image });
const template = (app: string, image = 'v1') => ({
  metadata: { labels: { app } },
  spec: { containers: [container(image)] },
});

function starting(controllers: readonly BuiltinController[], life: PodLife = {}): Scenario['start'] {
  return ({ transport, clock, random }) => {
    const manager = createManager({ transport, clock, random, log: silentLog });
    for (const controller of [...controllers, simulatedPods(() => life)]) controller.setup(manager);
    return manager.start();
  };
}

/** Everything about the objects of a kind that does not depend on when and how often. */
async function summary<T extends KubeObject>(client: Client, kind: Resource<T>, pick: (object: T) => unknown) {
  const { items } = await client.list(kind, { namespace });
  return items.map(item => canonical(pick(item) as Json)).sort();
}

const image = (pod: Pod) => pod.spec.containers[0]!.image;
const reasons = (conditions: readonly { type: string; status: string; reason?: string }[] | undefined) =>
  (conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`).sort();

const rollout: Scenario = {
  name: 'a Deployment is rolled out, and a new template after it',
  deadline: 120_000,
  async arrange(client) {
    const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('web') };
    await client.create(deployments, { metadata: { name: 'web', namespace }, spec });
  },
  start: starting([deploymentController, replicaSetController]),
  async act(client) {
    const spec = { template: { spec: { containers: [container('v2')] } } };
    await client.patch(deployments, { namespace, name: 'web' }, { strategic: { spec } });
  },
  async observe(client) {
    return {
      pods: await summary(client, pods, pod => [pod.metadata.labels, image(pod)]),
      replicaSets: await summary(client, replicaSets, ({ metadata, spec, status }) => {
        const { observedGeneration: _, ...counts } = status!;
        return [metadata.name, metadata.annotations, spec.replicas, counts];
      }),
      deployments: await summary(client, deployments, ({ metadata, status }) => {
        const { conditions, ...counts } = status!;
        return [metadata.annotations, counts, reasons(conditions)];
      }),
    };
  },
  always({ table, object }) {
    if (table !== 'apps/replicasets' || object.spec.replicas <= 3) return undefined;
    return `${object.metadata.name} asks for ${object.spec.replicas} Pods`;
  },
};

const stateful: Scenario = {
  name: 'a StatefulSet is rolled out with claims, updated and scaled down',
  deadline: 120_000,
  async arrange(client) {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await client.create(statefulSets, {
      metadata: { name: 'db', namespace },
      spec: {
        replicas: 2,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: template('db'),
        volumeClaimTemplates: [claim as never],
      },
    });
  },
  start: starting([statefulSetController]),
  async act(client) {
    const spec = { replicas: 1, template: { spec: { containers: [container('v2')] } } };
    await client.patch(statefulSets, { namespace, name: 'db' }, { strategic: { spec } });
  },
  async observe(client) {
    return {
      pods: await summary(client, pods, pod => [pod.metadata.name, pod.metadata.labels, image(pod)]),
      claims: await summary(client, persistentVolumeClaims, ({ metadata }) => [metadata.name, metadata.labels]),
      revisions: await summary(client, controllerRevisions, ({ metadata, revision }) => [metadata.name, revision]),
      sets: await summary(client, statefulSets, ({ status }) => status),
    };
  },
};

/** The first Pod of the Job fails, all others succeed. */
const oneFails = (pod: Pod, now: number) => {
  const index = pod.metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
  const attempt = pod.metadata.annotations?.['batch.kubernetes.io/job-index-failure-count'];
  const exitCode = index === '1' && attempt === '0' ? 1 : 0;
  const finishedAt = new Date(now).toISOString();
  const terminated = { exitCode, finishedAt, startedAt: finishedAt };
  const state = { name: 'c', image: 'v1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
  return { phase: exitCode === 0 ? ('Succeeded' as const) : ('Failed' as const), containerStatuses: [state] };
};

const counting: Scenario = {
  name: 'a Job runs three indexes, one of them twice',
  deadline: 120_000,
  async arrange(client) {
    const spec = { completions: 3, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 2 } as const;
    const pod = { spec: { restartPolicy: 'Never' as const, containers: [container('v1')] } };
    await client.create(jobs, { metadata: { name: 'work', namespace }, spec: { ...spec, template: pod } });
  },
  start: starting([jobController], { status: oneFails }),
  async observe(client) {
    return {
      jobs: await summary(client, jobs, ({ status }) => {
        const { startTime: _, completionTime: __, conditions, ...counts } = status!;
        return [counts, reasons(conditions)];
      }),
      pods: await summary(client, pods, ({ metadata, status }) => [
        metadata.annotations,
        metadata.finalizers,
        status?.phase,
      ]),
    };
  },
};

const simple: Scenario = {
  ...counting,
  name: 'a Job runs three Pods, two at a time',
  async arrange(client) {
    const pod = { spec: { restartPolicy: 'Never' as const, containers: [container('v1')] } };
    const spec = { completions: 3, parallelism: 2, template: pod };
    await client.create(jobs, { metadata: { name: 'work', namespace }, spec });
  },
};

const daemons: Scenario = {
  name: 'a DaemonSet is updated on two nodes',
  deadline: 120_000,
  async arrange(client) {
    for (const name of ['n1', 'n2']) {
      await client.create(nodes, { metadata: { name } });
      await client.patch(nodes, { name }, { merge: { spec: { taints: null } } });
    }
    const spec = { selector: { matchLabels: { app: 'agent' } }, template: template('agent') };
    await client.create(daemonSets, { metadata: { name: 'agent', namespace }, spec });
  },
  start: starting([daemonSetController]),
  async act(client) {
    const spec = { template: { spec: { containers: [container('v2')] } } };
    await client.patch(daemonSets, { namespace, name: 'agent' }, { strategic: { spec } });
  },
  async observe(client) {
    return {
      pods: await summary(client, pods, pod => [pod.metadata.labels, image(pod), nodeOf(pod)]),
      revisions: await summary(client, controllerRevisions, ({ metadata, revision }) => [metadata.name, revision]),
      sets: await summary(client, daemonSets, ({ status }) => status),
    };
  },
};

/** Suspended halfway: a CronJob that runs is never at rest. */
const scheduled: Scenario = {
  name: 'a CronJob starts a Job each minute',
  deadline: 400_000,
  async arrange(client) {
    const pod = { spec: { restartPolicy: 'Never' as const, containers: [container('v1')] } };
    const spec = { schedule: '* * * * *', jobTemplate: { spec: { template: pod } }, successfulJobsHistoryLimit: 2 };
    await client.create(cronJobs, { metadata: { name: 'tick', namespace }, spec });
  },
  start: starting([cronJobController, jobController], { status: oneFails }),
  async act(client) {
    await client.patch(cronJobs, { namespace, name: 'tick' }, { merge: { spec: { suspend: true } } });
  },
  async observe(client) {
    return {
      jobs: await summary(client, jobs, ({ metadata, status }) => [metadata.name, status?.succeeded]),
      cronJobs: await summary(client, cronJobs, ({ status }) => [status?.active, status?.lastScheduleTime]),
    };
  },
};

const disturbances = (write: number): readonly (readonly Fault[])[] => [
  [{ kind: 'lost-answer', write }],
  [{ kind: 'refused', write, code: 409 }],
  [{ kind: 'refused', write, code: 500 }],
  [{ kind: 'watches-expired', write }],
  [{ kind: 'stale', write, table: '/pods', milliseconds: 5_000 }],
];

describe('the end is the same, whenever the controllers are killed and whatever else goes wrong, when', () => {
  it.each([rollout, stateful, counting, simple, daemons, scheduled])('$name', { timeout: 120_000 }, async scenario => {
    const also = [1, 2, 5, 13].flatMap(disturbances);
    const result = await explore(scenario, { depth: 'singles', also });
    console.log(report(result));
    expect(result.failures).toEqual([]);
    expect(result.writes).toBeGreaterThan(10);
  });
});
