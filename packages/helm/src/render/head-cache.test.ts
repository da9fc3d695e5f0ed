import { describe, expect, it } from 'vitest';
import { HeadCache } from './head-cache.ts';

describe('a cache of heads', () => {
  it('reads a text once', () => {
    const cache = new HeadCache<number>(100);
    let reads = 0;
    const read = () => ++reads;
    expect([cache.get('a', read), cache.get('a', read), cache.get('b', read)]).toEqual([1, 1, 2]);
  });

  it('drops what was used longest ago when it is full', () => {
    const cache = new HeadCache<string>(40);
    const reads: string[] = [];
    const get = (text: string) =>
      cache.get(text, () => {
        reads.push(text);
        return text;
      });
    for (const text of ['aaaaaaaaaa', 'bbbbbbbbbb', 'cccccccccc', 'dddddddddd', 'aaaaaaaaaa', 'eeeeeeeeee']) get(text);
    reads.length = 0;
    get('aaaaaaaaaa');
    get('bbbbbbbbbb');
    expect(reads).toEqual(['bbbbbbbbbb']);
  });

  it('remembers no failure, and nothing that would push out all the rest', () => {
    const cache = new HeadCache<number>(40);
    const fail = () => {
      throw new Error('broken');
    };
    expect(() => cache.get('a', fail)).toThrow('broken');
    expect(cache.get('a', () => 1)).toBe(1);
    const long = 'x'.repeat(20);
    expect([cache.get(long, () => 1), cache.get(long, () => 2)]).toEqual([1, 2]);
  });
});
