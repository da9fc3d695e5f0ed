import { describe, expect, it } from 'vitest';
import { type Accepted, review } from './accepted.ts';
import { compare, describeDifference } from './compare.ts';
import { normalise } from './normalise.ts';
import type { Result } from './run.ts';

const answer = (title: string, body: unknown, status = 200): Result => ({
  title,
  request: 'GET /x',
  answer: { status, contentType: 'application/json', warnings: [], body },
});
const object = (name: string, resourceVersion: string, uid: string, rest: object = {}) => ({
  kind: 'Pod',
  metadata: { name, resourceVersion, uid, creationTimestamp: '2026-01-01T00:00:00Z', ...rest },
});
const list = (resourceVersion: string, ...items: object[]) => ({ metadata: { resourceVersion }, items });

describe('the normaliser', () => {
  it('makes two runs of the same script equal', () => {
    const run = (base: number, uid: string): Result[] => [
      answer('create', object('a', `${base}`, uid)),
      answer('change', object('a', `${base + 7}`, uid)),
      answer('list', list(`${base + 9}`, object('a', `${base + 7}`, uid))),
    ];
    expect(normalise(run(1000, '11111111-0000-0000-0000-000000000000'))).toEqual(
      normalise(run(5, '22222222-0000-0000-0000-000000000000')),
    );
  });

  it('tells a version that was kept from one that went on', () => {
    const kept = normalise([answer('1', object('a', '5', 'u')), answer('2', object('a', '5', 'u'))]);
    const moved = normalise([answer('1', object('a', '5', 'u')), answer('2', object('a', '6', 'u'))]);
    expect(compare(kept, moved)).toMatchObject([
      { pointer: '/body/metadata/resourceVersion', real: 'Pod a@1', ours: 'Pod a@2' },
    ]);
  });

  it('tells a list that does not include a change from one that does', () => {
    const steps = (version: string) => normalise([answer('1', object('a', '5', 'u')), answer('2', list(version))]);
    expect(compare(steps('9'), steps('4'))).toMatchObject([
      { pointer: '/body/metadata/resourceVersion', real: '≥Pod a@1', ours: '≥' },
    ]);
  });

  it('tells an object that was created anew by its uid', () => {
    const [, second] = normalise([answer('1', object('a', '1', 'u1')), answer('2', object('a', '2', 'u2'))]);
    expect(second).toMatchObject({ body: { metadata: { uid: 'uid of Pod a#2', resourceVersion: 'Pod a#2@1' } } });
  });

  it('hides what a server made of a generated name, wherever it stands', () => {
    const [first] = normalise([
      answer('1', { ...object('web-x7k2p', '1', 'u', { generateName: 'web-' }), message: 'pods "web-x7k2p" is there' }),
    ]);
    expect(first).toMatchObject({ body: { metadata: { name: 'web-<1>' }, message: 'pods "web-<1>" is there' } });
  });

  it('leaves the times of a user alone', () => {
    const [first] = normalise([answer('1', { spec: { renewTime: '2024-01-01T00:00:00.000001Z' } })]);
    expect(first).toMatchObject({ body: { spec: { renewTime: '2024-01-01T00:00:00.000001Z' } } });
  });

  it('does not mind the order of several mistakes', () => {
    const refusal = (...fields: string[]) => ({
      kind: 'Status',
      message: `X "a" is invalid: [${fields.map(field => `${field}: bad`).join(', ')}]`,
      details: { causes: fields.map(field => ({ field, message: 'bad' })) },
    });
    expect(normalise([answer('1', refusal('a', 'b'))])).toEqual(normalise([answer('1', refusal('b', 'a'))]));
  });

  it('does not mind the order of managers, but who owns what', () => {
    const fields = (...managers: string[]) => ({ metadata: { managedFields: managers.map(manager => ({ manager })) } });
    expect(normalise([answer('1', fields('a', 'b'))])).toEqual(normalise([answer('1', fields('b', 'a'))]));
    expect(normalise([answer('1', fields('a', 'b'))])).not.toEqual(normalise([answer('1', fields('a', 'c'))]));
  });
});

describe('the comparer', () => {
  const one = (body: unknown) => normalise([answer('step', body)]);

  it('does not mind the order of keys, but that of lists', () => {
    expect(compare(one({ a: 1, b: 2 }), one({ b: 2, a: 1 }))).toEqual([]);
    expect(compare(one({ a: [1, 2] }), one({ a: [2, 1] }))).toHaveLength(2);
  });

  it('tells nothing from null, and a list from an object', () => {
    expect(compare(one({ a: null }), one({}))).toMatchObject([{ pointer: '/body/a', real: null, ours: undefined }]);
    expect(compare(one({ a: [] }), one({ a: {} }))).toMatchObject([{ pointer: '/body/a' }]);
  });

  it('says where and what in words', () => {
    const [difference] = compare(one({ 'a/b': 1 }), one({}));
    expect(describeDifference(difference!)).toBe('step\n  /body/a~1b\n    real: 1\n    ours: nothing');
  });

  it('notes an answer that is missing', () => {
    expect(compare(one({}), []).map(({ pointer }) => pointer)).toContain('/status');
  });
});

describe('the review', () => {
  const entry: Accepted = { script: 'lists', steps: '*', pointer: /^\/body\/message$/, reason: 'another parser' };
  const difference = { step: 'any', pointer: '/body/message', real: 'a', ours: 'b' };

  it('lets an accepted difference pass and notes that its entry was needed', () => {
    expect(review('lists', [difference], [entry])).toEqual({ unexpected: [], used: new Set([entry]) });
  });

  it('lets nothing else pass', () => {
    expect(review('watch', [difference], [entry]).unexpected).toEqual([difference]);
    const elsewhere = { ...difference, pointer: '/body/messages' };
    expect(review('lists', [elsewhere], [entry]).unexpected).toEqual([elsewhere]);
  });
});
