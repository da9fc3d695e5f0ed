import { apply, type Script, type Step } from '../script.ts';
import { podTemplate } from './objects.ts';
import { core, cronjobs, inGroup, leases, pods, statefulsets } from './paths.ts';

interface Case {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path: string;
  /** What alice applies first, what bob adds from another side, and what alice applies then. */
  readonly alice: object;
  readonly bob: object;
  readonly after: object;
}

const container = (name: string, rest: object = {}) => ({ name, image: `example/${name}:1`, ...rest });
const rbac = 'rbac.authorization.k8s.io/v1';
const admission = 'admissionregistration.k8s.io/v1';
const hook = (name: string, rest: object = {}) => ({
  name,
  clientConfig: { url: 'https://127.0.0.1:1/x' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: ['nothing.example.org'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] }],
  ...rest,
});
const backend = { service: { name: 's', port: { number: 80 } } };
const rule = (host: string) => ({ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } });
const metric = (name: string) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization: 50 } },
});
const claim = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
});
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' };
const selector = { matchLabels: { app: 'x' } };

const cases: readonly Case[] = [
  {
    kind: 'Pod',
    apiVersion: 'v1',
    path: pods,
    alice: {
      spec: {
        containers: [container('a')],
        initContainers: [container('i')],
        volumes: [{ name: 'v', emptyDir: {} }],
        hostAliases: [{ ip: '192.0.2.1', hostnames: ['h'] }],
      },
    },
    bob: {
      metadata: { annotations: { by: 'bob' } },
      spec: { containers: [{ name: 'a', image: 'example/a:1' }], tolerations: [{ key: 'k', operator: 'Exists' }] },
    },
    after: {
      metadata: { labels: { now: 'labelled' } },
      spec: {
        containers: [container('a')],
        initContainers: [container('i')],
        volumes: [{ name: 'v', emptyDir: {} }],
        hostAliases: [{ ip: '192.0.2.1', hostnames: ['h'] }],
      },
    },
  },
  {
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    path: statefulsets,
    alice: { spec: { selector, serviceName: 'x', template: podTemplate('x'), volumeClaimTemplates: [claim('data')] } },
    bob: {
      spec: {
        template: {
          spec: {
            topologySpreadConstraints: [
              { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
            ],
            imagePullSecrets: [{ name: 'b' }],
          },
        },
      },
    },
    after: {
      spec: {
        selector,
        serviceName: 'x',
        template: podTemplate('x', { imagePullSecrets: [{ name: 'a' }] }),
        volumeClaimTemplates: [claim('data')],
      },
    },
  },
  {
    kind: 'CronJob',
    apiVersion: 'batch/v1',
    path: cronjobs,
    alice: {
      spec: {
        schedule: '0 * * * *',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    },
    bob: {
      spec: {
        suspend: true,
        jobTemplate: {
          spec: { template: { spec: { containers: [{ name: 'main', env: [{ name: 'B', value: '1' }] }] } } },
        },
      },
    },
    after: {
      spec: {
        schedule: '5 * * * *',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    },
  },
  {
    kind: 'ServiceAccount',
    apiVersion: 'v1',
    path: core('serviceaccounts'),
    alice: { imagePullSecrets: [{ name: 'a' }], secrets: [{ name: 'a' }] },
    bob: { secrets: [{ name: 'b' }] },
    after: { automountServiceAccountToken: false },
  },
  {
    kind: 'Secret',
    apiVersion: 'v1',
    path: core('secrets'),
    alice: { stringData: { a: 'text' }, data: { b: 'Yg==' } },
    bob: { data: { c: 'Yw==' } },
    after: { data: { a: 'bmV3' } },
  },
  {
    kind: 'Endpoints',
    apiVersion: 'v1',
    path: core('endpoints'),
    alice: { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }] },
    bob: { metadata: { labels: { by: 'bob' } } },
    after: { subsets: [{ addresses: [{ ip: '192.0.2.2' }], ports: [{ port: 80 }] }] },
  },
  {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    path: inGroup('discovery.k8s.io/v1', 'endpointslices'),
    alice: { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ name: 'a', port: 80 }] },
    bob: { addressType: 'IPv4', ports: [{ name: 'b', port: 81 }] },
    after: {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['192.0.2.1'] }, { addresses: ['192.0.2.2'] }],
      ports: [{ name: 'a', port: 80 }],
    },
  },
  {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    path: core('persistentvolumeclaims'),
    alice: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    bob: { metadata: { finalizers: ['example.org/b'] } },
    after: {
      metadata: { finalizers: ['example.org/a'] },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    },
  },
  {
    kind: 'ResourceQuota',
    apiVersion: 'v1',
    path: core('resourcequotas'),
    alice: { spec: { hard: { 'count/widgets.example.org': '1' } } },
    bob: { spec: { hard: { 'count/gadgets.example.org': '2' } } },
    after: { spec: { hard: { 'count/widgets.example.org': '3' } } },
  },
  {
    kind: 'LimitRange',
    apiVersion: 'v1',
    path: core('limitranges'),
    alice: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '5Gi' } }] } },
    bob: { spec: { limits: [{ type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }] } },
    after: { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '6Gi' } }] } },
  },
  {
    kind: 'Lease',
    apiVersion: 'coordination.k8s.io/v1',
    path: leases,
    alice: { spec: { holderIdentity: 'alice', leaseDurationSeconds: 10 } },
    bob: { spec: { holderIdentity: 'bob', leaseDurationSeconds: 10 } },
    after: { spec: { holderIdentity: 'alice', leaseDurationSeconds: 10, renewTime: '2024-01-01T00:00:00.000001Z' } },
  },
  {
    kind: 'Role',
    apiVersion: rbac,
    path: inGroup(rbac, 'roles'),
    alice: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
    bob: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] },
    after: { rules: [] },
  },
  {
    kind: 'RoleBinding',
    apiVersion: rbac,
    path: inGroup(rbac, 'rolebindings'),
    alice: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
      subjects: [{ kind: 'User', name: 'a', apiGroup: 'rbac.authorization.k8s.io' }],
    },
    bob: {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
      subjects: [{ kind: 'User', name: 'b', apiGroup: 'rbac.authorization.k8s.io' }],
    },
    after: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' } },
  },
  {
    kind: 'ClusterRole',
    apiVersion: rbac,
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    alice: { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'example.org/none': 'a' } }] } },
    bob: { metadata: { labels: { by: 'bob' } } },
    after: { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
  },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    path: inGroup('policy/v1', 'poddisruptionbudgets'),
    alice: { spec: { minAvailable: 1, selector } },
    bob: { spec: { selector: { matchLabels: { tier: 'b' } } } },
    after: { spec: { maxUnavailable: '50%', selector } },
  },
  {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    path: inGroup('autoscaling/v2', 'horizontalpodautoscalers'),
    alice: { spec: { maxReplicas: 3, scaleTargetRef, metrics: [metric('cpu')] } },
    bob: { spec: { maxReplicas: 3, scaleTargetRef, metrics: [metric('memory')] } },
    after: { spec: { maxReplicas: 4, scaleTargetRef, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
  },
  {
    kind: 'Ingress',
    apiVersion: 'networking.k8s.io/v1',
    path: inGroup('networking.k8s.io/v1', 'ingresses'),
    alice: { spec: { rules: [rule('a.example.org')], tls: [{ hosts: ['a.example.org'], secretName: 's' }] } },
    bob: { spec: { rules: [rule('b.example.org')] } },
    after: { spec: { rules: [rule('a.example.org'), rule('c.example.org')] } },
  },
  {
    kind: 'ValidatingWebhookConfiguration',
    apiVersion: admission,
    path: `/apis/${admission}/validatingwebhookconfigurations`,
    alice: { webhooks: [hook('a.example.org')] },
    bob: {
      webhooks: [
        hook('b.example.org'),
        { name: 'a.example.org', timeoutSeconds: 5, sideEffects: 'None', admissionReviewVersions: ['v1'] },
      ],
    },
    after: { webhooks: [hook('a.example.org', { failurePolicy: 'Ignore' })] },
  },
  {
    kind: 'Node',
    apiVersion: 'v1',
    path: '/api/v1/nodes',
    alice: { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }], unschedulable: true } },
    bob: { metadata: { labels: { by: 'bob' } } },
    after: { spec: { podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } },
  },
  {
    kind: 'Namespace',
    apiVersion: 'v1',
    path: '/api/v1/namespaces',
    alice: { metadata: { labels: { a: '1' } } },
    bob: { metadata: { labels: { b: '1' } } },
    after: { metadata: { annotations: { a: '1' } } },
  },
];

function stepsOf({ kind, apiVersion, path, alice, bob, after }: Case): Step[] {
  const name = `$ns-${kind.toLowerCase()}`;
  const object = (fields: object) => {
    const { metadata = {}, ...rest } = fields as { metadata?: object };
    return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
  };
  return [
    apply(`${kind}: alice creates it`, `${path}/${name}`, { manager: 'alice' }, object(alice)),
    apply(`${kind}: bob adds to it`, `${path}/${name}`, { manager: 'bob' }, object(bob)),
    apply(`${kind}: bob adds to it by force`, `${path}/${name}`, { manager: 'bob', force: true }, object(bob)),
    apply(`${kind}: alice applies something else`, `${path}/${name}`, { manager: 'alice', force: true }, object(after)),
  ];
}

export const applyKinds: Script = {
  name: 'apply-kinds',
  about: 'server-side apply on every kind: what its lists are to two managers',
  steps: cases.flatMap(stepsOf),
};
