/** Random strings, numbers and identifiers, all from the injected source. */

import { GoError } from '../errors.ts';
import type { System } from '../system.ts';
import { runes } from '../text/bytes.ts';
import { define, defineWith, type FuncMap } from '../value/function.ts';
import { int } from '../value/values.ts';

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The printable characters goutils draws from for `randAscii`. */
const ascii = Array.from({ length: 127 - 32 }, (_, index) => String.fromCharCode(32 + index)).join('');

/** A uniform number below `bound` (at most 2^53): values that would favour the small ones are drawn again. */
export function randomBelow(system: System, bound: number): number {
  const size = BigInt(bound);
  const limit = (1n << 64n) - ((1n << 64n) % size);
  for (;;) {
    const value = Buffer.from(system.random(8)).readBigUInt64BE();
    if (value < limit) return Number(value % size);
  }
}

function randomText(system: System, alphabet: string, count: number): string {
  let out = '';
  for (let index = 0; index < count; index++) out += alphabet[randomBelow(system, alphabet.length)];
  return out;
}

function uuid(system: System): string {
  const bytes = Buffer.from(system.random(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function shuffle(system: System, text: string): string {
  const codes = runes(text);
  for (let index = codes.length - 1; index > 0; index--) {
    const other = randomBelow(system, index + 1);
    [codes[index], codes[other]] = [codes[other]!, codes[index]!];
  }
  return codes.map(code => String.fromCodePoint(code)).join('');
}

export function randomFunctions(system: System): FuncMap {
  const text = (alphabet: string) =>
    defineWith('int', (execution, count) => {
      // A random character costs far more than a copied one.
      execution.budget.charge(Math.max(0, count) * 64);
      return randomText(system, alphabet, count);
    });
  return {
    randAlphaNum: text(digits + letters),
    randAlpha: text(letters),
    randNumeric: text(digits),
    randAscii: text(ascii),
    randInt: define('int, int', (low, high) => {
      if (high - low <= 0) throw new GoError('invalid argument to Intn');
      return int(low + randomBelow(system, high - low));
    }),
    randBytes: defineWith('int', (execution, count) => {
      if (count < 0) throw new GoError('runtime error: makeslice: len out of range');
      execution.budget.charge(count * 2);
      return Buffer.from(system.random(count)).toString('base64');
    }),
    shuffle: define('string', value => shuffle(system, value)),
    uuidv4: define('', () => uuid(system)),
  };
}
