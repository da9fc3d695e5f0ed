import type { Json } from '@capstan/kube';
import { afterEach, describe, expect, it } from 'vitest';
import { CRDS } from '../conversation.fixture.ts';
import type { ConversionReview } from '../crd/index.ts';
import { type Decide, type Hooked, withHooks } from './webhooks.fixture.ts';

const CONVERT = 'https://convert.example.com/';
const schema = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
/** v1, which is stored, has millimetres as a number; v2 as a text with their unit. */
const definition = (conversion: object) => ({
  metadata: { name: 'rods.example.org' },
  spec: {
    group: 'example.org',
    names: { plural: 'rods', kind: 'Rod' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, storage: true, schema: schema({ size: { type: 'integer' } }) },
      { name: 'v2', served: true, storage: false, schema: schema({ length: { type: 'string' } }) },
    ],
    conversion,
  },
});
const rods = (version: string): string => `/apis/example.org/${version}/namespaces/default/rods`;
const rod = (spec: object) => ({ apiVersion: 'example.org/v1', kind: 'Rod', metadata: { name: 'a' }, spec });
const rulesFor = (version: string) => ({
  rules: [{ apiGroups: ['example.org'], apiVersions: [version], resources: ['rods'], operations: ['*'] }],
});

function convert(asked: Json): Json {
  const { request, ...review } = asked as unknown as ConversionReview;
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects = (objects as { spec: { size: number; length: string } }[]).map(({ spec, ...object }) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('v2') ? { length: `${spec.size} mm` } : { size: Number.parseInt(spec.length, 10) },
  }));
  return { ...review, response: { uid, result: { status: 'Success' }, convertedObjects } };
}

let api: Hooked;
afterEach(() => api.server.close());

async function serveRods(conversion: object): Promise<void> {
  api = await withHooks(['a', 'b'], { webhooks: { functions: { [CONVERT]: convert } } });
  expect((await api.post(CRDS, definition(conversion))).status).toBe(201);
}

const setLength =
  (length: string): Decide =>
  () => ({
    allowed: true,
    patch: [{ op: 'add', path: '/spec/length', value: length }],
  });

describe('a webhook that wants another version than the request has', () => {
  it('is shown what the conversion webhook makes of it, and its change is converted back', async () => {
    const webhook = { clientConfig: { url: CONVERT }, conversionReviewVersions: ['v1'] };
    await serveRods({ strategy: 'Webhook', webhook });
    await api.mutating('a', setLength('9 mm'), rulesFor('v2'));
    await api.validating('b', () => ({ allowed: true }), rulesFor('v2'));
    expect((await api.post(rods('v1'), rod({ size: 7 }))).body['spec']).toEqual({ size: 9 });
    expect(api.asked.map(([hook, { object, kind, requestKind }]) => [hook, object, kind, requestKind])).toMatchObject([
      ['a', { apiVersion: 'example.org/v2', spec: { length: '7 mm' } }, { version: 'v2' }, { version: 'v1' }],
      ['b', { apiVersion: 'example.org/v2', spec: { length: '9 mm' } }, { version: 'v2' }, { version: 'v1' }],
    ]);
  });

  it('cannot bring in a field that the version of the request does not have', async () => {
    await serveRods({ strategy: 'None' });
    await api.mutating('a', setLength('9 mm'), rulesFor('v2'));
    expect((await api.post(rods('v1'), rod({ size: 7 }))).body['spec']).toEqual({ size: 7 });
    expect((await api.get(`${rods('v1')}/a`)).body['spec']).toEqual({ size: 7 });
  });

  it('is not asked where it insists on its own', async () => {
    await serveRods({ strategy: 'None' });
    await api.mutating('a', setLength('9 mm'), { ...rulesFor('v2'), matchPolicy: 'Exact' });
    await api.post(rods('v1'), rod({ size: 7 }));
    expect(api.asked).toEqual([]);
  });

  it('is shown the old object in that version too', async () => {
    const webhook = { clientConfig: { url: CONVERT }, conversionReviewVersions: ['v1'] };
    await serveRods({ strategy: 'Webhook', webhook });
    await api.post(rods('v1'), rod({ size: 7 }));
    await api.validating('b', () => ({ allowed: true }), rulesFor('v2'));
    await api.remove(`${rods('v1')}/a`);
    expect(api.asked[0]![1]).toMatchObject({ oldObject: { apiVersion: 'example.org/v2', spec: { length: '7 mm' } } });
  });
});
