/** Scalars: plain, quoted, literal and folded. */

import { isBlank, isBlankOrEnd, isBreak, isBreakOrEnd, isDigit, isEnd } from './characters.ts';
import type { Scanner, Token } from './scanner.ts';

/** What the line breaks between two pieces of a scalar become: one is a space, more are one fewer. */
function fold(leading: string, trailing: string): string {
  if (leading[0] !== '\n') return leading + trailing;
  return trailing === '' ? ' ' : trailing;
}

export function scanPlainScalar(scanner: Scanner): Token {
  const start = scanner.mark();
  let end = start;
  const indent = scanner.indent + 1;
  let value = '';
  let blanks = '';
  let leading = '';
  let trailing = '';
  let afterBreak = false;
  for (;;) {
    if (scanner.isDocumentIndicator('---') || scanner.isDocumentIndicator('...') || scanner.at() === 0x23) break;
    const from = scanner.index;
    scanner.advanceTo(plainEnd(scanner.text, from, scanner.flowLevel > 0));
    if (scanner.index > from) {
      value += (afterBreak ? fold(leading, trailing) : blanks) + scanner.text.slice(from, scanner.index);
      blanks = '';
      if (afterBreak) [leading, trailing, afterBreak] = ['', '', false];
      end = scanner.mark();
    }
    if (!(isBlank(scanner.at()) || isBreak(scanner.at()))) break;
    while (isBlank(scanner.at()) || isBreak(scanner.at())) {
      if (isBlank(scanner.at())) {
        if (afterBreak && scanner.column < indent && scanner.at() === 0x09) {
          scanner.fail('found a tab character that violates indentation');
        }
        if (!afterBreak) blanks += scanner.text[scanner.index];
        scanner.skip();
      } else if (afterBreak) trailing += scanner.readBreak();
      else {
        blanks = '';
        leading = scanner.readBreak();
        afterBreak = true;
      }
    }
    if (scanner.flowLevel === 0 && scanner.column < indent) break;
  }
  if (afterBreak) scanner.simpleKeyAllowed = true;
  return { type: 'scalar', start, end, value, isPlain: true };
}

/** Where the word that starts at an index ends: at space, at a colon before space, in a flow at its punctuation. */
function plainEnd(text: string, start: number, inFlow: boolean): number {
  for (let index = start; ; index++) {
    const code = text.charCodeAt(index);
    if (isBlankOrEnd(code)) return index;
    if (code === 0x3a && isBlankOrEnd(text.charCodeAt(index + 1))) return index;
    if (inFlow && ',?[]{}'.includes(text[index]!)) return index;
  }
}

const escapes: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};
const codeLength: Record<string, number> = { x: 2, u: 4, U: 8 };

export function scanQuotedScalar(scanner: Scanner): Token {
  const start = scanner.mark();
  const quote = scanner.at();
  const isSingle = quote === 0x27;
  scanner.skip();
  let value = '';
  for (;;) {
    if (scanner.isDocumentIndicator('---') || scanner.isDocumentIndicator('...')) {
      scanner.fail('found unexpected document indicator');
    }
    if (isEnd(scanner.at())) scanner.fail('found unexpected end of stream');
    let afterBreak = false;
    while (!isBlankOrEnd(scanner.at())) {
      const code = scanner.at();
      if (isSingle && code === quote && scanner.at(1) === quote) {
        value += "'";
        scanner.skip();
        scanner.skip();
      } else if (code === quote) break;
      else if (!isSingle && code === 0x5c && isBreak(scanner.at(1))) {
        scanner.skip();
        scanner.readBreak();
        afterBreak = true;
        break;
      } else if (!isSingle && code === 0x5c) value += readEscape(scanner);
      else value += readRun(scanner, quote);
    }
    if (scanner.at() === quote) break;
    value += readSpace(scanner, afterBreak);
  }
  scanner.skip();
  return { type: 'scalar', start, end: scanner.mark(), value, isPlain: false };
}

function readRun(scanner: Scanner, quote: number): string {
  const { text, index: from } = scanner;
  let end = from;
  for (; ; end++) {
    const code = text.charCodeAt(end);
    if (isBlankOrEnd(code) || code === quote || (quote === 0x22 && code === 0x5c)) break;
  }
  scanner.advanceTo(end);
  return text.slice(from, end);
}

/** Blanks stay where they are inside a line; around breaks they go, and the breaks are folded. */
function readSpace(scanner: Scanner, escapedBreak: boolean): string {
  let afterBreak = escapedBreak;
  let [blanks, leading, trailing] = ['', '', ''];
  while (isBlank(scanner.at()) || isBreak(scanner.at())) {
    if (isBlank(scanner.at())) {
      if (!afterBreak) blanks += scanner.text[scanner.index];
      scanner.skip();
    } else if (afterBreak) trailing += scanner.readBreak();
    else {
      blanks = '';
      leading = scanner.readBreak();
      afterBreak = true;
    }
  }
  if (!afterBreak) return blanks;
  return leading === '' ? trailing : fold(leading, trailing);
}

function readEscape(scanner: Scanner): string {
  const letter = scanner.text[scanner.index + 1] ?? '';
  const length = codeLength[letter];
  if (length === undefined) {
    const value = escapes[letter];
    if (value === undefined) scanner.fail('found unknown escape character');
    scanner.skip();
    scanner.skip();
    return value;
  }
  scanner.skip();
  scanner.skip();
  const digits = scanner.text.slice(scanner.index, scanner.index + length);
  if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits)) {
    scanner.fail('did not find expected hexdecimal number');
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    scanner.fail('found invalid Unicode character escape code');
  for (let count = 0; count < length; count++) scanner.skip();
  return String.fromCodePoint(code);
}

/** What happens to the line breaks at the end of a block. */
type Chomping = 'clip' | 'keep' | 'strip';

export function scanBlockScalar(scanner: Scanner): Token {
  const start = scanner.mark();
  const isLiteral = scanner.at() === 0x7c;
  scanner.skip();
  const { chomping, increment } = readHeader(scanner);
  scanner.skipBlanks();
  scanner.skipComment();
  if (!isBreakOrEnd(scanner.at())) scanner.fail('did not find expected comment or line break');
  if (isBreak(scanner.at())) scanner.readBreak();
  const wanted = increment === 0 ? 0 : Math.max(scanner.indent, 0) + increment;
  let { indent, breaks: trailing } = readBreaks(scanner, wanted);
  let value = '';
  let leading = '';
  let leadingBlank = false;
  let end = scanner.mark();
  while (scanner.column === indent && !isEnd(scanner.at())) {
    const startsBlank = isBlank(scanner.at());
    if (!isLiteral && leading[0] === '\n' && !leadingBlank && !startsBlank) {
      if (trailing === '') value += ' ';
    } else value += leading;
    value += trailing;
    leadingBlank = startsBlank;
    value += scanner.readLine();
    leading = isEnd(scanner.at()) ? '' : scanner.readBreak();
    end = scanner.mark();
    ({ indent, breaks: trailing } = readBreaks(scanner, indent));
  }
  if (chomping !== 'strip') value += leading;
  if (chomping === 'keep') value += trailing;
  return { type: 'scalar', start, end, value, isPlain: false };
}

function readHeader(scanner: Scanner): { chomping: Chomping; increment: number } {
  let chomping: Chomping = 'clip';
  let increment = 0;
  for (let seen = 0; seen < 2; seen++) {
    const code = scanner.at();
    if ((code === 0x2b || code === 0x2d) && chomping === 'clip') chomping = code === 0x2b ? 'keep' : 'strip';
    else if (isDigit(code) && increment === 0) {
      if (code === 0x30) scanner.fail('found an indentation indicator equal to 0');
      increment = code - 0x30;
    } else break;
    scanner.skip();
  }
  return { chomping, increment };
}

/** Reads the empty lines before the next line of a block; without an indentation so far, they help to find it. */
function readBreaks(scanner: Scanner, indent: number): { indent: number; breaks: string } {
  let breaks = '';
  let deepest = 0;
  for (;;) {
    while ((indent === 0 || scanner.column < indent) && scanner.at() === 0x20) scanner.skip();
    deepest = Math.max(deepest, scanner.column);
    if ((indent === 0 || scanner.column < indent) && scanner.at() === 0x09) {
      scanner.fail('found a tab character where an indentation space is expected');
    }
    if (!isBreak(scanner.at())) break;
    breaks += scanner.readBreak();
  }
  return { indent: indent === 0 ? Math.max(deepest, scanner.indent + 1, 1) : indent, breaks };
}
