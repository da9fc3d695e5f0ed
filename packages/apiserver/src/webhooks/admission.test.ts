import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CONFIGMAPS, configMap, DEPLOYMENTS, deployment, PODS, pod } from '../conversation.fixture.ts';
import { addData, allow, deny, type Hooked, MUTATING, VALIDATING, webhookOf, withHooks } from './webhooks.fixture.ts';

let api: Hooked;
beforeEach(async () => {
  api = await withHooks(['a', 'b', 'c']);
});
afterEach(() => api.server.close());

const hooks = (): string[] => api.asked.map(([hook]) => hook);
const lastRequest = () => api.asked.at(-1)![1];

describe('a mutating webhook', () => {
  it('changes what is stored, and nobody owns the change', async () => {
    await api.mutating('a', addData('added', 'x'));
    const { body } = await api.post(CONFIGMAPS, configMap('one', { given: 'y' }));
    expect(body['data']).toEqual({ given: 'y', added: 'x' });
    expect(JSON.stringify(body.metadata['managedFields'])).not.toContain('f:added');
  });

  it('sees a new object before it has a uid, a time and a generated name', async () => {
    await api.mutating('a', allow);
    await api.post(CONFIGMAPS, { metadata: { generateName: 'x-' } });
    expect(lastRequest()).toMatchObject({ operation: 'CREATE', namespace: 'default', oldObject: null, dryRun: false });
    expect(lastRequest()).not.toHaveProperty('name');
    expect(Object.keys((lastRequest().object as { metadata: object }).metadata).sort()).toEqual([
      'generateName',
      'managedFields',
      'namespace',
    ]);
  });

  it('is asked after the one whose configuration comes first by name', async () => {
    await api.mutating('b', addData('second', 'b'));
    await api.mutating('a', addData('first', 'a'));
    await api.post(CONFIGMAPS, configMap('one', { given: 'y' }));
    expect(hooks()).toEqual(['a', 'b']);
    expect((lastRequest().object as Record<string, unknown>)['data']).toEqual({ given: 'y', first: 'a' });
  });

  it('is asked again when a later one changed the object, where it wants to be', async () => {
    await api.mutating('a', allow, { reinvocationPolicy: 'IfNeeded' });
    await api.mutating('b', allow);
    await api.mutating('c', ({ object }) => {
      const done = 'late' in (object as { data: object }).data;
      return done ? { allowed: true } : { allowed: true, patch: [{ op: 'add', path: '/data/late', value: '1' }] };
    });
    await api.post(CONFIGMAPS, configMap('one', { given: 'y' }));
    expect(hooks()).toEqual(['a', 'b', 'c', 'a']);
  });

  it('brings a container that gets its defaults like any other', async () => {
    const container = { name: 'sidecar', image: 'example/sidecar:1' };
    await api.mutating(
      'a',
      () => ({ allowed: true, patch: [{ op: 'add', path: '/spec/containers/-', value: container }] }),
      { rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] },
    );
    const { body } = await api.post(PODS, pod('one'));
    expect(body['spec'].containers[1]).toMatchObject({ ...container, imagePullPolicy: 'IfNotPresent' });
  });

  it('whose patch breaks the object is caught by validation', async () => {
    await api.mutating('a', () => ({
      allowed: true,
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'not a key': 'x' } }],
    }));
    const { status, body } = await api.post(CONFIGMAPS, configMap('one'));
    expect([status, body['reason']]).toEqual([422, 'Invalid']);
  });

  it('cannot change the name of what is there', async () => {
    await api.post(CONFIGMAPS, configMap('one'));
    await api.mutating('a', () => ({
      allowed: true,
      patch: [{ op: 'replace', path: '/metadata/name', value: 'two' }],
    }));
    const { status, body } = await api.merge(`${CONFIGMAPS}/one`, { data: { x: 'y' } });
    expect(status).toBe(422);
    expect(body['message']).toContain('metadata.name: Invalid value: "two": field is immutable');
  });

  it('has nothing to change in a deletion', async () => {
    await api.post(CONFIGMAPS, configMap('one'));
    await api.mutating('a', () => ({ allowed: true, patch: [{ op: 'add', path: '/data', value: {} }] }));
    const { status, body } = await api.remove(`${CONFIGMAPS}/one`);
    expect([status, body['message']]).toEqual([
      500,
      'Internal error occurred: admission webhook "a.example.com" attempted to modify the object, which is not supported for this operation',
    ]);
  });
});

describe('a validating webhook', () => {
  it('refuses in its own words and with its own code', async () => {
    await api.validating('a', () => ({ allowed: false, message: 'not today', reason: 'Busy', code: 418 }));
    const { status, body } = await api.post(CONFIGMAPS, configMap('one'));
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'admission webhook "a.example.com" denied the request: not today',
      reason: 'Busy',
      code: 418,
    });
    expect(status).toBe(418);
    expect((await api.get(`${CONFIGMAPS}/one`)).status).toBe(404);
  });

  it('sees what is about to be stored', async () => {
    await api.mutating('a', addData('added', 'x'));
    await api.validating('b', allow);
    const { body } = await api.post(CONFIGMAPS, { metadata: { generateName: 'x-' }, data: { given: 'y' } });
    const { object, name } = lastRequest();
    expect(object).toMatchObject({
      data: { added: 'x' },
      metadata: { uid: body.metadata.uid, name: body.metadata.name },
    });
    expect(name).toBe(body.metadata.name);
  });

  it('sees the old object of an update, and of a deletion only that', async () => {
    await api.post(CONFIGMAPS, configMap('one', { a: '1' }));
    await api.validating('a', allow);
    await api.merge(`${CONFIGMAPS}/one`, { data: { a: '2' } });
    expect(lastRequest()).toMatchObject({
      operation: 'UPDATE',
      object: { data: { a: '2' } },
      oldObject: { data: { a: '1' } },
    });
    await api.remove(`${CONFIGMAPS}/one`);
    expect(lastRequest()).toMatchObject({ operation: 'DELETE', object: null, oldObject: { data: { a: '2' } } });
  });

  it('is not asked about what validation refuses', async () => {
    await api.validating('a', allow);
    await api.post(CONFIGMAPS, configMap('not a name'));
    expect(hooks()).toEqual([]);
  });

  it('warns in the Warning header, whatever it decides', async () => {
    await api.validating('a', () => ({ allowed: true, warnings: ['mind the gap'] }));
    expect((await api.post(CONFIGMAPS, configMap('one'))).warnings).toBe('299 - "mind the gap"');
  });

  it('is asked together with the others: none waits for another', async () => {
    const meet = Promise.withResolvers<void>();
    await api.validating('a', () => meet.promise.then(() => ({ allowed: true })));
    await api.validating('b', () => {
      meet.resolve();
      return { allowed: true };
    });
    expect((await api.post(CONFIGMAPS, configMap('one'))).status).toBe(201);
  });
});

describe('who is asked', () => {
  it('is decided by the subresource and the operation', async () => {
    const scale = { apiGroups: ['apps'], apiVersions: ['*'], resources: ['*/scale'], operations: ['UPDATE'] };
    await api.validating('a', deny('too many'), { rules: [scale] });
    await api.post(DEPLOYMENTS, deployment('web'));
    expect((await api.merge(`${DEPLOYMENTS}/web`, { spec: { replicas: 5 } })).status).toBe(200);
    expect((await api.merge(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: 6 } })).status).toBe(400);
    expect(lastRequest()).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      object: { kind: 'Scale', spec: { replicas: 6 } },
      oldObject: { kind: 'Scale', spec: { replicas: 5 } },
    });
  });

  it('is decided by the labels of the namespace', async () => {
    await api.validating('a', deny('no'), { namespaceSelector: { matchLabels: { strict: 'yes' } } });
    expect((await api.post(CONFIGMAPS, configMap('one'))).status).toBe(201);
    await api.merge('/api/v1/namespaces/default', { metadata: { labels: { strict: 'yes' } } });
    expect((await api.post(CONFIGMAPS, configMap('two'))).status).toBe(400);
  });

  it('is decided by the labels of the new object or of the old one', async () => {
    await api.post(CONFIGMAPS, configMap('one', {}, { labels: { guarded: 'yes' } }));
    await api.validating('a', deny('no'), { objectSelector: { matchLabels: { guarded: 'yes' } } });
    expect((await api.post(CONFIGMAPS, configMap('two'))).status).toBe(201);
    expect((await api.merge(`${CONFIGMAPS}/one`, { metadata: { labels: null } })).status).toBe(400);
    expect((await api.merge(`${CONFIGMAPS}/two`, { metadata: { labels: { guarded: 'yes' } } })).status).toBe(400);
  });

  it('is decided by CEL over the object, the old one and the request', async () => {
    await api.validating('a', deny('no'), {
      matchConditions: [
        { name: 'people', expression: "!request.userInfo.groups.exists(group, group == 'system:nodes')" },
        { name: 'named', expression: "has(object.data) && object.data.size == 'large'" },
      ],
    });
    expect((await api.post(CONFIGMAPS, configMap('one', { size: 'small' }))).status).toBe(201);
    expect((await api.post(CONFIGMAPS, configMap('two', { size: 'large' }))).status).toBe(400);
    expect(hooks()).toEqual(['a']);
  });

  it('is nobody for the configurations of webhooks themselves', async () => {
    const everything = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] };
    await api.validating('a', deny('no'), { rules: [everything] });
    expect((await api.remove(`${VALIDATING}/a`)).status).toBe(200);
    expect((await api.post(CONFIGMAPS, configMap('one'))).status).toBe(201);
    expect(hooks()).toEqual([]);
  });

  it('follows the configurations as they change', async () => {
    await api.mutating('a', addData('x', '1'));
    await api.merge(`${MUTATING}/a`, { webhooks: [webhookOf('a', { rules: [] })] });
    await api.post(CONFIGMAPS, configMap('one', { y: '1' }));
    expect(hooks()).toEqual([]);
  });
});

describe('a dry run', () => {
  it('asks those that have no effects then, and says so', async () => {
    await api.validating('a', allow, { sideEffects: 'NoneOnDryRun' });
    expect((await api.post(CONFIGMAPS, configMap('one'), { dryRun: 'All' })).status).toBe(201);
    expect(lastRequest()).toMatchObject({ dryRun: true, options: { kind: 'CreateOptions', dryRun: ['All'] } });
  });

  it('is refused by one that has effects then, as older configurations may say', async () => {
    const object = { metadata: { name: 'old', uid: '1' }, webhooks: [webhookOf('a', { sideEffects: 'Some' })] };
    const { store } = api.server.backend;
    await store.write('admissionregistration.k8s.io/mutatingwebhookconfigurations', 'old', undefined, object);
    const { status, body } = await api.post(CONFIGMAPS, configMap('one'), { dryRun: 'All' });
    expect([status, body['reason'], body['message']]).toEqual([
      400,
      'BadRequest',
      'admission webhook "a.example.com" does not support dry run',
    ]);
    expect(hooks()).toEqual([]);
  });
});

describe('a webhook that calls back into the server', () => {
  it('and writes whenever it is asked about a deletion ends in a conflict', async () => {
    await api.post(CONFIGMAPS, configMap('one', { n: '0' }));
    let times = 0;
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] }];
    await api.validating(
      'a',
      async () => {
        await api.merge(`${CONFIGMAPS}/one`, { data: { n: String(++times) } });
        return { allowed: true };
      },
      { rules },
    );
    const { status, body } = await api.remove(`${CONFIGMAPS}/one`);
    expect([status, body['reason']]).toEqual([409, 'Conflict']);
    expect((await api.get(`${CONFIGMAPS}/one`)).body['data']).toEqual({ n: String(times) });
  });

  it('finds nothing locked', async () => {
    await api.mutating('a', async ({ name }) => {
      if (name !== 'outer') return { allowed: true };
      const inner = await api.post(CONFIGMAPS, configMap('inner'));
      return inner.status === 201 ? { allowed: true } : { allowed: false };
    });
    expect((await api.post(CONFIGMAPS, configMap('outer'))).status).toBe(201);
    expect((await api.get(`${CONFIGMAPS}/inner`)).status).toBe(200);
  });

  it('and changes the object it is asked about makes the client try again', async () => {
    const { body } = await api.post(CONFIGMAPS, configMap('one', { n: '0' }));
    await api.validating('a', async ({ userInfo, object }) => {
      const { data } = object as { data: Record<string, string> };
      if (data['by'] !== 'webhook' && userInfo.username)
        await api.merge(`${CONFIGMAPS}/one`, { data: { by: 'webhook' } });
      return { allowed: true };
    });
    const answer = await api.put(`${CONFIGMAPS}/one`, { ...body, data: { n: '1' } });
    expect([answer.status, answer.body['reason']]).toEqual([409, 'Conflict']);
    expect((await api.get(`${CONFIGMAPS}/one`)).body['data']).toEqual({ n: '0', by: 'webhook' });
  });

  it('and creates what it is asked about makes the client come second', async () => {
    let first = true;
    await api.mutating('a', async () => {
      if (!first) return { allowed: true };
      first = false;
      await api.post(CONFIGMAPS, configMap('one', { by: 'webhook' }));
      return { allowed: true };
    });
    const answer = await api.post(CONFIGMAPS, configMap('one', { by: 'client' }));
    expect([answer.status, answer.body['reason']]).toEqual([409, 'AlreadyExists']);
  });
});
