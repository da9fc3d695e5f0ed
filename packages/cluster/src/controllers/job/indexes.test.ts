import { describe, expect, it } from 'vitest';
import { firstPending, formatIndexes, parseIndexes } from './indexes.ts';

describe('indexes', () => {
  it.each([
    ['', []],
    ['5', [5]],
    ['0,1', [0, 1]],
    ['0-2,5,7-9', [0, 1, 2, 5, 7, 8, 9]],
    ['1,2,4', [1, 2, 4]],
  ])('%j stands for %j, and back', (text, indexes) => {
    expect([...parseIndexes(text, 100)]).toEqual(indexes);
    expect(formatIndexes(new Set(indexes))).toBe(text);
  });

  it('beyond the number of completions are no more', () => {
    expect([...parseIndexes('0-9', 3)]).toEqual([0, 1, 2]);
  });

  it('that are pending are the lowest that nobody has', () => {
    expect(firstPending(3, 6, [new Set([0, 2]), new Set([3])])).toEqual([1, 4, 5]);
    expect(firstPending(9, 3, [new Set([0])])).toEqual([1, 2]);
  });
});
