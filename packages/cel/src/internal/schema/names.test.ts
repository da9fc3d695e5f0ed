import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeName, unescapeName } from './names.ts';

describe('a property name', () => {
  test.each([
    ['plain', 'plain'],
    ['x-prop', 'x__dash__prop'],
    ['a.b', 'a__dot__b'],
    ['a/b', 'a__slash__b'],
    ['redact__d', 'redact__underscores__d'],
    ['in', '__in__'],
    ['namespace', '__namespace__'],
  ])('%s is %s in a rule', (name, escaped) => {
    expect(escapeName(name)).toBe(escaped);
    expect(unescapeName(escaped)).toBe(name);
  });

  test.each(['', '1st', '$ref', 'a b', 'é'])('%s cannot be used in a rule', name => {
    expect(escapeName(name)).toBeUndefined();
  });

  test('comes back from its identifier', () => {
    const names = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9./-]*$/);
    fc.assert(fc.property(names, name => unescapeName(escapeName(name)!) === name));
  });
});
