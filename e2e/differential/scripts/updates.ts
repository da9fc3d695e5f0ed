import { mergePatch, post, put, remove, type Script, type Step } from '../script.ts';
import { podTemplate } from './objects.ts';
import {
  core,
  cronjobs,
  daemonsets,
  deployments,
  inGroup,
  jobs,
  leases,
  pods,
  replicasets,
  services,
  statefulsets,
} from './paths.ts';

interface Case {
  readonly kind: string;
  readonly path: string;
  /** As little as makes a valid object. */
  readonly least: object;
  /** What a second PUT changes; all else falls back to its default. */
  readonly changed: object;
  /** Where it has a status, one that a controller might write. */
  readonly status?: object;
}

const selector = { matchLabels: { app: 'x' } };
const template = podTemplate('x');
const jobTemplate = podTemplate('x', { restartPolicy: 'Never' });
const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' };
const backend = { service: { name: 's', port: { number: 80 } } };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };

const cases: readonly Case[] = [
  { kind: 'ConfigMap', path: core('configmaps'), least: {}, changed: { data: { a: '1' } } },
  { kind: 'Secret', path: core('secrets'), least: {}, changed: { stringData: { a: '1' } } },
  {
    kind: 'ServiceAccount',
    path: core('serviceaccounts'),
    least: {},
    changed: { automountServiceAccountToken: false },
  },
  {
    kind: 'Pod',
    path: pods,
    least: { spec: { containers: [{ name: 'a', image: 'a:1' }] } },
    changed: { spec: { containers: [{ name: 'a', image: 'a:2' }] } },
    status: { phase: 'Running', message: 'm' },
  },
  {
    kind: 'Service',
    path: services,
    least: { spec: { ports: [{ port: 80 }] } },
    changed: { spec: { ports: [{ port: 81 }], type: 'NodePort' } },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } },
  },
  {
    kind: 'PersistentVolumeClaim',
    path: core('persistentvolumeclaims'),
    least: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    changed: {
      metadata: { labels: { a: '1' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    status: { phase: 'Bound' },
  },
  {
    kind: 'ResourceQuota',
    path: core('resourcequotas'),
    least: { spec: { hard: { 'count/x.example.org': '1' } } },
    changed: { spec: { hard: { 'count/x.example.org': '2' } } },
    status: { hard: { 'count/x.example.org': '1' }, used: { 'count/x.example.org': '0' } },
  },
  {
    kind: 'LimitRange',
    path: core('limitranges'),
    least: { spec: { limits: [] } },
    changed: { spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '1' } }] } },
  },
  {
    kind: 'Endpoints',
    path: core('endpoints'),
    least: {},
    changed: { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] },
  },
  {
    kind: 'Deployment',
    path: deployments,
    least: { spec: { selector, template } },
    changed: { spec: { selector, template, replicas: 2 } },
    status: { replicas: 1, observedGeneration: 1 },
  },
  {
    kind: 'ReplicaSet',
    path: replicasets,
    least: { spec: { selector, template } },
    changed: { spec: { selector, template, replicas: 2 } },
    status: { replicas: 1 },
  },
  {
    kind: 'StatefulSet',
    path: statefulsets,
    least: { spec: { selector, template, serviceName: 'x' } },
    changed: { spec: { selector, template, serviceName: 'x', replicas: 2 } },
    status: { replicas: 1 },
  },
  {
    kind: 'DaemonSet',
    path: daemonsets,
    least: { spec: { selector, template } },
    changed: { spec: { selector, template, minReadySeconds: 5 } },
    status: { currentNumberScheduled: 1, numberMisscheduled: 0, desiredNumberScheduled: 1, numberReady: 0 },
  },
  {
    kind: 'Job',
    path: jobs,
    least: { spec: { template: jobTemplate, suspend: true } },
    changed: { metadata: { labels: { a: '1' } } },
    status: { active: 0, ready: 0 },
  },
  {
    kind: 'CronJob',
    path: cronjobs,
    least: { spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
    changed: { spec: { schedule: '5 * * * *', jobTemplate: { spec: { template: jobTemplate } } } },
    status: { lastScheduleTime: '2024-01-01T00:00:00Z' },
  },
  { kind: 'Lease', path: leases, least: {}, changed: { spec: { holderIdentity: 'x' } } },
  {
    kind: 'EndpointSlice',
    path: inGroup('discovery.k8s.io/v1', 'endpointslices'),
    least: { addressType: 'IPv4', endpoints: [] },
    changed: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
      ports: [{ port: 80 }],
    },
  },
  {
    kind: 'Role',
    path: inGroup('rbac.authorization.k8s.io/v1', 'roles'),
    least: {},
    changed: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  },
  {
    kind: 'RoleBinding',
    path: inGroup('rbac.authorization.k8s.io/v1', 'rolebindings'),
    least: { roleRef },
    changed: { roleRef, subjects: [{ kind: 'Group', name: 'g' }] },
  },
  {
    kind: 'PodDisruptionBudget',
    path: inGroup('policy/v1', 'poddisruptionbudgets'),
    least: { spec: {} },
    changed: { spec: { maxUnavailable: 1 } },
    status: { disruptionsAllowed: 1, currentHealthy: 1, desiredHealthy: 0, expectedPods: 1 },
  },
  {
    kind: 'HorizontalPodAutoscaler',
    path: inGroup('autoscaling/v2', 'horizontalpodautoscalers'),
    least: { spec: { maxReplicas: 2, scaleTargetRef } },
    changed: { spec: { maxReplicas: 3, scaleTargetRef } },
    status: { currentReplicas: 1, desiredReplicas: 1 },
  },
  {
    kind: 'Ingress',
    path: inGroup('networking.k8s.io/v1', 'ingresses'),
    least: { spec: { defaultBackend: backend } },
    changed: { spec: { defaultBackend: backend, ingressClassName: 'c' } },
    status: { loadBalancer: { ingress: [{ hostname: 'h.example.org' }] } },
  },
  {
    kind: 'NetworkPolicy',
    path: inGroup('networking.k8s.io/v1', 'networkpolicies'),
    least: { spec: { podSelector: {} } },
    changed: { spec: { podSelector: {}, egress: [{}] } },
  },
];

/** Creates the least, writes it again, changes it, writes its status through both doors, and removes it. */
function stepsOf({ kind, path, least, changed, status }: Case): Step[] {
  const object = (fields: object, rest: object = {}) => {
    const { metadata = {}, ...content } = fields as { metadata?: object };
    return { metadata: { name: 'it', ...metadata }, ...content, ...rest };
  };
  return [
    post(`${kind}: creates the least`, path, object(least)),
    put(`${kind}: writes the same again`, `${path}/it`, object(least)),
    // A Job's template carries labels that only a patch leaves alone.
    kind === 'Job'
      ? mergePatch(`${kind}: changes it`, `${path}/it`, changed)
      : put(`${kind}: changes it`, `${path}/it`, object(changed)),
    mergePatch(`${kind}: labels it`, `${path}/it`, { metadata: { labels: { by: 'patch' } } }),
    ...(status
      ? [
          mergePatch(`${kind}: a status through the main door`, `${path}/it`, { status }),
          mergePatch(`${kind}: a status through its own door`, `${path}/it/status`, { status }),
        ]
      : []),
    remove(`${kind}: removes it`, `${path}/it`, {
      query: { propagationPolicy: 'Background', gracePeriodSeconds: '0' },
    }),
  ];
}

export const updates: Script = {
  name: 'updates',
  about: 'updates kind by kind: no write without a change, generation, status, who owns what',
  steps: cases.flatMap(stepsOf),
};
