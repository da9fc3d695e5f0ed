const SIMPLE: Readonly<Record<string, number>> = {
  a: 0x07,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
};

/**
 * The bytes of `b'…'`: characters count as their UTF-8 bytes, `\xff` and `\377` as one byte. The parser drops the upper
 * half of characters outside Latin-1, so a literal that has any is read again here; `undefined` when there is nothing
 * to correct.
 */
export function decodeBytesLiteral(spelling: string): Uint8Array | undefined {
  if (![...spelling].some(character => character.codePointAt(0)! > 0x7f)) return undefined;
  const quoted = spelling.slice(1);
  const quotes = quoted.startsWith('"""') || quoted.startsWith("'''") ? 3 : 1;
  const body = quoted.slice(quotes, -quotes);
  const bytes: number[] = [];
  for (let index = 0; index < body.length; ) {
    const sequence = /^\\(?:[xX]([0-9a-fA-F]{2})|([0-3][0-7]{2})|(.))/s.exec(body.slice(index, index + 4));
    if (sequence) {
      const [whole, hexadecimal, octal, simple] = sequence;
      if (hexadecimal !== undefined) bytes.push(Number.parseInt(hexadecimal, 16));
      else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
      else bytes.push(SIMPLE[simple!] ?? simple!.charCodeAt(0));
      index += whole.length;
    } else {
      const character = String.fromCodePoint(body.codePointAt(index)!);
      bytes.push(...Buffer.from(character, 'utf8'));
      index += character.length;
    }
  }
  return Uint8Array.from(bytes);
}
