import { createApiServer } from '@capstan/apiserver';
import { clusterRoleBindings, clusterRoles, createClient } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { describe, expect, it } from 'vitest';
import { chartOf, configMap, plainRenderer as render } from '../action/chart.fixture.ts';
import { createHelm } from '../action/context.ts';
import { verdictOn } from './definitions.ts';
import { fieldChanges, withoutSecrets } from './diff.ts';
import { plan } from './plan.ts';

describe('the plan of someone who may only look', () => {
  it('names every permission that is missing', async () => {
    const clock = new SteppedClock();
    const random = seededRandom(1);
    const server = await createApiServer({ clock, random, authorize: 'rbac' });
    const admin = createClient({ transport: server.transport(), clock, random });
    await admin.create(clusterRoles, {
      metadata: { name: 'look' },
      rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }],
    });
    await admin.create(clusterRoleBindings, {
      metadata: { name: 'look' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'look' },
      subjects: [{ kind: 'User', name: 'guest', apiGroup: 'rbac.authorization.k8s.io' }],
    });
    const client = admin.as({ user: 'guest', groups: ['system:authenticated'] });
    const helm = createHelm({ client, namespace: 'default', clock, random });
    const chart = chartOf({ documents: [configMap('settings')] });
    const planned = await plan(helm, { name: 'app', chart, values: {}, render, install: true });
    expect(
      planned.missingPermissions.map(({ verb, resource, namespace }) => `${verb} ${resource} ${namespace}`),
    ).toEqual([
      'create secrets default',
      'update secrets default',
      'delete secrets default',
      'create configmaps default',
      'patch configmaps default',
    ]);
    expect(planned.objects).toMatchObject([{ change: 'refused', why: expect.stringContaining('forbidden') }]);
  });
});

describe('changes of fields', () => {
  it('go by the names of list items, not by their places', () => {
    const before = {
      list: [
        { name: 'a', x: 1 },
        { name: 'b', x: 1 },
      ],
      gone: true,
    };
    const after = {
      list: [
        { name: 'b', x: 2 },
        { name: 'a', x: 1 },
      ],
      come: null,
    };
    expect(fieldChanges(before, after)).toEqual([
      { path: 'come', after: null },
      { path: 'gone', before: true },
      { path: 'list[name=b].x', before: 1, after: 2 },
    ]);
  });

  it('never show what a Secret holds', () => {
    const changes = [
      { path: 'data.password', before: 'b2xk', after: 'bmV3' },
      { path: 'type', after: 'Opaque' },
    ];
    expect(withoutSecrets({ kind: 'Secret' }, changes)).toEqual([
      { path: 'data.password', before: '(hidden)', after: '(hidden)' },
      { path: 'type', after: 'Opaque' },
    ]);
  });
});

describe('the verdict on a definition', () => {
  const definition = (schema: object, more: object = {}): Parameters<typeof verdictOn>[0] => ({
    metadata: { name: 'boats.example.com' },
    spec: {
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: schema as Record<string, never> } }],
      ...more,
    },
    status: { storedVersions: ['v1'] },
  });
  const boats = definition({ type: 'object', properties: { sails: { type: 'integer' } } });

  it.each([
    ['same', { type: 'object', properties: { sails: { type: 'integer', description: 'how many' } } }, {}, []],
    ['safe', { type: 'object', properties: { sails: { type: 'integer' }, name: { type: 'string' } } }, {}, []],
    ['unsafe', { type: 'object', properties: {} }, {}, ['v1.sails goes away']],
    [
      'unsafe',
      { type: 'object', properties: { sails: { type: 'string' } } },
      {},
      ['v1.sails: the type changes from integer to string'],
    ],
    [
      'unsafe',
      { type: 'object', required: ['sails'], properties: { sails: { type: 'integer' } } },
      {},
      ['v1.sails becomes required'],
    ],
    [
      'unsafe',
      { type: 'object', properties: { sails: { type: 'integer', enum: [1, 2] } } },
      {},
      ['v1.sails: (anything) is no longer allowed'],
    ],
    ['unsafe', {}, { versions: [] }, ['version v1 is stored, and goes away', 'version v1 is served, and goes away']],
    [
      'unsafe',
      { type: 'object', properties: { sails: { type: 'integer' } } },
      { scope: 'Cluster' },
      ['the scope changes from Namespaced to Cluster'],
    ],
  ])('%s: %j %j', (verdict, schema, more, problems) => {
    expect(verdictOn(boats, definition(schema, more))).toEqual({ name: 'boats.example.com', verdict, problems });
  });
});
