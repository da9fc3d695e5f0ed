import { drained } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CONFIGMAPS, type Conversation, configMap, converse, types } from './conversation.fixture.ts';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
});
afterEach(() => api.server.close());

describe('a watch', () => {
  it('goes on exactly where the client left off', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('a'));
    await api.merge(`${CONFIGMAPS}/a`, { data: { x: '1' } });
    await api.remove(`${CONFIGMAPS}/a`);
    const watching = await api.watch(CONFIGMAPS, { resourceVersion: body.metadata.resourceVersion! });
    expect(types(watching)).toEqual(['MODIFIED', 'DELETED']);
  });

  it('shows with a deletion the last state, in the version of the deletion', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('a', { x: '1' }));
    const watching = await api.watch(CONFIGMAPS, { resourceVersion: body.metadata.resourceVersion! });
    await api.remove(`${CONFIGMAPS}/a`);
    await drained();
    const version = String(Number(body.metadata.resourceVersion) + 1);
    expect(watching.events).toEqual([
      { type: 'DELETED', object: { ...body, metadata: { ...body.metadata, resourceVersion: version } } },
    ]);
  });

  it('without a version begins with what is there', async () => {
    await api.post(CONFIGMAPS, configMap('a'));
    const watching = await api.watch(CONFIGMAPS);
    await api.post(CONFIGMAPS, configMap('b'));
    await drained();
    expect(types(watching)).toEqual(['ADDED', 'ADDED']);
  });

  it('from a version that this server never had ends with 410 too: the client knows another one', async () => {
    const watching = await api.watch(CONFIGMAPS, { resourceVersion: '999999' });
    await drained();
    expect(watching.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  });

  it('from a version that is forgotten ends with 410', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('a'));
    await api.merge(`${CONFIGMAPS}/a`, { data: { x: '1' } });
    const { store } = api.server.backend;
    store.compact(store.revision);
    const watching = await api.watch(CONFIGMAPS, { resourceVersion: body.metadata.resourceVersion! });
    expect(watching).toMatchObject({
      ended: true,
      events: [{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }],
    });
  });

  it('tells of what comes into its selection and of what leaves it', async () => {
    const watching = await api.watch(CONFIGMAPS, { labelSelector: 'color=red' });
    await api.post(CONFIGMAPS, configMap('a', {}, { labels: { color: 'blue' } }));
    await api.merge(`${CONFIGMAPS}/a`, { metadata: { labels: { color: 'red' } } });
    await api.merge(`${CONFIGMAPS}/a`, { metadata: { labels: { color: 'blue' } } });
    await api.remove(`${CONFIGMAPS}/a`);
    await drained();
    expect(types(watching)).toEqual(['ADDED', 'DELETED']);
  });

  it('is ended by the server when its time is over', async () => {
    const watching = await api.watch(CONFIGMAPS, { timeoutSeconds: '30' });
    await api.clock.advance(29_000);
    expect(watching.ended).toBe(false);
    await api.clock.advance(1_000);
    expect(watching.ended).toBe(true);
  });

  it('is over at once when its time is below nothing, which no timer is told', async () => {
    const after = vi.spyOn(api.clock, 'after');
    const watching = await api.watch(CONFIGMAPS, { timeoutSeconds: '-5' });
    await api.clock.advance(1);
    expect(watching.ended).toBe(true);
    expect(Math.min(...after.mock.calls.map(([milliseconds]) => milliseconds))).toBe(0);
  });

  it('goes on for as long as its client can write down', async () => {
    const watching = await api.watch(CONFIGMAPS, { timeoutSeconds: String(2n ** 63n - 1n) });
    await api.clock.advance(24 * 60 * 60 * 1000);
    expect(watching.ended).toBe(false);
  });

  it.each([
    [String(2n ** 63n), 'value out of range'],
    [String(-(2n ** 63n) - 1n), 'value out of range'],
    ['9'.repeat(100_000), 'value out of range'],
    ['1.5', 'invalid syntax'],
    ['soon', 'invalid syntax'],
  ])('is refused for a time that is no number of Go: %.30s', async (timeoutSeconds, why) => {
    const { status, body } = await api.get(CONFIGMAPS, { timeoutSeconds });
    expect(status).toBe(400);
    expect(body['message']).toBe(`strconv.ParseInt: parsing "${timeoutSeconds}": ${why}`);
  });

  it('says every minute how far it is, to who wants to know', async () => {
    const watching = await api.watch(CONFIGMAPS, { allowWatchBookmarks: 'true' });
    const other = await api.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    await api.clock.advance(60_000);
    expect(watching.events).toMatchObject([
      { type: 'BOOKMARK', object: { metadata: { resourceVersion: other.body.metadata.resourceVersion } } },
    ]);
  });

  it('can begin with the list, whose end is marked', async () => {
    await api.post(CONFIGMAPS, configMap('a'));
    const query = { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan', allowWatchBookmarks: 'true' };
    const watching = await api.watch(CONFIGMAPS, query);
    expect(types(watching)).toEqual(['ADDED', 'BOOKMARK']);
    expect(watching.events[1]!.object.metadata).toEqual({
      resourceVersion: String(api.server.backend.store.revision),
      annotations: { 'k8s.io/initial-events-end': 'true' },
    });
  });

  it('shows metadata alone to who needs no more', async () => {
    await api.post(CONFIGMAPS, configMap('a', { x: '1' }));
    const accept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
    const [event] = (await api.watch(CONFIGMAPS, {}, { accept })).events;
    expect(event!.object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
    expect(event!.object).not.toHaveProperty('data');
  });
});
