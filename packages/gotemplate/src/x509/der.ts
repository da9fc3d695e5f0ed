/** DER, as much of it as certificates need. */

type Bytes = Uint8Array;

const concat = (parts: readonly Bytes[]): Buffer => Buffer.concat(parts);

/** Tag, length, content. */
export function element(tag: number, content: Bytes): Buffer {
  const { length } = content;
  if (length < 0x80) return concat([Uint8Array.of(tag, length), content]);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return concat([Uint8Array.of(tag, 0x80 | digits.length, ...digits), content]);
}

export const sequence = (...parts: readonly Bytes[]): Buffer => element(0x30, concat(parts));
export const set = (...parts: readonly Bytes[]): Buffer => element(0x31, concat(parts));
export const octets = (content: Bytes): Buffer => element(0x04, content);
/** Bits, the last `unused` of which do not count. */
export const bits = (content: Bytes, unused = 0): Buffer => element(0x03, concat([Uint8Array.of(unused), content]));
export const boolean = (value: boolean): Buffer => element(0x01, Uint8Array.of(value ? 0xff : 0));
/** `[n]` around an element. */
export const explicit = (number: number, content: Bytes): Buffer => element(0xa0 | number, content);
/** `[n]` instead of the tag of a primitive. */
export const implicit = (number: number, content: Bytes): Buffer => element(0x80 | number, content);

/** A number that is not negative. */
export function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  return element(0x02, bytes[0]! & 0x80 ? concat([Uint8Array.of(0), bytes]) : bytes);
}

export function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift(0x80 | (left & 0x7f));
    bytes.push(...groups);
  }
  return element(0x06, Uint8Array.from(bytes));
}

/** PrintableString where the characters allow it, else UTF8String: the choice Go makes. */
export function text(value: string): Buffer {
  return element(/^[A-Za-z0-9 '()+,\-./:=?]*$/.test(value) ? 0x13 : 0x0c, Buffer.from(value, 'utf8'));
}

/** UTCTime up to 2049, GeneralizedTime after. */
export function time(seconds: bigint): Buffer {
  const iso = new Date(Number(seconds) * 1000).toISOString().replace(/[-:T]|\.\d+/g, '');
  const year = Number(iso.slice(0, 4));
  return year >= 1950 && year < 2050 ? element(0x17, Buffer.from(iso.slice(2))) : element(0x18, Buffer.from(iso));
}

/** Content and total length of the element at an offset. */
export function readElement(der: Bytes, offset = 0): { tag: number; content: Bytes; end: number } {
  const tag = der[offset]!;
  let length = der[offset + 1]!;
  let start = offset + 2;
  if (length & 0x80) {
    const count = length & 0x7f;
    length = 0;
    for (let index = 0; index < count; index++) length = length * 256 + der[start + index]!;
    start += count;
  }
  return { tag, content: der.subarray(start, start + length), end: start + length };
}
