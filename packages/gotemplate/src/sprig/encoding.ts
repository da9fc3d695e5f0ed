/** base64, base32 and checksums. */

import { createHash } from 'node:crypto';
import { GoError } from '../errors.ts';
import { fromBytes, toBytes } from '../text/bytes.ts';
import { define, type FuncMap } from '../value/function.ts';

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const corrupt = (name: string, at: number) => new GoError(`illegal ${name} data at input byte ${at}`);

/** `base64.StdEncoding.DecodeString`: new lines are ignored, padding is not optional. */
export function decodeBase64(text: string): Uint8Array {
  const source = Buffer.from(toBytes(text)).toString('latin1');
  const out: number[] = [];
  let at = 0;
  const skipNewlines = () => {
    while (source[at] === '\n' || source[at] === '\r') at++;
  };
  for (;;) {
    const quantum: number[] = [];
    while (quantum.length < 4) {
      skipNewlines();
      if (at === source.length) {
        if (quantum.length === 0) return Uint8Array.from(out);
        throw corrupt('base64', at - quantum.length);
      }
      const character = source[at++]!;
      const value = base64Alphabet.indexOf(character);
      if (value >= 0) {
        quantum.push(value);
        continue;
      }
      if (character !== '=' || quantum.length < 2) throw corrupt('base64', at - 1);
      if (quantum.length === 2) {
        skipNewlines();
        if (at === source.length) throw corrupt('base64', source.length);
        if (source[at] !== '=') throw corrupt('base64', at - 1);
        at++;
      }
      skipNewlines();
      if (at < source.length) throw corrupt('base64', at);
      return Uint8Array.from([...out, ...quantumBytes(quantum)]);
    }
    out.push(...quantumBytes(quantum));
  }
}

function quantumBytes(quantum: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = quantum;
  const bits = (a << 18) | (b << 12) | (c << 6) | d;
  return [(bits >> 16) & 255, (bits >> 8) & 255, bits & 255].slice(0, quantum.length - 1);
}

function encodeBase32(bytes: Uint8Array): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const group = bytes.subarray(at, at + 5);
    let bits = 0n;
    for (let index = 0; index < 5; index++) bits = (bits << 8n) | BigInt(group[index] ?? 0);
    const used = Math.ceil((group.length * 8) / 5);
    for (let index = 0; index < 8; index++) {
      out += index < used ? base32Alphabet[Number((bits >> BigInt(35 - index * 5)) & 31n)] : '=';
    }
  }
  return out;
}

/** `base32.StdEncoding.DecodeString`. */
function decodeBase32(text: string): Uint8Array {
  const source = Buffer.from(toBytes(text))
    .toString('latin1')
    .replace(/[\r\n]/g, '');
  const out: number[] = [];
  for (let start = 0; start < source.length; start += 8) {
    const group: number[] = [];
    for (let index = 0; index < 8; index++) {
      const character = source[start + index];
      if (character === undefined) throw corrupt('base32', start);
      if (character === '=' && index >= 2 && source.length - start <= 8) {
        checkPadding(source, start, index);
        break;
      }
      const value = base32Alphabet.indexOf(character);
      if (value < 0) throw corrupt('base32', start + index);
      group.push(value);
    }
    let bits = 0n;
    for (let index = 0; index < 8; index++) bits = (bits << 5n) | BigInt(group[index] ?? 0);
    const count = Math.floor((group.length * 5) / 8);
    for (let index = 0; index < count; index++) out.push(Number((bits >> BigInt(32 - index * 8)) & 255n));
  }
  return Uint8Array.from(out);
}

function checkPadding(source: string, start: number, from: number): void {
  for (let index = from; index < 8; index++) {
    if (source[start + index] === undefined) throw corrupt('base32', source.length);
    if (source[start + index] !== '=') throw corrupt('base32', start + index);
  }
  if (from === 3 || from === 6 || from === 1) throw corrupt('base32', start + from);
}

function decoded(decode: () => Uint8Array): string {
  try {
    return fromBytes(decode());
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

const digest = (algorithm: string) =>
  define('string', text => createHash(algorithm).update(toBytes(text)).digest('hex'));

export const encodingFunctions: FuncMap = {
  b64enc: define('string', text => Buffer.from(toBytes(text)).toString('base64')),
  b64dec: define('string', text => decoded(() => decodeBase64(text))),
  b32enc: define('string', text => encodeBase32(toBytes(text))),
  b32dec: define('string', text => decoded(() => decodeBase32(text))),
  sha1sum: digest('sha1'),
  sha256sum: digest('sha256'),
  sha512sum: digest('sha512'),
  adler32sum: define('string', text => String(adler32(toBytes(text)))),
};
