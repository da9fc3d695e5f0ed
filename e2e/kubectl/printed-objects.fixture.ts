/** One or two objects of every kind that people print, with what makes their tables interesting. */
const namespace = 'shown';
const labels = { app: 'web', tier: 'front' };
const containers = [
  { name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80, name: 'http' }], env: [{ name: 'A', value: 'b' }] },
  { name: 'side', image: 'busybox', args: ['sleep', '1'], resources: { limits: { memory: '64Mi' } } },
];
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: labels };
const named = (name: string): object => ({ name, namespace, labels });
const rbac = 'rbac.authorization.k8s.io';

export const OBJECTS: readonly object[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: named('settings'), data: { a: '1', b: 'two\nlines' } },
  { apiVersion: 'v1', kind: 'Secret', metadata: named('key'), type: 'Opaque', stringData: { password: 'x' } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: named('robot') },
  { apiVersion: 'v1', kind: 'Pod', metadata: named('lonely'), spec: { containers, priority: 0 } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: named('web'),
    spec: {
      selector: labels,
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'more', port: 81 },
      ],
    },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: named('names'), spec: { clusterIP: 'None', ports: [{ port: 5 }] } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: named('elsewhere'),
    spec: { type: 'ExternalName', externalName: 'example.com' },
  },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: named('web'), spec: { replicas: 3, selector, template } },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: named('web-1'), spec: { replicas: 2, selector, template } },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: named('db'),
    spec: { serviceName: 'names', selector, template, updateStrategy: { type: 'OnDelete' } },
  },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: named('agent'), spec: { selector, template } },
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: named('once'),
    spec: { completions: 3, parallelism: 2, template: { spec: { containers, restartPolicy: 'Never' } } },
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: named('nightly'),
    spec: {
      schedule: '0 3 * * *',
      suspend: true,
      jobTemplate: { spec: { template: { spec: { containers, restartPolicy: 'OnFailure' } } } },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: named('data'),
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'slow' },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: named('web'),
    spec: {
      ingressClassName: 'caddy',
      tls: [{ hosts: ['a.example.com'], secretName: 'key' }],
      rules: [
        {
          host: 'a.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
          },
        },
      ],
    },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: named('closed'),
    spec: { podSelector: selector, policyTypes: ['Ingress'] },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: named('web'),
    spec: { minAvailable: '50%', selector },
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: named('web'),
    spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: named('room'),
    spec: { hard: { pods: '50', 'limits.cpu': '4' } },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: named('sizes'),
    spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '10Gi' } }] },
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'Role',
    metadata: named('reader'),
    rules: [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list'] }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: named('reader'),
    roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
    subjects: [
      { kind: 'ServiceAccount', name: 'robot', namespace },
      { kind: 'User', apiGroup: rbac, name: 'ann' },
    ],
  },
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: named('lead'),
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: named('web-x'),
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 80 }],
    endpoints: [{ addresses: ['192.168.1.2'], conditions: { ready: true } }],
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'slow' },
    provisioner: 'example.com/disk',
    allowVolumeExpansion: true,
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
    description: 'for what matters',
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk' },
    spec: {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'slow',
      hostPath: { path: '/tmp/disk' },
    },
  },
  { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker' }, spec: { unschedulable: true } },
];

export const KINDS: readonly string[] = [
  'configmaps/settings',
  'secrets/key',
  'serviceaccounts/robot',
  'pods',
  'services',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'jobs',
  'cronjobs',
  'persistentvolumeclaims',
  'ingresses',
  'networkpolicies',
  'poddisruptionbudgets',
  'horizontalpodautoscalers',
  'resourcequotas',
  'limitranges',
  'roles',
  'rolebindings',
  'leases',
  'endpointslices',
  'storageclasses',
  'priorityclasses/high',
  'persistentvolumes',
  'nodes',
];
