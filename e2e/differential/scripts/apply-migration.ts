import { apply, get, mergePatch, post, put, type Script } from '../script.ts';
import { configMap, deployment } from './objects.ts';
import { configmaps, deployments } from './paths.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const byKubectl = { manager: 'kubectl' };
const annotated = (data: Readonly<Record<string, string>>) =>
  configMap('old', data, { annotations: { [lastApplied]: JSON.stringify(configMap('old', data)) } });
const status = (fields: object) => ({ apiVersion: 'apps/v1', kind: 'Deployment', status: fields });

export const applyMigration: Script = {
  name: 'apply-migration',
  about: 'server-side apply: from kubectl’s client-side apply, and managers per subresource',
  steps: [
    post('creates as client-side apply does', configmaps, annotated({ a: '1', b: '1' }), {
      query: { fieldManager: 'kubectl-client-side-apply' },
    }),
    apply(
      'kubectl applies server-side with a field less',
      `${configmaps}/old`,
      byKubectl,
      configMap('old', { a: '2' }),
    ),
    get('the object after the migration', `${configmaps}/old`),
    mergePatch('client-side apply again', `${configmaps}/old`, annotated({ a: '3' }), {
      query: { fieldManager: 'kubectl-client-side-apply' },
    }),
    apply('another manager than kubectl', `${configmaps}/old`, { manager: 'other' }, configMap('old', { a: '4' })),
    apply('kubectl applies with the annotation', `${configmaps}/old`, byKubectl, annotated({ a: '4' })),
    apply(
      'kubectl applies with the annotation by force',
      `${configmaps}/old`,
      { ...byKubectl, force: true },
      annotated({ a: '4' }),
    ),
    apply('kubectl applies without the annotation', `${configmaps}/old`, byKubectl, configMap('old', { a: '4' })),

    apply('applies a Deployment', `${deployments}/web`, { manager: 'alice' }, deployment('web', { replicas: 1 })),
    apply(
      'applies its status',
      `${deployments}/web/status`,
      { manager: 'alice' },
      status({ replicas: 1, observedGeneration: 1 }),
    ),
    apply('applies its status by another', `${deployments}/web/status`, { manager: 'bob' }, status({ replicas: 2 })),
    apply(
      'applies a condition',
      `${deployments}/web/status`,
      { manager: 'bob' },
      status({
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: '2024-01-01T00:00:00Z',
            lastUpdateTime: '2024-01-01T00:00:00Z',
          },
        ],
      }),
    ),
    apply(
      'alice adds a condition of another type',
      `${deployments}/web/status`,
      { manager: 'alice' },
      status({
        replicas: 1,
        conditions: [
          {
            type: 'Progressing',
            status: 'True',
            lastTransitionTime: '2024-01-01T00:00:00Z',
            lastUpdateTime: '2024-01-01T00:00:00Z',
          },
        ],
      }),
    ),
    apply(
      'a spec applied to the status',
      `${deployments}/web/status`,
      { manager: 'alice' },
      {
        ...status({ replicas: 1 }),
        spec: { replicas: 7 },
      },
    ),
    apply(
      'a status applied to the main resource',
      `${deployments}/web`,
      { manager: 'alice' },
      {
        ...deployment('web', { replicas: 1 }),
        status: { replicas: 9 },
      },
    ),
    apply(
      'scales by apply',
      `${deployments}/web/scale`,
      { manager: 'scaler' },
      {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web' },
        spec: { replicas: 4 },
      },
    ),
    apply(
      'scales by apply and force',
      `${deployments}/web/scale`,
      { manager: 'scaler', force: true },
      {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web' },
        spec: { replicas: 4 },
      },
    ),
    get('managers of main resource, status and scale', `${deployments}/web`),
    put(
      'scales by PUT',
      `${deployments}/web/scale`,
      {
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'web' },
        spec: { replicas: 5 },
      },
      { query: { fieldManager: 'putter' } },
    ),
    get('who owns replicas then', `${deployments}/web`),
    apply('alice applies without replicas', `${deployments}/web`, { manager: 'alice' }, deployment('web')),
  ],
};
