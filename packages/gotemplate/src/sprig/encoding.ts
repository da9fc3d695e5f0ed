/** base64, base32 and checksums. */

import { createHash } from 'node:crypto';
import { GoError } from '../errors.ts';
import { decodeBase64 } from '../text/base64.ts';
import { fromBytes, toBytes } from '../text/bytes.ts';
import { define, type FuncMap } from '../value/function.ts';

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const corrupt = (at: number) => new GoError(`illegal base32 data at input byte ${at}`);

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
      if (character === undefined) throw corrupt(start);
      if (character === '=' && index >= 2 && source.length - start <= 8) {
        checkPadding(source, start, index);
        break;
      }
      const value = base32Alphabet.indexOf(character);
      if (value < 0) throw corrupt(start + index);
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
    if (source[start + index] === undefined) throw corrupt(source.length);
    if (source[start + index] !== '=') throw corrupt(start + index);
  }
  if (from === 3 || from === 6 || from === 1) throw corrupt(start + from);
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
