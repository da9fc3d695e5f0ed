import type { ApiRequest, KubeObject } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { arrived } from '../reflector/arrival.ts';
import { hold } from './held.ts';
import { OwnWrites } from './own-writes.ts';
import type { Change, HeldChange } from './store.ts';
import { explains, targetOf, writeOf } from './write.ts';

describe('the target of a path', () => {
  it.each([
    ['/api/v1/pods', { group: '', plural: 'pods', namespace: '', name: undefined, subresource: undefined }],
    ['/api/v1/namespaces/a/pods/x', { group: '', plural: 'pods', namespace: 'a', name: 'x', subresource: undefined }],
    [
      '/apis/apps/v1/namespaces/a/deployments/x/status',
      { group: 'apps', plural: 'deployments', namespace: 'a', name: 'x', subresource: 'status' },
    ],
    ['/api/v1/namespaces/a', { group: '', plural: 'namespaces', namespace: '', name: 'a', subresource: undefined }],
    [
      '/api/v1/namespaces/a/status',
      { group: '', plural: 'namespaces', namespace: '', name: 'a', subresource: 'status' },
    ],
    [
      '/apis/g.io/v1/robots/x%2Fy',
      { group: 'g.io', plural: 'robots', namespace: '', name: 'x/y', subresource: undefined },
    ],
    ['/version', undefined],
    ['/api/v1', undefined],
  ])('%s', (path, expected) => expect(targetOf(path)).toEqual(expected));
});

const thing = (version: string, data: object, uid = 'u'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'a', namespace: 'default', uid, resourceVersion: version },
  ...data,
});
const apply = (body: object): ApiRequest => ({
  method: 'PATCH',
  path: '/api/v1/namespaces/default/things/a',
  contentType: 'application/apply-patch+yaml',
  body,
});
const held = (object: KubeObject) => hold(arrived(object), kept => kept);
const heldChange = (before: KubeObject, now: KubeObject): HeldChange => ({
  type: 'updated',
  before: held(before),
  now: held(now),
});
const updated = (previous: KubeObject, object: KubeObject): Change => ({ type: 'updated', previous, object });

describe('whether a write explains a change', () => {
  const wrote = (request: ApiRequest, change: Change, answer = change.object) =>
    explains(writeOf(request, 'me')!, answer, change);
  const before = thing('5', { spec: { size: 1, other: 1 } });

  it('yes: an apply, if nothing differs but what it set', () => {
    const body = { spec: { size: 2 } };
    expect(wrote(apply(body), updated(before, thing('7', { spec: { size: 2, other: 1 } })))).toBe(true);
  });

  it('no: an apply, if something else differs too', () => {
    const body = { spec: { size: 2 } };
    expect(wrote(apply(body), updated(before, thing('7', { spec: { size: 2, other: 9 } })))).toBe(false);
    expect(wrote(apply(body), updated(before, thing('7', { spec: { size: 2, other: 1 }, status: {} })))).toBe(false);
  });

  it('no: an apply of a list, if the list holds more than was applied', () => {
    const old = thing('5', { spec: { items: [{ name: 'x', n: 1 }] } });
    const now = thing('7', { spec: { items: [{ name: 'x', n: 2 }, { name: 'foreign' }] } });
    expect(wrote(apply({ spec: { items: [{ name: 'x', n: 2 }] } }), updated(old, now))).toBe(false);
  });

  it('yes: whatever differs, if the write was guarded by the version that was there', () => {
    const body = { metadata: { resourceVersion: '5' }, spec: { size: 2 } };
    const now = thing('7', { spec: { size: 2, other: 1, defaulted: true } });
    expect(wrote(apply(body), updated(before, now))).toBe(true);
    expect(wrote(apply({ ...body, metadata: { resourceVersion: '6' } }), updated(before, now))).toBe(false);
  });

  it('yes: a create where nothing was; no: where something else was', () => {
    const create: ApiRequest = { method: 'POST', path: '/api/v1/namespaces/default/things', body: before };
    expect(wrote(create, { type: 'added', object: before })).toBe(true);
    expect(wrote(create, updated(thing('3', {}, 'older'), before))).toBe(false);
  });

  it('no: a change of another version, and a deletion', () => {
    const body = { spec: { size: 2 } };
    const now = thing('7', { spec: { size: 2, other: 1 } });
    expect(wrote(apply(body), updated(before, now), thing('8', {}))).toBe(false);
    expect(wrote(apply(body), { type: 'deleted', object: now, previous: before }, now)).toBe(false);
  });
});

describe('own writes', () => {
  it('an event that overtakes the answer to its own write is judged when the answer is there', async () => {
    const writes = new OwnWrites(() => false);
    const end = writes.begin(writeOf(apply({ spec: { size: 2 } }), 'me')!);
    const now = thing('7', { spec: { size: 2 } });
    const writer = writes.writerOf(heldChange(thing('5', { spec: { size: 1 } }), now));
    expect(writer).toBeInstanceOf(Promise);
    end({ status: 200, headers: {}, body: now });
    expect(await writer).toBe('me');
  });

  it('a write of unknown fate explains nothing', async () => {
    const writes = new OwnWrites(() => false);
    const end = writes.begin(writeOf(apply({ spec: { size: 2 } }), 'me')!);
    const writer = writes.writerOf(heldChange(thing('5', {}), thing('7', { spec: { size: 2 } })));
    end(undefined);
    expect(await writer).toBeUndefined();
    expect(writes.unseen()).toEqual([]);
  });
});
