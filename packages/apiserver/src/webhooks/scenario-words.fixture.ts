/** What scenarios are made of. */
import type { HookSpec, Scenario, Step } from './scenario.fixture.ts';

export const CONFIGMAPS = '/api/v1/namespaces/$ns/configmaps';
export const PODS = '/api/v1/namespaces/$ns/pods';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/$ns/deployments';
export const MERGE = 'application/merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export const configMap = (name: string, data: object = { given: 'y' }, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
export const create = (name: string, query = ''): Step => ({
  request: `POST ${CONFIGMAPS}${query}`,
  body: configMap(name),
});
export const merge = (name: string, body: object): Step => ({
  request: `PATCH ${CONFIGMAPS}/${name}`,
  body,
  contentType: MERGE,
});

export const rule = (resources: readonly string[], apiGroups = [''], operations = ['*'], apiVersions = ['*']) => ({
  rules: [{ apiGroups, apiVersions, resources, operations }],
});

export const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'example/main:1' }] },
});
export const deployment = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod('').spec },
  },
});

/** Webhooks that break a request must not break the probes that tell when they are in place. */
export const NOT_PROBES = { objectSelector: { matchExpressions: [{ key: 'probe', operator: 'DoesNotExist' }] } };

/** A webhook that behaves in a certain way, and a write that meets it. */
export const meeting = (type: HookSpec['type'], does: string, spec: object = {}): Scenario => ({
  name: `${type}${does.replace('/', '-')}${'failurePolicy' in spec ? '-ignored' : ''}`,
  setUp: [create('there')],
  webhooks: [{ type, does, ...NOT_PROBES, ...spec }],
  steps: [create('one')],
});
