import { timestamp } from '@capstan/kube';
import { BEGINNING } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CONFIGMAPS,
  type Conversation,
  configMap,
  converse,
  DEPLOYMENTS,
  deployment,
  names,
  PODS,
  pod,
} from './conversation.fixture.ts';

let api: Conversation;
beforeEach(async () => {
  api = await converse();
});
afterEach(() => api.server.close());

const HELD = { finalizers: ['example.org/hold'] };

describe('a deletion', () => {
  it('waits for the last finalizer', async () => {
    await api.post(CONFIGMAPS, configMap('a', {}, HELD));
    const begun = await api.remove(`${CONFIGMAPS}/a`);
    expect(begun.body.metadata).toMatchObject({
      deletionTimestamp: timestamp(BEGINNING),
      deletionGracePeriodSeconds: 0,
    });
    expect((await api.get(`${CONFIGMAPS}/a`)).status).toBe(200);
    await api.merge(`${CONFIGMAPS}/a`, { metadata: { finalizers: null } });
    expect((await api.get(`${CONFIGMAPS}/a`)).status).toBe(404);
  });

  it('takes no new finalizer once it has begun', async () => {
    await api.post(CONFIGMAPS, configMap('a', {}, HELD));
    await api.remove(`${CONFIGMAPS}/a`);
    const late = await api.merge(`${CONFIGMAPS}/a`, {
      metadata: { finalizers: [...HELD.finalizers, 'example.org/late'] },
    });
    expect(late.body).toMatchObject({ code: 422, details: { causes: [{ field: 'metadata.finalizers' }] } });
  });

  it('keeps its first time when it is asked for again', async () => {
    await api.post(CONFIGMAPS, configMap('a', {}, HELD));
    const first = await api.remove(`${CONFIGMAPS}/a`);
    await api.clock.advance(5_000);
    expect((await api.remove(`${CONFIGMAPS}/a`)).body).toEqual(first.body);
  });

  it('counts the generation up when it begins', async () => {
    await api.post(DEPLOYMENTS, { ...deployment('web'), metadata: { name: 'web', ...HELD } });
    expect((await api.remove(`${DEPLOYMENTS}/web`)).body.metadata.generation).toBe(2);
  });

  it('is of the object that the client means, or of none', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('a'));
    const { uid, resourceVersion } = body.metadata;
    const asked = (preconditions: object) => api.remove(`${CONFIGMAPS}/a`, { preconditions });
    expect((await asked({ uid: 'another' })).body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await asked({ uid, resourceVersion: '1' })).body).toMatchObject({ code: 409, reason: 'Conflict' });
    expect((await asked({ uid, resourceVersion })).status).toBe(200);
  });

  it.each([
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ])('leaves dependents to the garbage collector: %s', async (propagationPolicy, finalizers) => {
    await api.post(DEPLOYMENTS, deployment('web'));
    const { body } = await api.remove(`${DEPLOYMENTS}/web`, { propagationPolicy });
    expect(body.metadata.finalizers).toEqual(finalizers);
  });

  it('in the background is done at once', async () => {
    await api.post(DEPLOYMENTS, deployment('web'));
    const { body } = await api.remove(`${DEPLOYMENTS}/web`, { propagationPolicy: 'Background' });
    expect(body).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'web', kind: 'deployments' } });
    expect((await api.get(`${DEPLOYMENTS}/web`)).status).toBe(404);
  });

  it('of a collection takes what is selected', async () => {
    for (const name of ['a', 'b']) await api.post(CONFIGMAPS, configMap(name, {}, { labels: { name } }));
    expect(names(await api.remove(CONFIGMAPS, undefined, { labelSelector: 'name=a' }))).toEqual(['a']);
    expect(names(await api.get(CONFIGMAPS))).toEqual(['b']);
  });

  it('of a namespace refuses whatever is new in it, until its finalizer is done', async () => {
    await api.post('/api/v1/namespaces', { metadata: { name: 'old' } });
    const { body } = await api.remove('/api/v1/namespaces/old');
    expect(body['status']).toEqual({ phase: 'Terminating' });
    const late = await api.post('/api/v1/namespaces/old/configmaps', configMap('a'));
    expect(late.body).toMatchObject({ code: 403, details: { causes: [{ reason: 'NamespaceTerminating' }] } });
    await api.put('/api/v1/namespaces/old/finalize', { ...body, spec: { finalizers: [] } });
    expect((await api.get('/api/v1/namespaces/old')).status).toBe(404);
  });
});

describe('a Pod on a node', () => {
  const onNode = { ...pod('p'), spec: { ...pod('p').spec, nodeName: 'node-1' } };

  it('is given time to end, which can be shortened', async () => {
    await api.post(PODS, onNode);
    const { body } = await api.remove(`${PODS}/p`);
    expect(body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: timestamp(BEGINNING + 30_000),
    });
    const sooner = await api.remove(`${PODS}/p`, { gracePeriodSeconds: 5 });
    expect(sooner.body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 5,
      deletionTimestamp: timestamp(BEGINNING + 5_000),
    });
    expect((await api.remove(`${PODS}/p`, { gracePeriodSeconds: 60 })).body).toEqual(sooner.body);
  });

  it('is gone at once when no time is left to it', async () => {
    await api.post(PODS, onNode);
    await api.remove(`${PODS}/p`);
    await api.remove(`${PODS}/p`, { gracePeriodSeconds: 0 });
    expect((await api.get(`${PODS}/p`)).status).toBe(404);
  });
});
