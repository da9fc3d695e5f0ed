import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFields } from './fields-v1.ts';
import {
  difference,
  EMPTY_SET,
  equalSets,
  type FieldSet,
  has,
  intersection,
  paths,
  pathText,
  recursiveDifference,
  setOf,
  union,
} from './fieldset.ts';

const path = (text: string): string[] => text.split('.').map(name => `f:${name}`);
const set = (...texts: string[]): FieldSet => setOf(...texts.map(path));
const texts = (of: FieldSet): string[] => [...paths(encodeFields(of))].map(pathText);

describe('a set of field paths', () => {
  it('is written as FieldsV1', () => {
    expect(set('spec.replicas')).toEqual({ 'f:spec': { 'f:replicas': {} } });
    expect(set('spec', 'spec.replicas')).toEqual({ 'f:spec': { '.': {}, 'f:replicas': {} } });
  });

  it('has the paths that were put in, and neither their parents nor the whole object', () => {
    const some = set('a.b', 'a.b.c');
    expect(has(some, path('a.b'))).toBe(true);
    expect(has(some, path('a.b.c'))).toBe(true);
    expect(has(some, path('a'))).toBe(false);
    expect(has(some, [])).toBe(false);
  });

  it('loses a path without what is below it, unless asked to', () => {
    expect(texts(difference(set('a', 'a.b'), set('a')))).toEqual(['.a.b']);
    expect(texts(difference(set('a', 'a.b'), set('a.b')))).toEqual(['.a']);
    expect(texts(recursiveDifference(set('a', 'a.b', 'c'), set('a')))).toEqual(['.c']);
    expect(texts(recursiveDifference(set('a', 'a.b', 'c'), set('a.b')))).toEqual(['.a', '.c']);
  });

  it('lists members before what is below, in the order of Go', () => {
    const mixed = setOf(
      ['v:10'],
      ['v:9'],
      ['k:{"port":10}', 'f:x'],
      ['k:{"port":9}'],
      ['f:b'],
      ['f:a', 'f:z'],
      ['i:0'],
    );
    expect(texts(mixed)).toEqual(['.b', '[port=9]', '[=9]', '[=10]', '[0]', '.a.z', '[port=10].x']);
  });

  it('shares what an operation leaves alone', () => {
    const whole = set('a.b', 'c.d');
    expect(union(whole, set('a.b'))).toBe(whole);
    expect(difference(whole, set('x'))).toBe(whole);
    expect(union(whole, set('e'))['f:a']).toBe(whole['f:a']);
  });
});

describe('set operations on paths', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 });
  const anySet = fc.array(names, { maxLength: 8 }).map(all => setOf(...all.map(each => each.map(name => `f:${name}`))));

  it('are those of sets of paths', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        expect(texts(union(a, b)).toSorted()).toEqual([...new Set([...texts(a), ...texts(b)])].sort());
        expect(texts(intersection(a, b))).toEqual(texts(a).filter(each => texts(b).includes(each)));
        expect(texts(difference(a, b))).toEqual(texts(a).filter(each => !texts(b).includes(each)));
      }),
    );
  });

  it('give one form for one set', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        expect(equalSets(union(difference(a, b), intersection(a, b)), a)).toBe(true);
        expect(equalSets(difference(a, a), EMPTY_SET)).toBe(true);
      }),
    );
  });

  it('edit neither side', () => {
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const before = JSON.stringify([a, b]);
        for (const operation of [union, intersection, difference, recursiveDifference]) operation(a, b);
        expect(JSON.stringify([a, b])).toBe(before);
      }),
    );
  });
});
