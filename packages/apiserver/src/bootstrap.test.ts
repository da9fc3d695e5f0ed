import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from './bootstrap.ts';
import { type Conversation, converse, names } from './conversation.fixture.ts';

const SERVICES = '/api/v1/namespaces/default/services';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
});
afterEach(() => api.server.close());

describe('a new cluster', () => {
  it('has the namespaces that every Kubernetes has', async () => {
    const all = names(await api.get('/api/v1/namespaces'));
    expect(all).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });

  it('keeps the first address for its own API', async () => {
    const { spec } = (await api.get(`${SERVICES}/kubernetes`)).body;
    expect(spec).toMatchObject({ clusterIP: '10.96.0.1', ports: [{ port: 443, targetPort: 6443 }] });
    const { body } = await api.post(SERVICES, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    expect(body['spec'].clusterIP).toBe('10.96.0.2');
  });

  it('is not written again by a second start', async () => {
    const { store, clock, random } = api.server.backend;
    const before = store.revision;
    await bootstrap(store, clock, random);
    expect(store.revision).toBe(before);
  });

  it('leaves the first address to a Service that had it before', async () => {
    await api.remove(`${SERVICES}/kubernetes`);
    await api.post(SERVICES, { metadata: { name: 'old' }, spec: { clusterIP: '10.96.0.1', ports: [{ port: 80 }] } });
    const { store, clock, random } = api.server.backend;
    await bootstrap(store, clock, random);
    expect(names(await api.get(SERVICES))).toEqual(['old']);
  });
});
