import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength, byteSlice, compareBytes, fromBytes, normalize, toBytes } from './bytes.ts';
import { formatFloat, formatShortest, parseFloat64 } from './number.ts';
import { quote, unquote } from './quote.ts';

describe('a Go string', () => {
  it('comes back from its bytes, valid UTF-8 or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        expect(Buffer.from(toBytes(fromBytes(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('is cut and joined by bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, position) => {
        const at = position % (byteLength(text) + 1);
        expect(normalize(byteSlice(text, 0, at) + byteSlice(text, at))).toBe(text);
      }),
    );
  });

  it('is ordered by bytes, not by UTF-16 units', () => {
    expect(compareBytes('\uffff', '\u{10000}')).toBeLessThan(0);
    expect('\uffff' < '\u{10000}').toBe(false);
  });

  it('comes back from its quotes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 30 }), fc.boolean(), (bytes, ascii) => {
        const text = fromBytes(bytes);
        expect(unquote(quote(text, ascii))).toBe(text);
      }),
    );
  });
});

describe('a float', () => {
  it('comes back from its shortest form', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), value => {
        expect(parseFloat64(formatShortest(value))).toBe(value);
        expect(parseFloat64(formatFloat(value, 'e', -1))).toBe(value);
      }),
    );
  });

  it('rounds half to even, as Go does and toFixed does not', () => {
    expect([0.5, 1.5, 2.5].map(value => formatFloat(value, 'f', 0))).toEqual(['0', '2', '2']);
    expect(formatFloat(0.125, 'f', 2)).toBe('0.12');
  });
});
