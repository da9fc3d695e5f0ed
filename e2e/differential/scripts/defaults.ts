import { get, post, type Script, type Step } from '../script.ts';
import { deployment, pod, podTemplate } from './objects.ts';
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
  secrets,
  services,
  statefulsets,
} from './paths.ts';

const service = (name: string, spec: object): Step =>
  post(`a Service: ${name}`, services, { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec });
const create = (
  title: string,
  path: string,
  apiVersion: string,
  kind: string,
  fields: object,
  metadata: object = {},
): Step => post(title, path, { apiVersion, kind, metadata: { name: '$ns', ...metadata }, ...fields });
const selector = { matchLabels: { app: 'x' } };
const everything = {
  name: 'full',
  image: 'example/full',
  ports: [{ containerPort: 80 }],
  env: [
    { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
  ],
  resources: { limits: { cpu: '0.5', memory: '0.5Gi' } },
  livenessProbe: { httpGet: { port: 80 } },
  readinessProbe: { tcpSocket: { port: 'web' } },
  startupProbe: { exec: { command: ['true'] }, periodSeconds: 1 },
  lifecycle: { preStop: { httpGet: { port: 80 } } },
  volumeMounts: [{ name: 'config', mountPath: '/c' }],
  securityContext: { capabilities: { add: ['NET_ADMIN'] } },
};
const volumes = [
  { name: 'config', configMap: { name: 'c' } },
  { name: 'secret', secret: { secretName: 's' } },
  { name: 'down', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
  {
    name: 'projected',
    projected: { sources: [{ serviceAccountToken: { path: 'token' } }, { configMap: { name: 'c' } }] },
  },
  { name: 'host', hostPath: { path: '/x' } },
  { name: 'empty' },
];

export const defaults: Script = {
  name: 'defaults',
  about: 'what the server fills in, kind by kind',
  steps: [
    post('a small Pod', pods, pod('small')),
    post(
      'a full Pod',
      pods,
      pod('full', {
        containers: [everything],
        initContainers: [{ name: 'init', image: 'example/init:latest' }],
        volumes,
        hostNetwork: true,
        serviceAccountName: 'robot',
      }),
    ),
    post(
      'a Pod that is guaranteed',
      pods,
      pod('guaranteed', {
        containers: [{ name: 'a', image: 'a:1', resources: { limits: { cpu: 1, memory: '1Gi' } } }],
      }),
    ),
    post(
      'a Pod with an image by digest',
      pods,
      pod('digest', { containers: [{ name: 'a', image: `a@sha256:${'0'.repeat(64)}` }] }),
    ),
    post(
      'a Pod with a sidecar',
      pods,
      pod('sidecar', { initContainers: [{ name: 's', image: 's', restartPolicy: 'Always' }] }),
    ),
    post('a Deployment', deployments, deployment('small')),
    post(
      'a Deployment that recreates',
      deployments,
      deployment('recreate', { strategy: { type: 'Recreate' }, replicas: 0 }),
    ),
    post(
      'a Deployment that rolls',
      deployments,
      deployment('rolls', { strategy: { rollingUpdate: { maxSurge: 1 } }, minReadySeconds: 5 }),
    ),
    create('a ReplicaSet', replicasets, 'apps/v1', 'ReplicaSet', { spec: { selector, template: podTemplate('x') } }),
    create('a StatefulSet', statefulsets, 'apps/v1', 'StatefulSet', {
      spec: {
        selector,
        serviceName: 'x',
        template: podTemplate('x'),
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    }),
    create('a DaemonSet', daemonsets, 'apps/v1', 'DaemonSet', { spec: { selector, template: podTemplate('x') } }),
    create('a Job', jobs, 'batch/v1', 'Job', { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } }),
    create(
      'an indexed Job',
      jobs,
      'batch/v1',
      'Job',
      {
        spec: { completions: 3, completionMode: 'Indexed', template: podTemplate('x', { restartPolicy: 'OnFailure' }) },
      },
      { name: 'indexed' },
    ),
    create('a CronJob', cronjobs, 'batch/v1', 'CronJob', {
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    }),

    service('cluster', { selector: { app: 'x' }, ports: [{ port: 80 }] }),
    service('headless', { clusterIP: 'None', ports: [{ port: 80, targetPort: 'web' }] }),
    service('nodeport', { type: 'NodePort', ports: [{ port: 80 }] }),
    service('balanced', { type: 'LoadBalancer', ports: [{ port: 80 }] }),
    service('external', { type: 'ExternalName', externalName: 'example.org' }),
    service('given', { clusterIP: '10.96.0.77', ports: [{ port: 53, protocol: 'UDP' }], sessionAffinity: 'ClientIP' }),

    create('a Secret from texts', secrets, 'v1', 'Secret', { stringData: { a: 'b' }, data: { c: 'ZA==' } }),
    create('a ServiceAccount', core('serviceaccounts'), 'v1', 'ServiceAccount', {}),
    create('a PersistentVolumeClaim', core('persistentvolumeclaims'), 'v1', 'PersistentVolumeClaim', {
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1.5Gi' } } },
    }),
    create('a PersistentVolume', '/api/v1/persistentvolumes', 'v1', 'PersistentVolume', {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    }),
    create('a Node', '/api/v1/nodes', 'v1', 'Node', { spec: { podCIDR: '10.1.0.0/24' } }),
    create('an Event', core('events'), 'v1', 'Event', {
      involvedObject: { kind: 'Pod', name: 'x', namespace: '$ns' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
    }),
    create('Endpoints', core('endpoints'), 'v1', 'Endpoints', {
      subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }],
    }),
    create(
      'a ResourceQuota',
      core('resourcequotas'),
      'v1',
      'ResourceQuota',
      { spec: { hard: { pods: '10', 'requests.cpu': '1' } } },
      { name: 'quota' },
    ),
    create(
      'a LimitRange',
      core('limitranges'),
      'v1',
      'LimitRange',
      { spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '1' } }] } },
      { name: 'range' },
    ),
    create('a Lease', leases, 'coordination.k8s.io/v1', 'Lease', {
      spec: { holderIdentity: 'x', acquireTime: '2024-01-01T00:00:00.000001Z', leaseDurationSeconds: 15 },
    }),
    create(
      'an EndpointSlice',
      inGroup('discovery.k8s.io/v1', 'endpointslices'),
      'discovery.k8s.io/v1',
      'EndpointSlice',
      { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ port: 80 }] },
    ),
    create('a Role', inGroup('rbac.authorization.k8s.io/v1', 'roles'), 'rbac.authorization.k8s.io/v1', 'Role', {
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
    }),
    create(
      'a RoleBinding',
      inGroup('rbac.authorization.k8s.io/v1', 'rolebindings'),
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      {
        roleRef: { kind: 'Role', name: '$ns' },
        subjects: [
          { kind: 'ServiceAccount', name: 'x', namespace: '$ns' },
          { kind: 'User', name: 'u' },
        ],
      },
    ),
    create(
      'a ClusterRole',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    ),
    create(
      'a ClusterRoleBinding',
      '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      'rbac.authorization.k8s.io/v1',
      'ClusterRoleBinding',
      { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: '$ns' } },
    ),
    create('a PodDisruptionBudget', inGroup('policy/v1', 'poddisruptionbudgets'), 'policy/v1', 'PodDisruptionBudget', {
      spec: { minAvailable: '50%', selector },
    }),
    create(
      'a HorizontalPodAutoscaler',
      inGroup('autoscaling/v2', 'horizontalpodautoscalers'),
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      { spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' } } },
    ),
    create('an Ingress', inGroup('networking.k8s.io/v1', 'ingresses'), 'networking.k8s.io/v1', 'Ingress', {
      spec: {
        rules: [
          {
            host: 'a.example.org',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
    create('an IngressClass', '/apis/networking.k8s.io/v1/ingressclasses', 'networking.k8s.io/v1', 'IngressClass', {
      spec: { controller: 'example.org/c' },
    }),
    create(
      'a NetworkPolicy',
      inGroup('networking.k8s.io/v1', 'networkpolicies'),
      'networking.k8s.io/v1',
      'NetworkPolicy',
      { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }] } },
    ),
    create('a StorageClass', '/apis/storage.k8s.io/v1/storageclasses', 'storage.k8s.io/v1', 'StorageClass', {
      provisioner: 'example.org/p',
    }),
    create('a PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses', 'scheduling.k8s.io/v1', 'PriorityClass', {
      value: 1000,
    }),
    create(
      'a ValidatingWebhookConfiguration',
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      'admissionregistration.k8s.io/v1',
      'ValidatingWebhookConfiguration',
      {
        webhooks: [
          {
            name: 'a.example.org',
            clientConfig: { service: { name: 's', namespace: 'n' } },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            rules: [
              { apiGroups: ['nothing.example.org'], apiVersions: ['v1'], resources: ['x'], operations: ['CREATE'] },
            ],
          },
        ],
      },
    ),
    create(
      'a MutatingWebhookConfiguration',
      '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
      'admissionregistration.k8s.io/v1',
      'MutatingWebhookConfiguration',
      {
        webhooks: [
          {
            name: 'a.example.org',
            clientConfig: { url: 'https://127.0.0.1:1/x' },
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            rules: [{ apiGroups: ['nothing.example.org'], apiVersions: ['v1'], resources: ['x'], operations: ['*'] }],
          },
        ],
      },
    ),
    create('a Namespace', '/api/v1/namespaces', 'v1', 'Namespace', {}, { name: '$ns-more' }),
    create(
      'an Event of events.k8s.io',
      inGroup('events.k8s.io/v1', 'events'),
      'events.k8s.io/v1',
      'Event',
      {
        eventTime: '2024-01-01T00:00:00.000000Z',
        reportingController: 'example.org/c',
        reportingInstance: 'i',
        action: 'A',
        reason: 'R',
        type: 'Normal',
        note: 'n',
        regarding: { kind: 'Pod', name: 'x', namespace: '$ns' },
      },
      { name: 'newer' },
    ),
    get('the newer Event as one of the core', `${core('events')}/newer`),
    post('a Pod in the limits of the range', pods, pod('limited')),
    post(
      'a Pod beyond the limits of the range',
      pods,
      pod('beyond', { containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: '3' } } }] }),
    ),
  ],
};
