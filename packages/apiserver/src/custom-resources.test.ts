import { drained } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, CRDS, converse, names } from './conversation.fixture.ts';
import type { Draft } from './kind.ts';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
});
afterEach(() => api.server.close());

const BOATS = '/apis/example.org/v1/namespaces/default/boats';
const OLD_BOATS = '/apis/example.org/v1beta1/namespaces/default/boats';

const schema = (spec: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
});
const V1 = {
  name: 'v1',
  served: true,
  storage: true,
  schema: schema({ name: { type: 'string' }, crew: { type: 'integer', default: 1 } }),
  subresources: { status: {} },
};
const V1BETA1 = {
  ...V1,
  name: 'v1beta1',
  storage: false,
  deprecated: true,
  schema: schema({ name: { type: 'string' }, mast: { type: 'string' } }),
};

const define = (...versions: object[]) =>
  api.post(CRDS, {
    metadata: { name: 'boats.example.org' },
    spec: { group: 'example.org', names: { plural: 'boats', kind: 'Boat' }, scope: 'Namespaced', versions },
  });
const boat = (name: string, spec: object = {}, version = 'v1') => ({
  apiVersion: `example.org/${version}`,
  kind: 'Boat',
  metadata: { name },
  spec,
});

describe('a definition', () => {
  it('is established at once, and the server owns its status', async () => {
    await define(V1);
    const { body } = await api.get(`${CRDS}/boats.example.org`);
    expect(body['status'].conditions).toMatchObject([
      { type: 'NamesAccepted', status: 'True' },
      { type: 'Established', status: 'True' },
    ]);
    const managers = body.metadata['managedFields'].map((one: Draft) => [one['manager'], one['subresource']]);
    expect(managers).toContainEqual(['kube-apiserver', 'status']);
  });

  it('takes thousands of objects with it, also while they are written to', async () => {
    await define(V1);
    for (let n = 0; n < 3000; n++) await api.post(BOATS, boat(`boat-${n}`));
    const writes = [0, 1500, 2999].map(n =>
      api.put(`${BOATS}/boat-${n}`, { ...boat(`boat-${n}`, { name: 'late' }), metadata: { name: `boat-${n}` } }),
    );
    await Promise.all([api.remove(`${CRDS}/boats.example.org`), ...writes]);
    expect((await api.get(`${CRDS}/boats.example.org`)).status).toBe(404);
    await define(V1);
    expect(names(await api.get(BOATS))).toEqual([]);
  });

  it('ends the watches of its kind when it is gone', async () => {
    await define(V1);
    const watching = await api.watch(BOATS);
    await api.remove(`${CRDS}/boats.example.org`);
    await drained();
    await define(V1);
    await api.post(BOATS, boat('of-another-kind'));
    await drained();
    expect(watching.events).toEqual([]);
    expect(watching.ended).toBe(true);
  });

  it('lets nothing new come while it is on its way out', async () => {
    await define(V1);
    await api.post(BOATS, { ...boat('held'), metadata: { name: 'held', finalizers: ['example.org/hold'] } });
    await api.remove(`${CRDS}/boats.example.org`);
    expect((await api.post(BOATS, boat('late'))).status).toBe(405);
    expect((await api.get(BOATS)).status).toBe(200);
  });

  it('takes its objects with it, each with its finalizers', async () => {
    await define(V1);
    await api.post(BOATS, boat('free'));
    await api.post(BOATS, { ...boat('held'), metadata: { name: 'held', finalizers: ['example.org/hold'] } });
    await api.remove(`${CRDS}/boats.example.org`);
    expect(names(await api.get(BOATS))).toEqual(['held']);
    await api.merge(`${BOATS}/held`, { metadata: { finalizers: [] } });
    expect((await api.get(BOATS)).status).toBe(404);
    expect((await api.get(`${CRDS}/boats.example.org`)).status).toBe(404);
  });

  it('is served by a fork as before', async () => {
    await define(V1);
    await api.post(BOATS, boat('a'));
    const fork = api.server.fork();
    const { body } = await fork.transport().request({ method: 'GET', path: BOATS });
    expect((body as Draft)['items']).toHaveLength(1);
    await fork.close();
  });
});

describe('an object of a version that is not the stored one', () => {
  beforeEach(() => define(V1, V1BETA1));

  it('keeps what the stored version knows, and shows no more', async () => {
    const { body, warnings } = await api.post(OLD_BOATS, boat('a', { name: 'A', mast: 'tall' }, 'v1beta1'));
    expect(body['spec']).toEqual({ name: 'A' });
    expect(warnings).toContain('example.org/v1beta1 Boat is deprecated; use example.org/v1 Boat');
    expect((await api.get(`${BOATS}/a`)).body['spec']).toEqual({ name: 'A', crew: 1 });
  });
});

describe('a body that is not of the kind', () => {
  beforeEach(() => define(V1));

  it.each([
    ['says nothing', { metadata: { name: 'a' } }, 400, "Object 'Kind' is missing in"],
    ['says another kind', { ...boat('a'), kind: 'Ship' }, 422, 'kind: Invalid value: "Ship": must be Boat'],
    ['says another version', boat('a', {}, 'v2'), 400, 'does not match the expected API version (example.org/v1)'],
  ])('%s', async (_, body, code, words) => {
    const refused = await api.post(BOATS, body);
    expect(refused.status).toBe(code);
    expect(refused.body['message']).toContain(words);
  });
});

describe('paths of custom resources', () => {
  beforeEach(() => define(V1));

  it('that lead nowhere are answered as by any web server', async () => {
    const nowhere = ['/apis/example.org/v1/ships', '/apis/example.org/v9/boats', '/apis/nothing.example.org/v1'];
    for (const path of nowhere) expect((await api.get(path)).body).toBe('404 page not found\n');
  });

  it('to a subresource that there is not miss the object', async () => {
    await api.post(BOATS, boat('a'));
    const { body } = await api.get(`${BOATS}/a/scale`);
    expect(body).toMatchObject({ code: 404, details: { name: 'a', group: 'example.org', kind: 'boats' } });
  });
});
