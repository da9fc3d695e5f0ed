import { mergePatch, post, put, remove, type Script } from '../script.ts';
import { configMap, deployment, pod, podTemplate } from './objects.ts';
import { configmaps, core, deployments, inGroup, jobs, pods, secrets, services, statefulsets } from './paths.ts';

const metadata = { name: 'x' };
const selector = { matchLabels: { app: 'x' } };
const rolebindings = inGroup('rbac.authorization.k8s.io/v1', 'rolebindings');

export const immutability: Script = {
  name: 'immutability',
  about: 'fields that cannot be changed once they are set',
  steps: [
    post('creates a Deployment', deployments, deployment('x')),
    mergePatch('Deployment: the selector', `${deployments}/x`, {
      spec: { selector: { matchLabels: { app: 'y' } }, template: { metadata: { labels: { app: 'y' } } } },
    }),
    mergePatch('Deployment: labels that the selector wants', `${deployments}/x`, {
      spec: { template: { metadata: { labels: { app: 'y' } } } },
    }),
    post('creates an immutable ConfigMap', configmaps, { ...configMap('x', { a: '1' }), immutable: true }),
    mergePatch('ConfigMap: its data', `${configmaps}/x`, { data: { a: '2' } }),
    mergePatch('ConfigMap: to be immutable', `${configmaps}/x`, { immutable: false }),
    mergePatch('ConfigMap: its labels may change', `${configmaps}/x`, { metadata: { labels: { a: 'b' } } }),
    post('creates a Secret', secrets, { metadata, type: 'example.org/a', stringData: { a: '1' } }),
    mergePatch('Secret: its type', `${secrets}/x`, { type: 'example.org/b' }),
    post('creates a Service', services, { metadata, spec: { clusterIP: '10.96.0.78', ports: [{ port: 80 }] } }),
    mergePatch('Service: its address', `${services}/x`, { spec: { clusterIP: '10.96.0.79' } }),
    put('Service: a PUT without its address', `${services}/x`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ports: [{ port: 81 }] },
    }),
    mergePatch('Service: becomes an external name', `${services}/x`, {
      spec: { type: 'ExternalName', externalName: 'example.org', clusterIP: null, clusterIPs: null },
    }),
    post('creates a Pod', pods, pod('x')),
    mergePatch('Pod: the restart policy', `${pods}/x`, { spec: { restartPolicy: 'Never' } }),
    mergePatch('Pod: the image may change', `${pods}/x`, {
      spec: { containers: [{ name: 'main', image: 'example/main:2' }] },
    }),
    mergePatch('Pod: a new container', `${pods}/x`, {
      spec: {
        containers: [
          { name: 'main', image: 'example/main:2' },
          { name: 'b', image: 'b' },
        ],
      },
    }),
    mergePatch('Pod: its node', `${pods}/x`, { spec: { nodeName: 'node-1' } }),
    mergePatch('Pod: its name', `${pods}/x`, { metadata: { name: 'y' } }),
    post('creates a Job', jobs, {
      metadata,
      spec: { completions: 2, template: podTemplate('x', { restartPolicy: 'Never' }) },
    }),
    mergePatch('Job: its completions', `${jobs}/x`, { spec: { completions: 3 } }),
    mergePatch('Job: its template', `${jobs}/x`, {
      spec: { template: { spec: { containers: [{ name: 'main', image: 'other' }] } } },
    }),
    mergePatch('Job: its parallelism may change', `${jobs}/x`, { spec: { parallelism: 2 } }),
    post('creates a StatefulSet', statefulsets, {
      metadata,
      spec: { selector, serviceName: 'x', template: podTemplate('x') },
    }),
    mergePatch('StatefulSet: its service', `${statefulsets}/x`, { spec: { serviceName: 'y' } }),
    mergePatch('StatefulSet: its replicas may change', `${statefulsets}/x`, { spec: { replicas: 3 } }),
    post('creates a claim', core('persistentvolumeclaims'), {
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    mergePatch('PersistentVolumeClaim: its access modes', `${core('persistentvolumeclaims')}/x`, {
      spec: { accessModes: ['ReadWriteMany'] },
    }),
    mergePatch('PersistentVolumeClaim: a larger request while it is not bound', `${core('persistentvolumeclaims')}/x`, {
      spec: { resources: { requests: { storage: '2Gi' } } },
    }),
    post('creates a role', inGroup('rbac.authorization.k8s.io/v1', 'roles'), { metadata, rules: [] }),
    post('creates a binding', rolebindings, {
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'x' },
    }),
    mergePatch('RoleBinding: its role', `${rolebindings}/x`, { roleRef: { name: 'y' } }),
    post('creates a StorageClass', '/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: '$ns' },
      provisioner: 'example.org/p',
    }),
    mergePatch('StorageClass: its provisioner', '/apis/storage.k8s.io/v1/storageclasses/$ns', {
      provisioner: 'example.org/q',
    }),
    post('creates a PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses', {
      metadata: { name: '$ns' },
      value: 5,
    }),
    mergePatch('PriorityClass: its value', '/apis/scheduling.k8s.io/v1/priorityclasses/$ns', { value: 6 }),
    mergePatch('Namespace: its finalizers', '/api/v1/namespaces/$ns', { spec: { finalizers: [] } }),
    remove('removes the PriorityClass', '/apis/scheduling.k8s.io/v1/priorityclasses/$ns'),
  ],
};
