import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter, LineTooLong } from './line-splitter.ts';

const split = (chunks: readonly Buffer[]): { lines: string[]; rest: string } => {
  const splitter = new LineSplitter(1000);
  const lines = chunks.flatMap(chunk => Array.from(splitter.push(chunk), String));
  return { lines, rest: String(splitter.rest()) };
};

describe('splitting a stream into lines', () => {
  it('gives the same lines wherever the bytes are cut, even inside a character', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).map(text => JSON.stringify(text));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map(each => `${each}\n`).join(''));
        const places = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index]!, end));
        expect(split(chunks)).toEqual({ lines, rest: '' });
      }),
    );
  });

  it('passes over blank lines and gives what has no end separately', () => {
    expect(split([Buffer.from('\n\r\n{"a":1}\r\n  \n{"b"')])).toEqual({ lines: ['{"a":1}'], rest: '{"b"' });
  });

  it('gives up on a line without end', () => {
    expect(() => split([Buffer.alloc(600, 'x'), Buffer.alloc(600, 'x')])).toThrow(LineTooLong);
  });
});
