import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIGMAPS, type Conversation, CRDS, configMap, converse } from './conversation.fixture.ts';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
});
afterEach(() => api.server.close());

describe('versions', () => {
  it('count up over all kinds', async () => {
    const first = await api.post(CONFIGMAPS, configMap('a'));
    const second = await api.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    expect(Number(second.body.metadata.resourceVersion)).toBe(Number(first.body.metadata.resourceVersion) + 1);
  });

  it('let the first of two writers win and tell the second to look again', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('a'));
    expect((await api.put(`${CONFIGMAPS}/a`, { ...body, data: { by: 'alice' } })).status).toBe(200);
    const late = await api.put(`${CONFIGMAPS}/a`, { ...body, data: { by: 'bob' } });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({ reason: 'Conflict', details: { name: 'a', kind: 'configmaps' } });
    expect((await api.get(`${CONFIGMAPS}/a`)).body['data']).toEqual({ by: 'alice' });
  });

  it('are not needed to replace a built-in object, and are for a custom one', async () => {
    await api.post(CONFIGMAPS, configMap('a'));
    expect((await api.put(`${CONFIGMAPS}/a`, configMap('a', { x: '1' }))).status).toBe(200);
    await defineWidgets(api);
    const widgets = '/apis/example.org/v1/namespaces/default/widgets';
    const widget = { apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name: 'w' } };
    await api.post(widgets, widget);
    const refused = await api.put(`${widgets}/w`, widget);
    expect(refused.status).toBe(422);
    expect(refused.body['message']).toContain('metadata.resourceVersion: Invalid value: 0: must be specified');
  });

  it('stay when a write changes nothing, and nobody is told', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('a', { x: '1' }));
    const watching = await api.watch(CONFIGMAPS, { resourceVersion: body.metadata.resourceVersion! });
    await api.clock.advance(5000);
    const again = await api.merge(`${CONFIGMAPS}/a`, { data: { x: '1' } });
    expect(again.body).toEqual(body);
    expect(watching.events).toEqual([]);
  });
});

describe('names', () => {
  it('are made up where only a beginning is given', async () => {
    const make = () => api.post(CONFIGMAPS, { metadata: { generateName: 'run-' } });
    const [first, second] = [await make(), await make()];
    expect(first.body.metadata.name).toMatch(/^run-[b-df-hj-np-tv-xz2-9]{5}$/);
    expect(second.body.metadata.name).not.toBe(first.body.metadata.name);
  });

  it('are refused when they are taken or no names', async () => {
    await api.post(CONFIGMAPS, configMap('a'));
    expect((await api.post(CONFIGMAPS, configMap('a'))).body).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect((await api.post(CONFIGMAPS, configMap('A'))).body).toMatchObject({ code: 422, reason: 'Invalid' });
  });
});

describe('a dry run', () => {
  it('answers as if and writes nothing, whatever the request', async () => {
    const dryRun = { dryRun: 'All' };
    expect((await api.post(CONFIGMAPS, configMap('new'), dryRun)).status).toBe(201);
    const { body } = await api.post(CONFIGMAPS, configMap('a', { x: '1' }));
    const changed = await api.put(`${CONFIGMAPS}/a`, configMap('a', { x: '2' }), dryRun);
    expect(changed.body['data']).toEqual({ x: '2' });
    expect((await api.merge(`${CONFIGMAPS}/a`, { data: { x: '3' } }, dryRun)).body['data']).toEqual({ x: '3' });
    const config = { apiVersion: 'v1', kind: 'ConfigMap', data: { y: '4' } };
    expect((await api.apply(`${CONFIGMAPS}/a`, 'bob', config, dryRun)).status).toBe(200);
    expect((await api.remove(`${CONFIGMAPS}/a`, undefined, dryRun)).status).toBe(200);
    expect((await api.remove(CONFIGMAPS, undefined, dryRun)).status).toBe(200);
    expect((await api.get(CONFIGMAPS)).body['items']).toEqual([body]);
  });
});

describe('fields that the kind does not have', () => {
  const odd = { ...configMap('a'), nothing: 1 };

  it('are warned of', async () => {
    const { status, warnings, body } = await api.post(CONFIGMAPS, odd);
    expect([status, body['nothing']]).toEqual([201, undefined]);
    expect(warnings).toBe('299 - "unknown field \\"nothing\\""');
  });

  it('are refused where the client is strict, and passed over where it does not care', async () => {
    const strict = await api.post(CONFIGMAPS, odd, { fieldValidation: 'Strict' });
    expect(strict.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(strict.body['message']).toContain('strict decoding error: unknown field "nothing"');
    expect((await api.post(CONFIGMAPS, odd, { fieldValidation: 'Ignore' })).warnings).toBe('');
  });
});

async function defineWidgets({ post }: Conversation): Promise<void> {
  await post(CRDS, {
    metadata: { name: 'widgets.example.org' },
    spec: {
      group: 'example.org',
      names: { plural: 'widgets', kind: 'Widget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
}
