import type { Json, JsonPatchOperation } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGMAPS, CRDS, configMap } from '../conversation.fixture.ts';
import { type Hooked, withHooks } from './webhooks.fixture.ts';

const RODS = '/apis/example.org/v1/namespaces/default/rods';
const spec = { type: 'object', properties: { size: { type: 'integer' } } };
const definition = {
  metadata: { name: 'rods.example.org' },
  spec: {
    group: 'example.org',
    names: { plural: 'rods', kind: 'Rod' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      },
    ],
  },
};
const rod = { apiVersion: 'example.org/v1', kind: 'Rod', metadata: { name: 'b' }, spec: { size: 1 } };

const ODD: readonly Json[] = [null, 5, 'x', true, [], [5], [null], {}, { a: 5 }, { a: null }, { __proto__: { b: 1 } }];
const PATHS = [
  '',
  '/metadata',
  '/metadata/name',
  '/metadata/namespace',
  '/metadata/labels',
  '/metadata/annotations',
  '/metadata/finalizers',
  '/metadata/ownerReferences',
  '/metadata/managedFields',
  '/metadata/resourceVersion',
  '/metadata/generation',
  '/metadata/creationTimestamp',
  '/kind',
  '/apiVersion',
  '/data',
  '/spec',
];

let api: Hooked;
let patch: JsonPatchOperation[];
beforeAll(async () => {
  api = await withHooks(['a']);
  await api.post(CRDS, definition);
  const rules = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps', 'rods'], operations: ['*'] }];
  await api.mutating('a', ({ operation }) => (operation === 'DELETE' ? { allowed: true } : { allowed: true, patch }), {
    rules,
  });
});
afterAll(() => api.server.close());

describe('whatever a webhook makes of an object, the server answers and goes on', () => {
  it.each(PATHS)('%s', async path => {
    for (const value of ODD) {
      patch = [{ op: path === '' ? 'replace' : 'add', path, value }] as JsonPatchOperation[];
      for (const [collection, object] of [
        [CONFIGMAPS, configMap('a', { n: '1' })],
        [RODS, rod],
      ] as const) {
        // `onError` of the fixture throws: an answer means that nothing failed in a way that nobody foresaw.
        const { status } = await api.post(collection, object);
        expect(status).toBeGreaterThan(200);
        if (status !== 201) continue;
        expect((await api.get(collection)).body['items']).toHaveLength(1);
        const { name } = object.metadata;
        await api.merge(`${collection}/${name}`, { metadata: { annotations: { touched: 'yes' } } });
        await api.remove(collection);
      }
    }
  });
});
