/**
 * Go strings are bytes; ours are JavaScript strings. Valid UTF-8 is simply the same text. A byte that is not part of valid
 * UTF-8 is kept as the lone low surrogate U+DC80…U+DCFF (0xDC00 + byte), so that `b64dec | b64enc`, `trunc` inside a character
 * or `sha256sum` of binary data lose nothing. No Go string decodes to a surrogate, so the mapping is one to one.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const escaped = /[\udc80-\udcff]/;
const nonAscii = /[\u0080-\uffff]/;

/** Whether the text has characters of more than one byte (or escaped bytes). */
export function hasNonAscii(text: string): boolean {
  return nonAscii.test(text);
}

/** The code unit that stands for a byte outside valid UTF-8. */
export function escapeByte(byte: number): string {
  return String.fromCharCode(0xdc00 + byte);
}

/** The bytes of the Go string that `text` stands for. */
export function toBytes(text: string): Uint8Array {
  if (!escaped.test(text)) return encoder.encode(text);
  const parts: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0xdc80 && code <= 0xdcff) parts.push(code - 0xdc00);
    else for (const byte of encoder.encode(character)) parts.push(byte);
  }
  return Uint8Array.from(parts);
}

/** The text that stands for a Go string of these bytes. */
export function fromBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeLossless(bytes);
  }
}

function decodeLossless(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const size = runeSize(bytes, index);
    if (size === 0) text += escapeByte(bytes[index++]!);
    else {
      text += decoder.decode(bytes.subarray(index, index + size));
      index += size;
    }
  }
  return text;
}

/** The length of the valid UTF-8 sequence at `index`, or 0 where there is none. */
function runeSize(bytes: Uint8Array, index: number): number {
  const first = bytes[index]!;
  if (first < 0x80) return 1;
  const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || index + size > bytes.length) return 0;
  for (let offset = 1; offset < size; offset++) if ((bytes[index + offset]! & 0xc0) !== 0x80) return 0;
  const second = bytes[index + 1]!;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  return size;
}

/** Go's `len(s)`. */
export function byteLength(text: string): number {
  return nonAscii.test(text) ? toBytes(text).length : text.length;
}

/** Go's `s[start:end]`; the caller has checked the bounds. */
export function byteSlice(text: string, start: number, end?: number): string {
  if (!nonAscii.test(text)) return text.slice(start, end);
  return fromBytes(toBytes(text).subarray(start, end));
}

/** Whether the Go string is valid UTF-8. */
export function isValidUtf8(text: string): boolean {
  return !escaped.test(text);
}

/** Joins escaped bytes that stand side by side and make up valid UTF-8 (after a concatenation), as Go's bytes do by nature. */
export function normalize(text: string): string {
  return escaped.test(text) ? fromBytes(toBytes(text)) : text;
}

/** The runes of `for range s`: an invalid byte counts as one U+FFFD. */
export function runes(text: string): number[] {
  const out: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    out.push(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
  }
  return out;
}

/** Compares by bytes, as Go's `<` on strings does (UTF-16 order differs above U+FFFF). */
export function compareBytes(left: string, right: string): number {
  if (left === right) return 0;
  if (!nonAscii.test(left) && !nonAscii.test(right)) return left < right ? -1 : 1;
  return Buffer.compare(toBytes(left), toBytes(right));
}
