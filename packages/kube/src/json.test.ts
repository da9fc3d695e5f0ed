import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { deepClone, deepEqual, deepFreeze, draft, withoutUndefined } from './json.ts';
import type { KubeObject } from './object.ts';

describe('plain JSON', () => {
  it('copies deeply and equally', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const copy = deepClone(value);
        expect(deepEqual(copy, value)).toBe(true);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
    );
  });

  it('tells different values apart', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        fc.pre(JSON.stringify(left) !== JSON.stringify(right));
        const sorted = (value: unknown): string => JSON.stringify(value, (_, part) => sortKeys(part));
        expect(deepEqual(left, right)).toBe(sorted(left) === sorted(right));
      }),
    );
  });

  it('does not mind the order of keys, nor a key without a value', () => {
    expect(deepEqual({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
    expect(deepEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(deepEqual({ a: undefined }, { b: undefined })).toBe(true);
    expect(deepEqual({ a: null }, {})).toBe(false);
    expect(deepEqual([], {})).toBe(false);
    expect(deepEqual({}, [])).toBe(false);
    expect(deepEqual({ a: 1 }, { b: 1 })).toBe(false);
  });

  it('copies a key that would set the prototype', () => {
    const hostile = JSON.parse('{"labels":{"__proto__":{"admin":"yes"}}}');
    const copy = deepClone(hostile);
    expect(JSON.stringify(copy)).toBe('{"labels":{"__proto__":{"admin":"yes"}}}');
    expect((copy.labels as { admin?: string }).admin).toBeUndefined();
  });

  it('freezes all the way down', () => {
    const value = deepFreeze({ list: [{ inner: { leaf: 1 } }], text: 'a' });
    expect(Object.isFrozen(value.list[0]!.inner)).toBe(true);
    expect(() => Object.assign(value.list[0]!, { leaf: 2 })).toThrow(TypeError);
  });

  it('drops keys without a value, and copies only what held some', () => {
    const clean = { b: [1, { c: null }] };
    const cleaned = withoutUndefined({ a: undefined, clean, list: [{ x: undefined, y: 1 }] });
    expect(cleaned).toStrictEqual({ clean, list: [{ y: 1 }] });
    expect(cleaned.clean).toBe(clean);
    expect(withoutUndefined(clean)).toBe(clean);
  });

  it('gives a draft that can be written to', () => {
    const object: KubeObject = deepFreeze({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', labels: { app: 'x' } },
    });
    const edited = draft(object);
    edited.metadata.labels = { app: 'y' };
    expect(object.metadata.labels).toEqual({ app: 'x' });
    expectTypeOf(edited.metadata.name).toBeString();
  });
});

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
