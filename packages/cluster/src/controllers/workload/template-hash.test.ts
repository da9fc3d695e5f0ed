import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { templateHash } from './template-hash.ts';

describe('the hash of a template', () => {
  it('does not depend on the order of keys, nor on fields that are not there', () => {
    const one = { spec: { a: 1, b: [{ c: 2, d: 3 }] } };
    const same = { spec: { b: [{ d: 3, c: 2, e: undefined }], a: 1, f: null } };
    expect(templateHash(same)).toBe(templateHash(one));
  });

  it('depends on everything else, the order of lists and the count of collisions included', () => {
    const hashes = [
      templateHash({ a: [1, 2] }),
      templateHash({ a: [2, 1] }),
      templateHash({ a: ['1', 2] }),
      templateHash({ a: [1, 2] }, 0),
      templateHash({ a: [1, 2] }, 1),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('is fit for labels and names, whatever is in the template', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(templateHash(value)).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/);
      }),
    );
  });
});
