import { apply, get, mergePatch, post, type Script, watch } from '../script.ts';
import { anything, crd } from './objects.ts';
import { crds } from './paths.ts';

const group = 'versions.example.org';
const version = (name: string, storage: boolean, properties: object, rest: object = {}) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  ...rest,
});
const text = { type: 'string' };
const path = (name: string) => `/apis/${group}/${name}/namespaces/$ns/boats`;
const boat = (apiVersion: string, name: string, spec: object) => ({
  apiVersion: `${group}/${apiVersion}`,
  kind: 'Boat',
  metadata: { name },
  spec,
});

export const crdVersions: Script = {
  name: 'crd-versions',
  about: 'custom resources in several versions, of the cluster, and without a schema',
  steps: [
    post(
      'defines boats in three versions',
      crds,
      crd(
        group,
        'Boat',
        {},
        {
          versions: [
            version('v1alpha1', false, { name: text, old: text }, { deprecated: true }),
            version('v1', true, { name: text, fresh: { ...text, default: 'new' } }),
            version('v2', false, { name: text }, { deprecated: true, deprecationWarning: 'v2 is not ready' }),
          ],
        },
      ),
    ),
    get('until boats are served', path('v1'), { until: { status: 200 } }),
    get('the versions of the group', `/apis/${group}`, { until: { status: 200 } }),
    post('creates in the old version', path('v1alpha1'), boat('v1alpha1', 'a', { name: 'A', old: 'x' })),
    get('reads in the storage version', `${path('v1')}/a`, { capture: { version: 'metadata.resourceVersion' } }),
    get('reads in the new version', `${path('v2')}/a`),
    get('lists in the old version', path('v1alpha1')),
    post('creates with the version of another', path('v1'), boat('v2', 'b', {})),
    apply('applies in the storage version', `${path('v1')}/a`, { manager: 'alice' }, boat('v1', 'a', { name: 'B' })),
    apply('applies in the new version', `${path('v2')}/a`, { manager: 'bob' }, boat('v2', 'a', { name: 'C' })),
    apply(
      'applies in the new version by force',
      `${path('v2')}/a`,
      { manager: 'bob', force: true },
      boat('v2', 'a', { name: 'C' }),
    ),
    get('who owns what then', `${path('v1')}/a`),
    watch('a watch in the new version', path('v2'), 1, { resourceVersion: '$version' }),
    get('a version that is not served', `/apis/${group}/v3/namespaces/$ns/boats`),
    mergePatch('stops to serve the old version', `${crds}/boats.${group}`, {
      spec: {
        versions: [
          version('v1alpha1', false, { name: text, old: text }, { served: false }),
          version('v1', true, { name: text, fresh: { ...text, default: 'new' } }),
        ],
      },
    }),
    get('until the old version is gone', path('v1alpha1'), { until: { status: 404 } }),
    get('the stored versions', `${crds}/boats.${group}`, { until: { status: 200 } }),

    post(
      'defines ports of the cluster without a schema',
      crds,
      crd(group, 'Harbor', { schema: { openAPIV3Schema: anything } }, { scope: 'Cluster' }),
    ),
    get('until harbors are served', `/apis/${group}/v1/harbors`, { until: { status: 200 } }),
    post('creates anything', `/apis/${group}/v1/harbors`, {
      apiVersion: `${group}/v1`,
      kind: 'Harbor',
      metadata: { name: 'h' },
      any: { thing: [1, 'a', null] },
      status: { x: 1 },
    }),
    post('creates in a namespace', `/apis/${group}/v1/namespaces/$ns/harbors`, {
      apiVersion: `${group}/v1`,
      kind: 'Harbor',
      metadata: { name: 'i' },
    }),
    mergePatch('changes anything', `/apis/${group}/v1/harbors/h`, {
      any: { thing: null, more: 1.5 },
      status: { x: 2 },
    }),
    apply(
      'applies anything',
      `/apis/${group}/v1/harbors/h`,
      { manager: 'alice' },
      { apiVersion: `${group}/v1`, kind: 'Harbor', metadata: { name: 'h' }, list: [{ a: 1 }], status: { y: 1 } },
    ),
    apply(
      'applies another list',
      `/apis/${group}/v1/harbors/h`,
      { manager: 'bob' },
      { apiVersion: `${group}/v1`, kind: 'Harbor', metadata: { name: 'h' }, list: [{ a: 1 }, { b: 2 }] },
    ),
    get('the status is no resource of its own', `/apis/${group}/v1/harbors/h/status`),
    get('nor is the scale', `/apis/${group}/v1/harbors/h/scale`),
  ],
};
