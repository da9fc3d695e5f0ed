import { get, jsonPatch, mergePatch, post, put, type Script, strategicPatch } from '../script.ts';
import { deployment, pod, podTemplate } from './objects.ts';
import { core, deployments, jobs, pods, replicasets, statefulsets } from './paths.ts';

const web = `${deployments}/web`;
const scale = (replicas: number, metadata: object = {}) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web', namespace: '$ns', ...metadata },
  spec: { replicas },
});

export const subresources: Script = {
  name: 'subresources',
  about: 'status, scale and the generation',
  steps: [
    post('creates with a status, which does not count', deployments, { ...deployment('web'), status: { replicas: 9 } }),
    put('a PUT changes the spec', web, deployment('web', { replicas: 2 })),
    put('a PUT changes only the status', web, { ...deployment('web', { replicas: 2 }), status: { replicas: 9 } }),
    mergePatch('a patch changes labels', web, { metadata: { labels: { a: 'b' } } }),
    mergePatch('a patch changes spec and status', web, { spec: { replicas: 3 }, status: { replicas: 9 } }),
    mergePatch('a patch sets the generation', web, { metadata: { generation: 99 } }),
    put('a PUT of the status', `${web}/status`, {
      ...deployment('web', { replicas: 7 }),
      status: { replicas: 1, readyReplicas: 1 },
    }),
    mergePatch('a patch of the status', `${web}/status`, { status: { observedGeneration: 3 }, spec: { replicas: 7 } }),
    mergePatch('a patch of metadata through the status', `${web}/status`, {
      metadata: { labels: { via: 'status' }, annotations: { x: 'y' } },
    }),
    strategicPatch('a strategic patch of conditions', `${web}/status`, {
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'A', message: 'B' }] },
    }),
    strategicPatch('a strategic patch adds a condition', `${web}/status`, {
      status: { conditions: [{ type: 'Progressing', status: 'False' }] },
    }),
    put('a PUT of a negative status', `${web}/status`, { ...deployment('web'), status: { replicas: -1 } }),
    get('the status as a resource', `${web}/status`),
    get('the scale', `${web}/scale`, { capture: { version: 'metadata.resourceVersion', uid: 'metadata.uid' } }),
    put('scales up', `${web}/scale`, scale(4)),
    put('scales with a stale version', `${web}/scale`, scale(5, { resourceVersion: '$version' })),
    put('scales with the uid', `${web}/scale`, scale(5, { uid: '$uid' })),
    put('scales below nothing', `${web}/scale`, scale(-1)),
    put('scales with an object that is no Scale', `${web}/scale`, deployment('web')),
    mergePatch('scales by a merge patch', `${web}/scale`, { spec: { replicas: 6 } }),
    jsonPatch('scales by a JSON patch', `${web}/scale`, [{ op: 'replace', path: '/spec/replicas', value: 7 }]),
    put('scales what is not there', `${deployments}/absent/scale`, scale(1)),
    get('a subresource that there is not', `${web}/nothing`),
    post('a POST to the status', `${web}/status`, deployment('web')),
    get('the Deployment in the end', web),

    post('creates a ReplicaSet', replicasets, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: podTemplate('web') },
    }),
    get('the scale of a ReplicaSet', `${replicasets}/web/scale`),
    post('creates a StatefulSet', statefulsets, {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'web' },
      spec: { serviceName: 'web', selector: { matchLabels: { app: 'web' } }, template: podTemplate('web') },
    }),
    put('scales a StatefulSet', `${statefulsets}/web/scale`, scale(0)),
    post('creates a Job', jobs, {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'work' },
      spec: { template: podTemplate('work', { restartPolicy: 'Never' }) },
    }),
    get('a Job has no scale', `${jobs}/work/scale`),
    mergePatch('the status of a Job', `${jobs}/work/status`, {
      status: { active: 1, startTime: '2024-01-01T00:00:00Z' },
    }),
    mergePatch('suspends the Job', `${jobs}/work`, { spec: { suspend: true } }),

    post('creates a Pod with a status, which does not count', pods, { ...pod('p'), status: { phase: 'Running' } }),
    mergePatch('the status of a Pod', `${pods}/p/status`, {
      status: { phase: 'Running', podIP: '127.64.0.1', podIPs: [{ ip: '127.64.0.1' }] },
    }),
    strategicPatch('a condition of a Pod', `${pods}/p/status`, {
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    post('binds the Pod to a node', `${pods}/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'node-1' },
    }),
    post('binds it again', `${pods}/p/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'p' },
      target: { apiVersion: 'v1', kind: 'Node', name: 'node-2' },
    }),
    get('the Pod in the end', `${pods}/p`),
    post('evicts the Pod in a dry run', `${pods}/p/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
      deleteOptions: { dryRun: ['All'] },
    }),
    post('creates a claim', core('persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'claim' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    }),
    mergePatch('the status of a claim', `${core('persistentvolumeclaims')}/claim/status`, {
      status: { phase: 'Bound', capacity: { storage: '1024Mi' } },
    }),
  ],
};
