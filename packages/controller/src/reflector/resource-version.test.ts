import { describe, expect, it } from 'vitest';
import { compareVersions, hasReached, isComparable, newestFirst } from './resource-version.ts';

describe('resource versions', () => {
  it('compare as numbers, however long they are', () => {
    expect(compareVersions('9', '10')).toBeLessThan(0);
    expect(compareVersions('99999999999999999999', '100000000000000000000')).toBeLessThan(0);
    expect(compareVersions('12', '11')).toBeGreaterThan(0);
    expect(compareVersions('7', '7')).toBe(0);
  });

  it.each(['', '0', '007', 'abc', '1.5', '-1'])('do not compare when they are no versions: %j', version => {
    expect(isComparable(version)).toBe(false);
  });

  it('are reached by newer and equal ones; strange ones by themselves only', () => {
    expect(hasReached('10', '9')).toBe(true);
    expect(hasReached('9', '10')).toBe(false);
    expect(hasReached('abc', 'abc')).toBe(true);
    expect(hasReached('abd', 'abc')).toBe(false);
    expect(hasReached(undefined, '1')).toBe(false);
  });

  it('order objects by when they were last changed', () => {
    const objects = ['9', '100', '10', 'odd'].map(resourceVersion => ({ identity: { name: 'a', resourceVersion } }));
    expect(newestFirst(objects).map(({ identity }) => identity.resourceVersion)).toEqual(['100', '10', '9', 'odd']);
  });
});
