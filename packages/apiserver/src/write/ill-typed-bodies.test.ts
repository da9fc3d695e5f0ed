import type { Json } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGMAPS, type Conversation, CRDS, configMap, converse, type Reply } from '../conversation.fixture.ts';
import type { Draft } from '../kind.ts';
import { ADMIN } from '../server.ts';

/** What JSON allows and no object has: each is refused in the words of Kubernetes, and nothing of it is stored. */

const RODS = '/apis/example.org/v1/namespaces/default/rods';
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
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const ROD = { apiVersion: 'example.org/v1', kind: 'Rod' };
const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };

let api: Conversation;
beforeAll(async () => {
  api = await converse();
  await api.post(CRDS, definition);
  await api.post(RODS, { ...ROD, metadata: { name: 'kept' } });
  await api.post(CONFIGMAPS, configMap('kept'));
});
afterAll(() => api.server.close());

const message = ({ body }: Reply): string => body['message'];

/** As it comes over the network, where a number can be larger than any that this program can hold. */
async function sendText(method: 'POST' | 'PATCH', path: string, text: string, contentType: string): Promise<Reply> {
  const { answer } = await api.server.handle({
    method,
    path,
    query: new URLSearchParams('fieldManager=test'),
    headers: { 'content-type': contentType },
    body: { kind: 'bytes', bytes: Buffer.from(text) },
    user: ADMIN,
    signal: new AbortController().signal,
  });
  if (answer.kind === 'entry')
    return { status: answer.status, body: answer.entry.object as unknown as Draft, warnings: '' };
  if (answer.kind === 'value') return { status: answer.status, body: answer.value as Draft, warnings: '' };
  throw new Error(`a ${answer.kind} was not expected`);
}

const jsonPatch = (path: string, operation: object): Promise<Reply> =>
  api.send({ method: 'PATCH', path, body: [operation], contentType: 'application/json-patch+json' });

async function expectUntouched(collection: string): Promise<void> {
  const { body } = await api.get(collection);
  const ours = body['items'].filter((item: typeof body) => item.metadata.name !== 'kube-root-ca.crt');
  expect(ours).toHaveLength(1);
  expect(ours[0].metadata).not.toHaveProperty('generateName');
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences']) {
    expect(ours[0].metadata).not.toHaveProperty(field);
  }
  expect(ours[0]).not.toHaveProperty('spec');
}

const ILL_TYPED: readonly [field: string, value: Json, why: string][] = [
  ['labels', 'x', 'cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string'],
  ['labels', 1, 'cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string'],
  ['labels', { a: 1 }, 'cannot unmarshal number into Go struct field ObjectMeta.labels of type string'],
  ['annotations', 7, 'cannot unmarshal number into Go struct field ObjectMeta.annotations of type map[string]string'],
  ['finalizers', 1, 'cannot unmarshal number into Go struct field ObjectMeta.finalizers of type []string'],
  ['finalizers', 'x', 'cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string'],
  ['finalizers', {}, 'cannot unmarshal object into Go struct field ObjectMeta.finalizers of type []string'],
  ['finalizers', [1], 'cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string'],
  ['ownerReferences', 1, 'cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type'],
  [
    'ownerReferences',
    [{ uid: 1, name: 2, kind: 3, apiVersion: 4 }],
    'cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid of type',
  ],
  ['generateName', {}, 'cannot unmarshal object into Go struct field ObjectMeta.generateName of type string'],
  ['name', 5, 'cannot unmarshal number into Go struct field ObjectMeta.name of type string'],
];

describe('metadata of a custom resource with a field of the wrong type', () => {
  describe.each(ILL_TYPED)('%s: %j', (field, value, why) => {
    it('is refused where it would be created', async () => {
      const reply = await api.post(RODS, { ...ROD, metadata: { name: 'new', [field]: value } });
      expect(reply.status).toBe(400);
      expect(message(reply)).toContain(`Rod in version "v1" cannot be handled as a Rod: json: ${why}`);
      await expectUntouched(RODS);
    });

    it('is refused as what a patch leads to', async () => {
      const replies = [
        await api.merge(`${RODS}/kept`, { metadata: { [field]: value } }),
        await jsonPatch(`${RODS}/kept`, { op: 'add', path: `/metadata/${field}`, value }),
      ];
      for (const reply of replies) {
        expect(reply.status).toBe(422);
        expect(message(reply)).toContain(why);
      }
      await expectUntouched(RODS);
    });

    it('is refused in an applied configuration, as no part of the schema', async () => {
      const reply = await api.apply(`${RODS}/kept`, 'me', { ...ROD, metadata: { name: 'kept', [field]: value } });
      expect(message(reply)).toContain('failed to create typed patch object');
      await expectUntouched(RODS);
    });
  });

  it.each([
    ['finalizers', [null]],
    ['ownerReferences', [null]],
  ])('%s: %j is empty to Go, and as such invalid', async (field, value) => {
    const created = await api.post(RODS, { ...ROD, metadata: { name: 'new', [field]: value } });
    const merged = await api.merge(`${RODS}/kept`, { metadata: { [field]: value } });
    expect([created.status, merged.status]).toEqual([422, 422]);
    await expectUntouched(RODS);
  });
});

it.each([1, {}])('a patch to the resourceVersion %j is of the wrong type, not out of date', async resourceVersion => {
  for (const collection of [CONFIGMAPS, RODS]) {
    const reply = await api.merge(`${collection}/kept`, { metadata: { resourceVersion } });
    expect(reply.status).toBe(422);
    expect(message(reply)).toMatch(/cannot unmarshal (number|object) into .*resourceVersion of type string/);
  }
});

describe.each([
  ['a built-in kind', CONFIGMAPS, CONFIG_MAP, 'Go struct field ConfigMap.metadata of type v1.ObjectMeta'],
  ['a custom resource', RODS, ROD, 'Go value of type v1.ObjectMeta'],
])('metadata that is no object, of %s', (_, collection, type, target) => {
  it.each([
    [[], 'array'],
    [[1], 'array'],
    ['x', 'string'],
    ['', 'string'],
    [5, 'number'],
    [false, 'bool'],
  ])('%j', async (metadata, word) => {
    const why = `json: cannot unmarshal ${word} into ${target}`;
    const created = await api.post(collection, { ...type, metadata });
    expect(created.status).toBe(400);
    expect(message(created)).toBe(`${type.kind} in version "v1" cannot be handled as a ${type.kind}: ${why}`);
    for (const reply of [
      await api.merge(`${collection}/kept`, { metadata }),
      await jsonPatch(`${collection}/kept`, { op: 'replace', path: '/metadata', value: metadata }),
    ]) {
      expect(reply.status).toBe(422);
      expect(message(reply)).toContain(why);
    }
    const applied = await api.apply(`${collection}/kept`, 'me', { ...type, metadata });
    expect(message(applied)).toMatch(
      /^failed to create typed patch object \(\/; .*\): \.metadata: expected map, got &{/,
    );
    await expectUntouched(collection);
  });

  it('may be null, which is none', async () => {
    const created = await api.post(collection, { ...type, metadata: null });
    expect(message(created)).toContain('name or generateName is required');
  });
});

describe('a number beyond all numbers', () => {
  const why = 'json: cannot unmarshal number 1e400 into Go value of type float64';
  const rod = (name: string) => `{"apiVersion":"example.org/v1","kind":"Rod","metadata":{"name":"${name}"},"a":1e400}`;

  it('is refused in an object', async () => {
    const reply = await sendText('POST', RODS, rod('new'), 'application/json');
    expect(reply.status).toBe(400);
    expect(message(reply)).toBe(`Rod in version "v1" cannot be handled as a Rod: ${why}`);
  });

  it.each(['application/merge-patch+json', 'application/json-patch+json'])('is refused in a patch, %s', async type => {
    const text = type.includes('merge') ? '{"spec":{"a":1e400}}' : '[{"op":"add","path":"/spec","value":1e400}]';
    const reply = await sendText('PATCH', `${RODS}/kept`, text, type);
    expect(reply.status).toBe(400);
    expect(message(reply)).toBe(`error decoding patch: ${why}`);
    await expectUntouched(RODS);
  });

  it('is text in YAML, even where that is JSON as well', async () => {
    const { status, body } = await sendText('PATCH', `${RODS}/text`, rod('text'), 'application/apply-patch+yaml');
    expect(status).toBe(201);
    expect(body['a']).toBe('1e400');
    await api.remove(`${RODS}/text`);
  });
});
