/** The stories of the workload controllers. Each plays in a namespace of its own making, on nothing but the API. */
import {
  type Client,
  daemonSets,
  deployments,
  type Job,
  type Json,
  jobs,
  type KubeObject,
  nodes,
  type Pod,
  type PodStatus,
  podDisruptionBudgets,
  pods,
  replicaSets,
  resource,
  statefulSets,
  timestamp,
} from '@capstan/kube';
import { NAMESPACE as namespace } from './snapshot.fixture.ts';
import type { Life, Story } from './story.fixture.ts';

const at = (name: string) => ({ namespace, name });
const container = (image: string) => ({ name: 'c', image });
const template = (app: string, image = 'v1') => ({
  metadata: { labels: { app } },
  spec: { containers: [container(image)] },
});

const ready = (now: number, status: 'True' | 'False'): PodStatus => ({
  phase: 'Running',
  conditions: [{ type: 'Ready', status, lastTransitionTime: timestamp(now) }],
});
const well: Life = (_, now) => ready(now, 'True');
/** Pods with the image `bad` run and never become ready. */
const badIsBad: Life = (pod, now) => ready(now, pod.spec.containers[0]!.image === 'bad' ? 'False' : 'True');

const ended = (now: number, exitCode: number): PodStatus => {
  const time = timestamp(now);
  const terminated = { exitCode, startedAt: time, finishedAt: time, reason: exitCode === 0 ? 'Completed' : 'Error' };
  const state = { name: 'c', image: 'v1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
  return { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses: [state] };
};
const succeeds: Life = (_, now) => ended(now, 0);
const fails: Life = (_, now) => ended(now, 42);
const indexOf = (pod: Pod): string => pod.metadata.annotations!['batch.kubernetes.io/job-completion-index']!;

const deployment: Story = {
  name: 'deployment',
  steps: [
    {
      name: 'created',
      life: badIsBad,
      act: client => {
        const spec = {
          replicas: 3,
          revisionHistoryLimit: 2,
          selector: { matchLabels: { app: 'web' } },
          template: template('web'),
        };
        return client.create(deployments, { metadata: { ...at('web'), annotations: { who: 'me' } }, spec });
      },
    },
    { name: 'a new image', act: client => setImage(client, 'v2') },
    { name: 'the old image again', act: client => setImage(client, 'v1') },
    { name: 'scaled to five', act: client => change(client, { replicas: 5 }) },
    { name: 'paused with a new image', act: client => setImage(client, 'v3', { paused: true }) },
    { name: 'scaled while paused', act: client => change(client, { replicas: 6 }) },
    { name: 'resumed', act: client => change(client, { paused: false }) },
    { name: 'a bad image', act: client => setImage(client, 'bad') },
    { name: 'scaled in the middle of the rollout', act: client => change(client, { replicas: 10 }) },
    { name: 'rolled back', act: client => setImage(client, 'v3') },
    { name: 'too many revisions', act: client => setImage(client, 'v4') },
    {
      name: 'recreated',
      act: client => setImage(client, 'v5', { strategy: { type: 'Recreate', rollingUpdate: null } }),
    },
    {
      name: 'a Pod is gone',
      act: async client => {
        const { items } = await client.list(pods, { namespace });
        await client.delete(pods, at(items[0]!.metadata.name));
      },
    },
    { name: 'scaled to nothing', act: client => change(client, { replicas: 0 }) },
  ],
};

const change = (client: Client, spec: object) => client.patch(deployments, at('web'), { merge: { spec } });
const setImage = (client: Client, image: string, more: object = {}) =>
  client.patch(deployments, at('web'), {
    strategic: { spec: { ...more, template: { spec: { containers: [container(image)] } } } },
  });

const replicaSet: Story = {
  name: 'replicaset',
  steps: [
    {
      name: 'a stray Pod and a ReplicaSet that selects it',
      life: well,
      act: async client => {
        await client.create(pods, {
          metadata: { ...at('stray'), labels: { app: 'rs' } },
          spec: { containers: [container('v1')] },
        });
        const spec = { replicas: 2, selector: { matchLabels: { app: 'rs' } }, template: template('rs') };
        await client.create(replicaSets, { metadata: at('rs'), spec });
      },
    },
    {
      name: 'the Pod is relabelled',
      act: client => client.patch(pods, at('stray'), { merge: { metadata: { labels: { app: 'other' } } } }),
    },
    { name: 'scaled up', act: client => client.patch(replicaSets, at('rs'), { merge: { spec: { replicas: 4 } } }) },
    { name: 'scaled down', act: client => client.patch(replicaSets, at('rs'), { merge: { spec: { replicas: 1 } } }) },
    {
      name: 'a Pod template that is refused',
      act: async client => {
        const limits = [{ type: 'Container', max: { cpu: '1' } }];
        await client.create(limitRanges, { metadata: at('small'), spec: { limits } });
        const tooMuch = { ...container('v1'), resources: { limits: { cpu: '2' } } };
        const broken = { metadata: { labels: { app: 'no' } }, spec: { containers: [tooMuch] } };
        const spec = { replicas: 2, selector: { matchLabels: { app: 'no' } }, template: broken };
        await client.create(replicaSets, { metadata: at('refused'), spec });
      },
    },
    {
      name: 'it is allowed',
      until: snapshot => JSON.stringify(snapshot).includes('refused-*'),
      act: client => client.delete(limitRanges, at('small')),
    },
  ],
};

/** The one kind of these stories that nobody else reads. */
const limitRanges = resource<KubeObject & { readonly spec: object }>({
  group: '',
  version: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  namespaced: true,
});

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const changeSet = (client: Client, spec: object) => client.patch(statefulSets, at('db'), { merge: { spec } });
const setImageOf = (client: Client, image: string) =>
  client.patch(statefulSets, at('db'), {
    strategic: { spec: { template: { spec: { containers: [container(image)] } } } },
  });
const rolling = (rollingUpdate: object) => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

const statefulSet: Story = {
  name: 'statefulset',
  steps: [
    {
      name: 'created',
      life: badIsBad,
      act: client => {
        const spec = {
          replicas: 3,
          serviceName: 'db',
          revisionHistoryLimit: 1,
          selector: { matchLabels: { app: 'db' } },
          template: template('db'),
          volumeClaimTemplates: [claim as never],
          persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' } as const,
        };
        return client.create(statefulSets, { metadata: at('db'), spec });
      },
    },
    { name: 'a partition', act: client => changeSet(client, rolling({ partition: 2 })) },
    { name: 'a new image above the partition', act: client => setImageOf(client, 'v2') },
    { name: 'a Pod below it is gone', act: client => client.delete(pods, at('db-0')) },
    { name: 'no partition', act: client => changeSet(client, rolling({ partition: 0 })) },
    { name: 'a bad image', act: client => setImageOf(client, 'bad') },
    { name: 'the good one again', act: client => setImageOf(client, 'v2') },
    { name: 'the broken Pod is deleted', act: client => client.delete(pods, at('db-2')) },
    {
      name: 'everything may be replaced at once',
      act: async client => {
        await changeSet(client, rolling({ partition: 0, maxUnavailable: 3 }));
        await setImageOf(client, 'v3');
      },
    },
    {
      name: 'updates on deletion only',
      act: async client => {
        await changeSet(client, { updateStrategy: { type: 'OnDelete', rollingUpdate: null } });
        await setImageOf(client, 'v4');
      },
    },
    { name: 'one deleted', act: client => client.delete(pods, at('db-1')) },
    { name: 'scaled to nothing', act: client => changeSet(client, { replicas: 0 }) },
  ],
};

/** Nodes are taken notice of in good time, not at once. */
const desires =
  (count: number) =>
  (snapshot: Json): boolean =>
    JSON.stringify(snapshot).includes(`"desiredNumberScheduled":${count}`);

const daemonSet: Story = {
  name: 'daemonset',
  steps: [
    {
      name: 'two nodes of three',
      life: badIsBad,
      act: async client => {
        for (const [name, role] of [
          ['node-a', 'worker'],
          ['node-b', 'worker'],
          ['node-c', 'other'],
        ] as const) {
          await client.create(nodes, { metadata: { name, labels: { role } } });
          const conditions = [
            { type: 'Ready', status: 'True', reason: 'KubeletReady', lastHeartbeatTime: '2038-01-01T00:00:00Z' },
          ];
          await client.patch(nodes, { name }, { merge: { status: { conditions } } }, { subresource: 'status' });
          await client.patch(nodes, { name }, { merge: { spec: { taints: null } } });
        }
        const { metadata, spec } = template('agent');
        await client.create(daemonSets, {
          metadata: at('agent'),
          spec: {
            revisionHistoryLimit: 1,
            selector: { matchLabels: { app: 'agent' } },
            template: { metadata, spec: { ...spec, nodeSelector: { role: 'worker' } } },
          },
        });
      },
    },
    { name: 'a new image', act: client => setDaemonImage(client, 'v2') },
    {
      // On all nodes at once: which one is the first is up to chance in Kubernetes.
      name: 'a bad image',
      act: async client => {
        const updateStrategy = { rollingUpdate: { maxUnavailable: '100%' } };
        await client.patch(daemonSets, at('agent'), { merge: { spec: { updateStrategy } } });
        await setDaemonImage(client, 'bad');
      },
    },
    { name: 'the good one again', act: client => setDaemonImage(client, 'v2') },
    {
      name: 'a node more',
      until: desires(3),
      act: client => client.patch(nodes, { name: 'node-c' }, { merge: { metadata: { labels: { role: 'worker' } } } }),
    },
    {
      name: 'a node less',
      until: desires(2),
      act: client => client.patch(nodes, { name: 'node-a' }, { merge: { metadata: { labels: { role: 'other' } } } }),
    },
  ],
};

const setDaemonImage = (client: Client, image: string) =>
  client.patch(daemonSets, at('agent'), {
    strategic: { spec: { template: { spec: { containers: [container(image)] } } } },
  });

const createJob = (client: Client, name: string, spec: Partial<Job['spec']>) => {
  const pod = { spec: { restartPolicy: 'Never' as const, containers: [container('v1')] } };
  return client.create(jobs, { metadata: at(name), spec: { template: pod, ...spec } });
};
const isOver = (snapshot: Json): boolean => {
  const { jobs: found = [] } = snapshot as unknown as { jobs?: { status: { conditions?: { type: string }[] } }[] };
  return found.every(({ status }) => status.conditions?.some(({ type }) => type === 'Complete' || type === 'Failed'));
};

const job = (name: string, life: Life, spec: Partial<Job['spec']>): Story => ({
  name: `job-${name}`,
  steps: [{ name: 'ended', life, act: client => createJob(client, 'work', spec), until: isOver }],
});

const jobStories: readonly Story[] = [
  job('completes', succeeds, { completions: 3, parallelism: 2 }),
  job('without-completions', succeeds, { parallelism: 2, completions: null as never }),
  job('indexed', succeeds, { completions: 3, parallelism: 3, completionMode: 'Indexed' }),
  job('fails', fails, { backoffLimit: 1 }),
  job('failure-policy', fails, {
    podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
  }),
  job('fails-by-index', (pod, now) => ended(now, indexOf(pod) === '1' ? 1 : 0), {
    completions: 3,
    parallelism: 3,
    completionMode: 'Indexed',
    backoffLimitPerIndex: 1,
  }),
  job('success-policy', (pod, now) => (indexOf(pod) === '1' ? ended(now, 0) : ready(now, 'True')), {
    completions: 3,
    parallelism: 3,
    completionMode: 'Indexed',
    successPolicy: { rules: [{ succeededIndexes: '1' }] },
  }),
  job('deadline', well, { activeDeadlineSeconds: 2 }),
  {
    name: 'job-suspended',
    steps: [
      { name: 'runs', life: well, act: client => createJob(client, 'work', { completions: 4, parallelism: 3 }) },
      { name: 'less of it', act: client => client.patch(jobs, at('work'), { merge: { spec: { parallelism: 1 } } }) },
      { name: 'suspended', act: client => client.patch(jobs, at('work'), { merge: { spec: { suspend: true } } }) },
      {
        name: 'resumed',
        life: succeeds,
        act: client => client.patch(jobs, at('work'), { merge: { spec: { suspend: false } } }),
        until: isOver,
      },
    ],
  },
];

const budget: Story = {
  name: 'disruption',
  steps: [
    {
      name: 'a budget for a Deployment, and one for a Pod of nobody’s',
      life: badIsBad,
      act: async client => {
        const select = (app: string) => ({ matchLabels: { app } });
        const budgetFor = (app: string, spec: object) =>
          client.create(podDisruptionBudgets, { metadata: at(app), spec: { selector: select(app), ...spec } });
        await budgetFor('web', { maxUnavailable: '30%' });
        await budgetFor('solo', { minAvailable: 1 });
        const spec = { replicas: 4, selector: select('web'), template: template('web') };
        await client.create(deployments, { metadata: at('web'), spec });
        const { metadata, spec: pod } = template('solo');
        await client.create(pods, { metadata: { ...at('solo'), ...metadata }, spec: pod });
      },
    },
    { name: 'a bad rollout', act: client => setImage(client, 'bad') },
  ],
};

export const stories: readonly Story[] = [deployment, replicaSet, statefulSet, daemonSet, ...jobStories, budget];
