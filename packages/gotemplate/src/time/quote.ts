import { toBytes } from '../text/bytes.ts';

/** The quoting of Go's `time` package, simpler than `strconv`'s: whatever is not printable ASCII becomes its bytes. */
export function quoteBytes(text: string): string {
  let out = '"';
  for (const byte of toBytes(text)) {
    if (byte === 0x22 || byte === 0x5c) out += `\\${String.fromCharCode(byte)}`;
    else out += byte >= 0x20 && byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `${out}"`;
}
