import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Conversation, converse, DEPLOYMENTS, deployment, PODS, pod } from './conversation.fixture.ts';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
});
afterEach(() => api.server.close());

describe('the status', () => {
  beforeEach(() => api.post(DEPLOYMENTS, { ...deployment('web'), status: { replicas: 9 } }));

  it('is not written through the main endpoint', async () => {
    expect((await api.get(`${DEPLOYMENTS}/web`)).body['status']).toEqual({});
    const { body } = await api.merge(`${DEPLOYMENTS}/web`, { spec: { replicas: 2 }, status: { replicas: 9 } });
    expect([body['spec'].replicas, body['status']]).toEqual([2, {}]);
  });

  it('is all that is written through its own, and no new generation', async () => {
    const { body } = await api.merge(`${DEPLOYMENTS}/web/status`, { spec: { replicas: 2 }, status: { replicas: 1 } });
    expect([body['spec'].replicas, body['status'].replicas, body.metadata.generation]).toEqual([1, 1, 1]);
  });

  it('belongs to whoever wrote it there', async () => {
    const { body } = await api.merge(
      `${DEPLOYMENTS}/web/status`,
      { status: { replicas: 1 } },
      { fieldManager: 'controller' },
    );
    const entry = body.metadata['managedFields'].find((one: { subresource?: string }) => one.subresource === 'status');
    expect(entry).toMatchObject({ manager: 'controller', fieldsV1: { 'f:status': { 'f:replicas': {} } } });
  });
});

describe('the generation', () => {
  it('counts changes of the spec and no others', async () => {
    await api.post(DEPLOYMENTS, deployment('web'));
    const labelled = await api.merge(`${DEPLOYMENTS}/web`, { metadata: { labels: { a: 'b' } } });
    expect(labelled.body.metadata.generation).toBe(1);
    const scaled = await api.merge(`${DEPLOYMENTS}/web`, { spec: { replicas: 3 } });
    expect(scaled.body.metadata.generation).toBe(2);
  });
});

describe('the scale', () => {
  beforeEach(() => api.post(DEPLOYMENTS, deployment('web', 2)));

  it('shows the replicas and what selects them', async () => {
    const { body } = await api.get(`${DEPLOYMENTS}/web/scale`);
    expect(body).toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 0, selector: 'app=web' } });
  });

  it('changes the replicas of the Deployment', async () => {
    expect((await api.merge(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: 5 } })).body['spec']).toEqual({
      replicas: 5,
    });
    expect((await api.get(`${DEPLOYMENTS}/web`)).body['spec'].replicas).toBe(5);
  });

  it('refuses a version that is not the newest, in the name of the Deployment', async () => {
    const { body } = await api.get(`${DEPLOYMENTS}/web/scale`);
    await api.merge(`${DEPLOYMENTS}/web`, { spec: { replicas: 3 } });
    const stale = await api.put(`${DEPLOYMENTS}/web/scale`, { ...body, spec: { replicas: 4 } });
    expect(stale.body).toMatchObject({ code: 409, details: { kind: 'deployments', group: 'apps' } });
  });
});

describe('binding', () => {
  const binding = (node: string) => ({ metadata: { name: 'p' }, target: { kind: 'Node', name: node } });
  beforeEach(() => api.post(PODS, pod('p')));

  it('puts a Pod on a node and says that it is scheduled', async () => {
    expect((await api.post(`${PODS}/p/binding`, binding('node-1'))).status).toBe(201);
    const { body } = await api.get(`${PODS}/p`);
    expect(body['spec'].nodeName).toBe('node-1');
    expect(body['status'].conditions).toMatchObject([{ type: 'PodScheduled', status: 'True' }]);
  });

  it('happens once', async () => {
    await api.post(`${PODS}/p/binding`, binding('node-1'));
    const again = await api.post(`${PODS}/p/binding`, binding('node-2'));
    expect(again.body).toMatchObject({ code: 409, reason: 'Conflict', details: { kind: 'pods/binding' } });
  });

  it('in a dry run leaves the Pod where it is', async () => {
    expect((await api.post(`${PODS}/p/binding`, binding('node-1'), { dryRun: 'All' })).status).toBe(201);
    expect((await api.get(`${PODS}/p`)).body['spec'].nodeName).toBeUndefined();
  });
});

describe('eviction', () => {
  const BUDGETS = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const evict = (deleteOptions = {}) =>
    api.post(`${PODS}/p/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'p' },
      deleteOptions,
    });

  beforeEach(async () => {
    await api.post(PODS, pod('p', { labels: { app: 'web' } }));
    await api.merge(`${PODS}/p/status`, {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
  });

  async function allow(disruptionsAllowed: number): Promise<void> {
    await api.post(BUDGETS, {
      metadata: { name: 'web' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    const status = { disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, observedGeneration: 1 };
    expect((await api.merge(`${BUDGETS}/web/status`, { status })).status).toBe(200);
  }

  it('deletes the Pod', async () => {
    expect((await evict()).status).toBe(201);
    expect((await api.get(`${PODS}/p`)).status).toBe(404);
  });

  it('in a dry run deletes nothing', async () => {
    expect((await evict({ dryRun: ['All'] })).status).toBe(201);
    expect((await api.get(`${PODS}/p`)).status).toBe(200);
  });

  it('is to be tried later while the budget is spent', async () => {
    await allow(0);
    const refused = await evict();
    expect(refused.body).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      details: {
        causes: [
          { reason: 'DisruptionBudget', message: 'The disruption budget web needs 1 healthy pods and has 1 currently' },
        ],
      },
    });
    expect((await api.get(`${PODS}/p`)).status).toBe(200);
  });

  it('is taken off the budget', async () => {
    await allow(1);
    expect((await evict()).status).toBe(201);
    const { status } = (await api.get(`${BUDGETS}/web`)).body;
    expect(status.disruptionsAllowed).toBe(0);
    expect(Object.keys(status.disruptedPods)).toEqual(['p']);
  });
});
