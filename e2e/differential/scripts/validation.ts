import { post, type Script, type Step } from '../script.ts';
import { configMap, deployment, pod, podTemplate } from './objects.ts';
import {
  configmaps,
  core,
  cronjobs,
  daemonsets,
  deployments,
  inGroup,
  jobs,
  leases,
  pods,
  secrets,
  services,
  statefulsets,
} from './paths.ts';

const dry = { query: { dryRun: 'All' } };
const badPod = (title: string, spec: object): Step => post(`Pod: ${title}`, pods, pod('x', spec), dry);
const container = (title: string, fields: object): Step =>
  badPod(title, { containers: [{ name: 'a', image: 'a', ...fields }] });
const badDeployment = (title: string, spec: object): Step =>
  post(`Deployment: ${title}`, deployments, deployment('x', spec), dry);
const badService = (title: string, spec: object): Step =>
  post(`Service: ${title}`, services, { metadata: { name: 'x' }, spec }, dry);
const badJob = (title: string, spec: object, template: object = podTemplate('x', { restartPolicy: 'Never' })): Step =>
  post(`Job: ${title}`, jobs, { metadata: { name: 'x' }, spec: { template, ...spec } }, dry);
const other = (title: string, path: string, fields: object): Step =>
  post(title, path, { metadata: { name: 'x' }, ...fields }, dry);
const selector = { matchLabels: { app: 'x' } };

export const validation: Script = {
  name: 'validation',
  about: 'built-in kinds that are refused, with the words for it',
  steps: [
    badPod('no containers', { containers: [] }),
    badPod('a container without anything', { containers: [{}] }),
    badPod('a container name that is not valid', { containers: [{ name: 'A', image: 'a' }] }),
    badPod('a container name twice', {
      containers: [
        { name: 'a', image: 'a' },
        { name: 'a', image: 'b' },
      ],
    }),
    badPod('an unknown restart policy', { restartPolicy: 'Sometimes' }),
    badPod('an unknown DNS policy', { dnsPolicy: 'Guess' }),
    badPod('a negative grace', { terminationGracePeriodSeconds: -1 }),
    badPod('a node selector that is not valid', { nodeSelector: { 'a b': 'c' } }),
    badPod('a volume twice', {
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'v', emptyDir: {} },
      ],
    }),
    badPod('a volume of two kinds', { volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'c' } }] }),
    badPod('a toleration that is not valid', { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
    badPod('a host name that is not valid', { hostname: 'A_b' }),
    badPod('a priority of one’s own', { priority: 5 }),
    badPod('a priority class that there is not', { priorityClassName: 'nothing' }),
    badPod('a service account name that is not valid', { serviceAccountName: 'A_b' }),
    badPod('an active deadline of nothing', { activeDeadlineSeconds: 0 }),
    container('a port out of range', { ports: [{ containerPort: 70000 }] }),
    container('a port name that is too long', { ports: [{ containerPort: 80, name: 'a-name-that-is-too-long' }] }),
    container('an unknown protocol', { ports: [{ containerPort: 80, protocol: 'ICMP' }] }),
    container('a variable name that is not valid', { env: [{ name: 'a=b', value: 'c' }] }),
    container('a variable with two sources', {
      env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    }),
    container('a variable of a field that there is not', {
      env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.nothing' } } }],
    }),
    container('a mount of no volume', { volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
    container('a mount path twice', {
      volumeMounts: [
        { name: 'v', mountPath: '/v' },
        { name: 'v', mountPath: '/v' },
      ],
    }),
    container('requests above limits', { resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }),
    container('a negative request', { resources: { requests: { cpu: -1 } } }),
    container('an unknown resource', { resources: { requests: { nothing: 1 } } }),
    container('a probe without a handler', { livenessProbe: {} }),
    container('a probe with two handlers', { livenessProbe: { httpGet: { port: 80 }, exec: { command: ['x'] } } }),
    container('a liveness probe with two successes', { livenessProbe: { httpGet: { port: 80 }, successThreshold: 2 } }),
    container('an unknown pull policy', { imagePullPolicy: 'Perhaps' }),
    container('an image with a space', { image: ' a' }),

    badDeployment('a selector that does not match', { selector: { matchLabels: { app: 'y' } } }),
    badDeployment('an empty selector', { selector: {} }),
    badDeployment('no selector', { selector: null }),
    badDeployment('negative replicas', { replicas: -1 }),
    badDeployment('an unknown strategy', { strategy: { type: 'Slow' } }),
    badDeployment('a rolling update of nothing', { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    badDeployment('a percentage that is none', { strategy: { rollingUpdate: { maxSurge: '5' } } }),
    badDeployment('more than all', { strategy: { rollingUpdate: { maxUnavailable: '101%' } } }),
    badDeployment('a Recreate that rolls', { strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    badDeployment('a restart policy', { template: podTemplate('x', { restartPolicy: 'Never' }) }),
    badDeployment('a deadline before readiness', { minReadySeconds: 10, progressDeadlineSeconds: 5 }),
    badDeployment('a selector with an unknown operator', {
      selector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] },
    }),
    badDeployment('no containers in its template', { template: podTemplate('x', { containers: [] }) }),
    other('StatefulSet: a name for its service that is not valid', statefulsets, {
      spec: { selector, serviceName: 'A_b', template: podTemplate('x') },
    }),
    other('StatefulSet: an unknown policy', statefulsets, {
      spec: { selector, podManagementPolicy: 'Fast', template: podTemplate('x') },
    }),
    other('DaemonSet: an unknown strategy', daemonsets, {
      spec: { selector, updateStrategy: { type: 'Slow' }, template: podTemplate('x') },
    }),

    badService('no ports', {}),
    badService('a port out of range', { ports: [{ port: 0 }] }),
    badService('two ports without names', { ports: [{ port: 80 }, { port: 81 }] }),
    badService('a port twice', {
      ports: [
        { name: 'a', port: 80 },
        { name: 'b', port: 80 },
      ],
    }),
    badService('an unknown type', { type: 'Magic', ports: [{ port: 80 }] }),
    badService('a cluster address that is none', { clusterIP: 'here', ports: [{ port: 80 }] }),
    badService('a cluster address out of range', { clusterIP: '192.0.2.1', ports: [{ port: 80 }] }),
    badService('a node port out of range', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }),
    badService('an external name that is missing', { type: 'ExternalName' }),
    badService('a target port that is not valid', { ports: [{ port: 80, targetPort: 'A_b' }] }),
    badService('a selector that is not valid', { selector: { 'a b': 'c' }, ports: [{ port: 80 }] }),
    post(
      'Service: a name that begins with a number',
      services,
      { metadata: { name: '1x' }, spec: { ports: [{ port: 80 }] } },
      dry,
    ),

    badJob('a restart policy', {}, podTemplate('x')),
    badJob('negative parallelism', { parallelism: -1 }),
    badJob('an index without completions', { completionMode: 'Indexed' }),
    badJob('a selector of one’s own', { selector }),
    badJob('a negative time to live', { ttlSecondsAfterFinished: -1 }),
    other('CronJob: a schedule that is none', cronjobs, {
      spec: {
        schedule: 'daily at noon',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    }),
    other('CronJob: a schedule with a time zone', cronjobs, {
      spec: {
        schedule: 'TZ=UTC 0 * * * *',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    }),
    other('CronJob: an unknown time zone', cronjobs, {
      spec: {
        schedule: '0 * * * *',
        timeZone: 'Moon/Sea',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    }),
    other('CronJob: an unknown policy', cronjobs, {
      spec: {
        schedule: '0 * * * *',
        concurrencyPolicy: 'Maybe',
        jobTemplate: { spec: { template: podTemplate('x', { restartPolicy: 'Never' }) } },
      },
    }),

    post('ConfigMap: a key that is not valid', configmaps, configMap('x', { 'a b': 'c', '..': 'd' }), dry),
    post('ConfigMap: too large', configmaps, configMap('x', { a: 'v'.repeat(1_048_577) }), dry),
    other('Secret: a key that is not valid', secrets, { stringData: { 'a b': 'c' } }),
    other('Lease: a duration of nothing', leases, { spec: { leaseDurationSeconds: 0 } }),
    other('PersistentVolumeClaim: nothing', core('persistentvolumeclaims'), { spec: {} }),
    other('PersistentVolumeClaim: an unknown access mode', core('persistentvolumeclaims'), {
      spec: { accessModes: ['Some'], resources: { requests: { storage: '1Gi' } } },
    }),
    other('PersistentVolume: nothing', '/api/v1/persistentvolumes', { spec: {} }),
    other('LimitRange: a default above the maximum', core('limitranges'), {
      spec: { limits: [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }] },
    }),
    other('ResourceQuota: a resource that is none', core('resourcequotas'), { spec: { hard: { nothing: '1' } } }),
    other('EndpointSlice: an address that is none', inGroup('discovery.k8s.io/v1', 'endpointslices'), {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['here'] }],
    }),
    other('Role: no verbs', inGroup('rbac.authorization.k8s.io/v1', 'roles'), {
      rules: [{ apiGroups: [''], resources: ['pods'] }],
    }),
    other('Role: a URL', inGroup('rbac.authorization.k8s.io/v1', 'roles'), {
      rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
    }),
    other('RoleBinding: a role of an unknown kind', inGroup('rbac.authorization.k8s.io/v1', 'rolebindings'), {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Rolle', name: 'x' },
    }),
    other('RoleBinding: a subject of an unknown kind', inGroup('rbac.authorization.k8s.io/v1', 'rolebindings'), {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
      subjects: [{ kind: 'Robot', name: 'r' }],
    }),
    other('PodDisruptionBudget: both limits', inGroup('policy/v1', 'poddisruptionbudgets'), {
      spec: { minAvailable: 1, maxUnavailable: 1, selector },
    }),
    other('HorizontalPodAutoscaler: min above max', inGroup('autoscaling/v2', 'horizontalpodautoscalers'), {
      spec: { minReplicas: 5, maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'x' } },
    }),
    other('Ingress: neither rules nor a backend', inGroup('networking.k8s.io/v1', 'ingresses'), { spec: {} }),
    other('Ingress: a path without a type', inGroup('networking.k8s.io/v1', 'ingresses'), {
      spec: {
        rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 's', port: { number: 80 } } } }] } }],
      },
    }),
    other('NetworkPolicy: an unknown type', inGroup('networking.k8s.io/v1', 'networkpolicies'), {
      spec: { podSelector: {}, policyTypes: ['Sideways'] },
    }),
    other('StorageClass: no provisioner', '/apis/storage.k8s.io/v1/storageclasses', {}),
    other('PriorityClass: a name of the system', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: 'system-x' },
      value: 1,
    }),
    other('Namespace: a name with a dot', '/api/v1/namespaces', { metadata: { name: 'a.b' } }),
    other('Event: an object elsewhere', core('events'), {
      involvedObject: { kind: 'Pod', name: 'x', namespace: 'other' },
    }),
  ],
};
