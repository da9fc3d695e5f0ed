import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIGMAPS, type Conversation, configMap, converse, names } from './conversation.fixture.ts';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
  for (const name of ['c', 'a', 'b']) {
    await api.post(CONFIGMAPS, configMap(name, {}, { labels: { first: String(name === 'a') } }));
  }
});
afterEach(() => api.server.close());

describe('a list', () => {
  it('comes in the order of names and carries the version it is of', async () => {
    const list = await api.get(CONFIGMAPS);
    expect(names(list)).toEqual(['a', 'b', 'c']);
    expect(list.body.metadata.resourceVersion).toBe(String(api.server.backend.store.revision));
  });

  it('is narrowed by labels and by fields', async () => {
    expect(names(await api.get(CONFIGMAPS, { labelSelector: 'first=true' }))).toEqual(['a']);
    expect(names(await api.get(CONFIGMAPS, { fieldSelector: 'metadata.name!=a' }))).toEqual(['b', 'c']);
  });

  it('is refused by a field that is not selectable', async () => {
    const refused = await api.get(CONFIGMAPS, { fieldSelector: 'data.x=1' });
    expect(refused.body).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('comes in pages that together are one moment, whatever happens in between', async () => {
    const first = await api.get(CONFIGMAPS, { limit: '2' });
    expect(names(first)).toEqual(['a', 'b']);
    expect(first.body.metadata['remainingItemCount']).toBe(1);
    await api.post(CONFIGMAPS, configMap('d'));
    const second = await api.get(CONFIGMAPS, { limit: '2', continue: first.body.metadata['continue'] });
    expect(names(second)).toEqual(['c']);
    expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
    expect(second.body.metadata).not.toHaveProperty('continue');
  });

  it('whose moment is forgotten ends with 410 and a token to go on without it', async () => {
    const first = await api.get(CONFIGMAPS, { limit: '2' });
    await api.post(CONFIGMAPS, configMap('d'));
    const { store } = api.server.backend;
    store.compact(store.revision);
    const expired = await api.get(CONFIGMAPS, { limit: '2', continue: first.body.metadata['continue'] });
    expect(expired.body).toMatchObject({ code: 410, reason: 'Expired' });
    const rest = await api.get(CONFIGMAPS, { continue: expired.body.metadata['continue'] });
    expect(names(rest)).toEqual(['c', 'd']);
  });

  it('refuses a token that it did not give', async () => {
    const refused = await api.get(CONFIGMAPS, { continue: 'e30' });
    expect(refused.body['message']).toMatch(/^invalid continue token: continue key is not valid: /);
  });

  it('shows a version of the past where that very one is asked for', async () => {
    const past = (await api.get(CONFIGMAPS)).body.metadata.resourceVersion!;
    await api.remove(`${CONFIGMAPS}/a`);
    const exact = { resourceVersion: past, resourceVersionMatch: 'Exact' };
    expect(names(await api.get(CONFIGMAPS, exact))).toEqual(['a', 'b', 'c']);
    expect(names(await api.get(CONFIGMAPS, { resourceVersion: past }))).toEqual(['b', 'c']);
  });

  it('shows metadata alone to who needs no more', async () => {
    const as = (kind: string) => ({ accept: `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json` });
    const list = await api.send({
      method: 'GET',
      path: CONFIGMAPS,
      headers: as('PartialObjectMetadataList'),
    });
    expect(list.body.kind).toBe('PartialObjectMetadataList');
    expect(Object.keys(list.body['items'][0])).toEqual(['kind', 'apiVersion', 'metadata']);
    const wrong = await api.send({ method: 'GET', path: CONFIGMAPS, headers: as('PartialObjectMetadata') });
    expect(wrong.status).toBe(406);
  });
});
