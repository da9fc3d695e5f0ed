/** As much of DER as certificates need: every function gives the complete bytes of one value. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

function value(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(content.length), content]);
}

/** Below 128 in one byte; else the number of bytes that follow, then the length in those. */
function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x100) return Buffer.from([0x81, length]);
  return Buffer.from([0x82, length >> 8, length & 0xff]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => value(TAG.sequence, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => value(TAG.set, ...parts);
export const octetString = (...parts: readonly Uint8Array[]): Buffer => value(TAG.octetString, ...parts);
export const utf8String = (text: string): Buffer => value(TAG.utf8String, Buffer.from(text));
export const boolean = (truth: boolean): Buffer => value(TAG.boolean, Buffer.from([truth ? 0xff : 0]));

/** A number of no sign; a leading zero keeps its first bit from being read as one. */
export function integer(bytes: Uint8Array): Buffer {
  return value(TAG.integer, ...((bytes[0] ?? 0) & 0x80 ? [Buffer.from([0]), bytes] : [bytes]));
}

/** `unused`: how many bits at the end do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return value(TAG.bitString, Buffer.from([unused]), bytes);
}

/** The first two numbers share a byte; the rest are written in groups of seven bits. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(TAG.objectIdentifier, Buffer.from([first * 40 + second, ...rest.flatMap(sevenBitGroups)]));
}

function sevenBitGroups(number: number): number[] {
  const groups = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

/** RFC 5280: two digits for the year until 2049, four from then on. */
export function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  const century = digits.slice(0, 4) < '2050';
  return value(century ? TAG.utcTime : TAG.generalizedTime, Buffer.from(century ? digits.slice(2) : digits));
}

/** A value marked by its place instead of its type. */
export function tagged(place: number, constructed: boolean, ...parts: readonly Uint8Array[]): Buffer {
  return value((constructed ? 0xa0 : 0x80) | place, ...parts);
}
