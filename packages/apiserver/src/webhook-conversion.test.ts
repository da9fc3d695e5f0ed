import type { Json } from '@capstan/kube';
import { drained } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, CRDS, converse } from './conversation.fixture.ts';
import type { ConversionReview } from './crd/index.ts';
import type { Draft } from './kind.ts';

/** v1, which is stored, has `spec.size` as a number of millimetres; v2 has `spec.length` as a text with its unit. */
const schema = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
});
const DEFINITION = {
  metadata: { name: 'rods.example.org' },
  spec: {
    group: 'example.org',
    names: { plural: 'rods', kind: 'Rod' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1', served: true, storage: true, schema: schema({ size: { type: 'integer' } }) },
      { name: 'v2', served: true, storage: false, schema: schema({ length: { type: 'string' } }) },
    ],
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: { url: 'https://127.0.0.1/convert' }, conversionReviewVersions: ['v1'] },
    },
  },
};
const V1 = '/apis/example.org/v1/namespaces/default/rods';
const V2 = '/apis/example.org/v2/namespaces/default/rods';
const rod = (version: string, name: string, spec: object) => ({
  apiVersion: `example.org/${version}`,
  kind: 'Rod',
  metadata: { name },
  spec,
});

let api: Conversation;
let reviews: ConversionReview[];
let failing: Error | undefined;

async function convert(asked: Json): Promise<Json> {
  const review = asked as unknown as ConversionReview;
  reviews.push(review);
  if (failing) throw failing;
  const { uid, desiredAPIVersion, objects } = review.request;
  const convertedObjects = (objects as unknown as Draft[]).map(object => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('v2')
      ? { length: `${object['spec'].size} mm` }
      : { size: Number.parseInt(object['spec'].length, 10) },
  }));
  return {
    apiVersion: review.apiVersion,
    kind: review.kind,
    response: { uid, result: { status: 'Success' }, convertedObjects: convertedObjects as unknown as Json },
  };
}

beforeEach(async () => {
  reviews = [];
  failing = undefined;
  api = await converse({ webhooks: { functions: { 'https://127.0.0.1/convert': convert } } });
  await api.post(CRDS, DEFINITION);
});
afterEach(() => api.server.close());

describe('a kind whose versions a webhook converts', () => {
  it('is written in one version and read in the other', async () => {
    const created = await api.post(V2, rod('v2', 'a', { length: '7 mm' }));
    expect([created.status, created.body['spec']]).toEqual([201, { length: '7 mm' }]);
    expect((await api.get(`${V1}/a`)).body['spec']).toEqual({ size: 7 });
    expect((await api.merge(`${V2}/a`, { spec: { length: '9 mm' } })).body.metadata.generation).toBe(2);
    expect((await api.get(`${V1}/a`)).body['spec']).toEqual({ size: 9 });
    expect((await api.remove(`${V2}/a`)).status).toBe(200);
  });

  it('is converted once for each version of an object, and a list in one question', async () => {
    for (const [name, size] of [
      ['a', 1],
      ['b', 2],
    ] as const)
      await api.post(V1, rod('v1', name, { size }));
    const list = await api.get(V2);
    expect(list.body['items'].map((item: Draft) => item['spec'])).toEqual([{ length: '1 mm' }, { length: '2 mm' }]);
    await api.get(`${V2}/a`);
    expect(reviews.map(({ request }) => request.objects.length)).toEqual([2]);
  });

  it('is watched in the order of its changes', async () => {
    await api.post(V1, rod('v1', 'a', { size: 1 }));
    const watching = await api.watch(V2);
    await api.merge(`${V1}/a`, { spec: { size: 2 } });
    await api.remove(`${V1}/a`);
    await drained();
    const seen = watching.events.map(({ type, object }) => [type, (object as unknown as Draft)['spec'].length]);
    expect(seen).toEqual([
      ['ADDED', '1 mm'],
      ['MODIFIED', '2 mm'],
      ['DELETED', '2 mm'],
    ]);
  });

  it('is not asked where nothing has to be converted', async () => {
    await api.post(V1, rod('v1', 'a', { size: 1 }));
    await api.get(V1);
    expect(reviews).toEqual([]);
  });
});

describe('a webhook that fails', () => {
  const words = 'conversion webhook for example.org/v1, Kind=Rod failed: connection refused';
  beforeEach(async () => {
    await api.post(V1, rod('v1', 'a', { size: 1 }));
    failing = new Error('connection refused');
  });

  it('is answered with 500 and its words', async () => {
    expect((await api.get(`${V2}/a`)).body).toMatchObject({ code: 500, message: words });
    expect((await api.get(V2)).body).toMatchObject({ code: 500, message: words });
    expect((await api.get(`${V1}/a`)).status).toBe(200);
  });

  it('ends a watch', async () => {
    const watching = await api.watch(V2);
    expect(watching).toMatchObject({ ended: true, events: [{ type: 'ERROR', object: { code: 500, message: words } }] });
  });
});
