import { describe, expect, expectTypeOf, it } from 'vitest';
import { ApiError, isAlreadyExists, isGone, isNotFound, TransportError } from '../errors.ts';
import type { KubeObject } from '../object.ts';
import { metadataOnly, resource } from '../resource.ts';
import { createClient } from './client.ts';
import { withoutManagedFields } from './response.ts';
import { failure, ok, scriptedTransport } from './scripted-transport.fixture.ts';

interface Robot extends KubeObject {
  readonly spec: { readonly model: string; readonly arms?: number };
  readonly status?: { readonly battery?: number };
}
const robots = resource<Robot>({
  group: 'example.com',
  version: 'v1',
  kind: 'Robot',
  plural: 'robots',
  namespaced: true,
});
const nodes = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false });
const robot = (name: string, resourceVersion = '1') => ({
  apiVersion: 'example.com/v1',
  kind: 'Robot',
  metadata: { name, namespace: 'floor', resourceVersion },
  spec: { model: 'r2' },
});
const here = { namespace: 'floor', name: 'a' };
const connect = (...answers: Parameters<typeof scriptedTransport>) => {
  const transport = scriptedTransport(...answers);
  return { transport, client: createClient({ transport, userAgent: 'tester/1' }) };
};

describe('reading', () => {
  it('gets an object, typed and frozen', async () => {
    const { client, transport } = connect([ok(robot('a'))]);
    const found = await client.get(robots, here);
    expectTypeOf(found).toEqualTypeOf<Robot>();
    expect(found.spec.model).toBe('r2');
    expect(Object.isFrozen(found.spec)).toBe(true);
    expect(transport.asked[0]).toMatchObject({
      method: 'GET',
      path: '/apis/example.com/v1/namespaces/floor/robots/a',
      headers: { 'user-agent': 'tester/1' },
    });
  });

  it('refuses to address an object of a namespace without one', async () => {
    const { client } = connect([]);
    await expect(client.get(robots, { name: 'a' })).rejects.toThrow(
      'Robot lives in a namespace, and none is given for a',
    );
    await expect(client.get(nodes, { name: '' })).rejects.toThrow('the name of the Node is empty');
  });

  it.each(['a/status', '..', '.', 'a%2Fb'])('refuses the name %s, which would lead elsewhere', async name => {
    const { client } = connect([]);
    await expect(client.get(nodes, { name })).rejects.toThrow(`invalid name "${name}"`);
    await expect(client.delete(robots, { namespace: name, name: 'a' })).rejects.toThrow(`invalid name "${name}"`);
    await expect(client.list(robots, { namespace: name })).rejects.toThrow(`invalid name "${name}"`);
    await expect(client.watch(robots, { namespace: name }).open()).rejects.toThrow(`invalid name "${name}"`);
    await expect(client.deleteCollection(robots)).rejects.toThrow('Robot lives in a namespace');
  });

  it('lists with selectors and tells items what they are', async () => {
    const { apiVersion: _, kind: __, ...item } = robot('a');
    const { client, transport } = connect([
      ok({ kind: 'RobotList', apiVersion: 'example.com/v1', metadata: {}, items: [item] }),
    ]);
    const list = await client.list(robots, {
      namespace: 'floor',
      labels: { app: 'x' },
      fields: { 'metadata.name': 'a' },
      limit: 5,
    });
    expect(list.items[0]).toEqual(robot('a'));
    expect(Object.isFrozen(list.items[0])).toBe(true);
    expect(transport.asked[0]!.query).toMatchObject({
      labelSelector: 'app=x',
      fieldSelector: 'metadata.name=a',
      limit: '5',
    });
  });

  it('asks for metadata alone and keeps the kind', async () => {
    const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: { name: 'n' } };
    const { client, transport } = connect([ok({ kind: 'X', apiVersion: 'v1', metadata: {}, items: [partial] })]);
    const list = await client.list(metadataOnly(nodes));
    expect(list.items).toEqual([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }]);
    expect(transport.asked[0]!.headers!['accept']).toContain('as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
  });

  it('transforms objects before they are frozen', async () => {
    const shared = Object.freeze({ ...robot('a'), metadata: Object.freeze({ name: 'a', managedFields: [] }) });
    const own = { ...robot('b'), metadata: { name: 'b', managedFields: [] } };
    const { client } = connect([ok({ kind: 'L', apiVersion: 'v1', metadata: {}, items: [shared, own] })]);
    const list = await client.list(robots, { transform: withoutManagedFields });
    expect(list.items.map(item => item.metadata)).toEqual([{ name: 'a' }, { name: 'b' }]);
    expect(shared.metadata.managedFields).toEqual([]);
  });
});

describe('paging', () => {
  const page = (names: string[], token?: string) =>
    ok({
      kind: 'RobotList',
      apiVersion: 'example.com/v1',
      metadata: { resourceVersion: '9', ...(token ? { continue: token } : {}) },
      items: names.map(name => robot(name)),
    });

  it('walks pages and sends the version with the first only', async () => {
    const { client, transport } = connect([page(['a', 'b'], 't1'), page(['c'])]);
    const seen: number[] = [];
    for await (const each of client.pages(robots, { limit: 2, resourceVersion: '0' })) seen.push(each.items.length);
    expect(seen).toEqual([2, 1]);
    expect(transport.asked.map(each => [each.query!['continue'], each.query!['resourceVersion']])).toEqual([
      [undefined, '0'],
      ['t1', undefined],
    ]);
  });

  it('asks for no page that nobody wants', async () => {
    const { client, transport } = connect([page(['a', 'b'], 't1')]);
    for await (const _ of client.pages(robots, { limit: 2 })) break;
    expect(transport.asked).toHaveLength(1);
  });

  it('gathers all pages', async () => {
    const { client } = connect([page(['a'], 't1'), page(['b'], 't2'), page(['c'])]);
    const all = await client.listAll(robots, { limit: 1 });
    expect(all.items.map(item => item.metadata.name)).toEqual(['a', 'b', 'c']);
    expect(all.metadata).toEqual({ resourceVersion: '9' });
  });

  it('starts over without pages when the moment is forgotten', async () => {
    const { client, transport } = connect([page(['a'], 't1'), failure(410, 'Expired'), page(['a', 'b', 'c'])]);
    expect((await client.listAll(robots, { limit: 1 })).items).toHaveLength(3);
    expect(transport.asked[2]!.query).toMatchObject({ limit: undefined, continue: undefined });
  });

  it('throws in the middle of pages that are forgotten', async () => {
    const { client } = connect([page(['a'], 't1'), failure(410, 'Expired')]);
    const walk = Array.fromAsync(client.pages(robots, { limit: 1 }));
    await expect(walk).rejects.toSatisfy(isGone);
  });
});

describe('writing', () => {
  it('creates with type and owner filled in', async () => {
    const { client, transport } = connect([ok(robot('a'))]);
    await client.create(robots, { metadata: { namespace: 'floor', generateName: 'r-' }, spec: { model: 'r2' } });
    expect(transport.asked[0]).toMatchObject({
      method: 'POST',
      path: '/apis/example.com/v1/namespaces/floor/robots',
      query: { fieldManager: 'tester' },
      body: { apiVersion: 'example.com/v1', kind: 'Robot', metadata: { generateName: 'r-' } },
    });
  });

  it('updates the object and its status at different paths', async () => {
    const { client, transport } = connect([ok(robot('a')), ok(robot('a'))]);
    await client.update(robots, robot('a'), { dryRun: true, fieldValidation: 'Strict', owner: 'me' });
    await client.updateStatus(robots, robot('a'));
    expect(transport.asked.map(each => each.path)).toEqual([
      '/apis/example.com/v1/namespaces/floor/robots/a',
      '/apis/example.com/v1/namespaces/floor/robots/a/status',
    ]);
    expect(transport.asked[0]!.query).toEqual({ fieldManager: 'me', dryRun: 'All', fieldValidation: 'Strict' });
  });

  it.each([
    [{ json: [{ op: 'remove', path: '/spec/arms' }] }, 'application/json-patch+json'],
    [{ merge: { spec: { arms: null } } }, 'application/merge-patch+json'],
    [{ strategic: { spec: {} } }, 'application/strategic-merge-patch+json'],
  ] as const)('patches in the language of %o', async (patch, contentType) => {
    const { client, transport } = connect([ok(robot('a'))]);
    await client.patch(robots, here, patch);
    expect(transport.asked[0]).toMatchObject({ method: 'PATCH', contentType, body: Object.values(patch)[0] });
  });

  it('applies in the name of an owner, guarded by a version if one is given', async () => {
    const { client, transport } = connect([ok(robot('a'))]);
    await client.apply(
      robots,
      { metadata: { ...here, resourceVersion: '5' }, spec: { arms: 2 } },
      { owner: 'capstan-robots', force: true },
    );
    expect(transport.asked[0]).toMatchObject({
      method: 'PATCH',
      contentType: 'application/apply-patch+yaml',
      query: { fieldManager: 'capstan-robots', force: 'true' },
      body: { apiVersion: 'example.com/v1', kind: 'Robot', metadata: { resourceVersion: '5' }, spec: { arms: 2 } },
    });
  });

  it('applies a status by reference', async () => {
    const { client, transport } = connect([ok(robot('a'))]);
    await client.applyStatus(robots, { ...here, status: { battery: 3 } }, { owner: 'o' });
    expect(transport.asked[0]!.path).toBe('/apis/example.com/v1/namespaces/floor/robots/a/status');
    expect(transport.asked[0]!.body).toStrictEqual({
      apiVersion: 'example.com/v1',
      kind: 'Robot',
      metadata: { name: 'a', namespace: 'floor' },
      status: { battery: 3 },
    });
  });

  it('deletes with preconditions, propagation and grace', async () => {
    const { client, transport } = connect([ok(robot('a')), ok({}), ok({})]);
    await client.delete(robots, here, { preconditions: { uid: 'u' }, propagation: 'Foreground', grace: 0 });
    await client.delete(robots, here);
    await client.deleteCollection(robots, { namespace: 'floor', labels: 'app=x' });
    expect(transport.asked[0]!.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u' },
      propagationPolicy: 'Foreground',
      gracePeriodSeconds: 0,
    });
    expect(transport.asked[1]!.body).toBeUndefined();
    expect(transport.asked[2]).toMatchObject({ method: 'DELETE', query: { labelSelector: 'app=x' } });
  });

  it('reaches subresources', async () => {
    const { client, transport } = connect([ok({ kind: 'Scale' }), ok({}), ok({})]);
    await client.scale(robots).get(here);
    await client
      .subresource(robots, 'eviction')
      .create(here, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } });
    await client.subresource(robots, 'scale').patch(here, { merge: { spec: { replicas: 2 } } });
    expect(transport.asked.map(each => `${each.method} ${each.path.split('/').at(-1)}`)).toEqual([
      'GET scale',
      'POST eviction',
      'PATCH scale',
    ]);
  });

  it('acts as someone else', async () => {
    const { client, transport } = connect([ok(robot('a')), ok(robot('a'))]);
    await client.as({ user: 'jane', groups: ['a', 'b'] }).get(robots, here);
    await client.get(robots, here);
    expect(transport.asked.map(each => each.impersonate)).toEqual([{ user: 'jane', groups: ['a', 'b'] }, undefined]);
  });

  it('passes warnings on', async () => {
    const warnings: string[] = [];
    const header = '299 - "unknown field \\"spec.x\\"", 299 - "old"';
    const transport = scriptedTransport([{ status: 200, headers: { warning: header }, body: robot('a') }]);
    await createClient({ transport, onWarning: text => warnings.push(text) }).get(robots, here);
    expect(warnings).toEqual(['unknown field "spec.x"', 'old']);
  });
});

describe('failures', () => {
  it('are errors with the words of the server', async () => {
    const details = { causes: [{ field: 'spec.model', message: 'bad', reason: 'FieldValueInvalid' }] };
    const { client } = connect([failure(422, 'Invalid', { details })]);
    const error = await client.get(robots, here).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'no: Invalid',
      code: 422,
      reason: 'Invalid',
      request: 'GET /apis/example.com/v1/namespaces/floor/robots/a',
      causes: details.causes,
    });
  });

  it('are recognised when a proxy answers without a Status', async () => {
    const html = { status: 404, headers: {}, body: '<html><h1>Not here</h1></html>' };
    const { client } = connect([html, { status: 409, headers: {}, body: '' }]);
    const error = await client.get(robots, here).catch((thrown: unknown) => thrown);
    expect(error).toSatisfy(isNotFound);
    expect((error as Error).message).toContain('Not here');
    await expect(client.create(robots, robot('a'))).rejects.toSatisfy(isAlreadyExists);
  });

  it('include a success that holds no object', async () => {
    const { client } = connect([{ status: 200, headers: {}, body: 'welcome to the hotel wifi' }]);
    await expect(client.get(robots, here)).rejects.toMatchObject({ code: 'EBADBODY', name: 'TransportError' });
  });
});

describe('watching', () => {
  const { apiVersion: _, kind: __, ...anonymous } = robot('a', '5');
  const events = [
    { type: 'ADDED', object: anonymous },
    { type: 'BOOKMARK', object: { kind: 'Robot', apiVersion: 'example.com/v1', metadata: { resourceVersion: '8' } } },
    { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
  ];

  it('gives typed, frozen events of a closed union', async () => {
    const { client, transport } = connect([ok(undefined)], events);
    const seen = [];
    for await (const event of client.watch(robots, {
      namespace: 'floor',
      from: '4',
      name: 'a',
      fields: 'spec.x=1',
      timeoutSeconds: 9,
    })) {
      if (event.type !== 'ERROR') expectTypeOf(event.object).toEqualTypeOf<Robot>();
      expect(Object.isFrozen(event.object)).toBe(true);
      seen.push(event.type);
    }
    expect(seen).toEqual(['ADDED', 'BOOKMARK', 'ERROR']);
    expect(transport.asked[0]!.query).toMatchObject({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '4',
      fieldSelector: 'metadata.name=a,spec.x=1',
      timeoutSeconds: '9',
    });
  });

  it('asks for initial events in the way that the server demands', async () => {
    const { client, transport } = connect([ok(undefined)]);
    await client.watch(robots, { sendInitialEvents: true, bookmarks: true }).open();
    expect(transport.asked[0]!.query).toMatchObject({
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
    });
  });

  it('throws what the server refused', async () => {
    const { client } = connect([failure(403, 'Forbidden'), failure(410, 'Expired')]);
    await expect(client.watch(robots).open()).rejects.toMatchObject({ reason: 'Forbidden' });
    await expect(Array.fromAsync(client.watch(robots))).rejects.toSatisfy(isGone);
  });

  it('throws when the stream breaks, and on an event of a type that does not exist', async () => {
    const broken = connect([ok(undefined)], [events[0], new TransportError('ECONNRESET', 'reset')]);
    await expect(Array.fromAsync(broken.client.watch(robots))).rejects.toMatchObject({ code: 'ECONNRESET' });
    const odd = connect([ok(undefined)], [{ type: 'SURPRISE', object: {} }]);
    await expect(Array.fromAsync(odd.client.watch(robots))).rejects.toMatchObject({ code: 'EBADSTREAM' });
  });

  it('ends quietly when closed, and with the reason when aborted', async () => {
    const closed = connect([ok(undefined)], events).client.watch(robots);
    const seen: string[] = [];
    for await (const event of closed) {
      seen.push(event.type);
      closed.close();
    }
    expect(seen).toEqual(['ADDED']);

    const controller = new AbortController();
    const aborted = connect([ok(undefined)], events).client.watch(robots, { signal: controller.signal });
    const reading = (async () => {
      for await (const _ of aborted) controller.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
  });

  it('can be read once', async () => {
    const watch = connect([ok(undefined)], events).client.watch(robots);
    await Array.fromAsync(watch);
    await expect(Array.fromAsync(watch)).rejects.toThrow('a watch can be read once');
  });
});
