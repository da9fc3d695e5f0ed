/** Words: abbreviations, initials, wrapping, letter case by word (Masterminds/goutils, which counts bytes). */

import { byteLength, byteSlice, fromBytes, runes, toBytes } from '../text/bytes.ts';
import { isLower, isSpace, isUpper, toLower, toTitle, toUpper } from '../text/unicode.ts';
import { define, defineWith, type FuncMap } from '../value/function.ts';

function abbreviate(text: string, offset: number, width: number): string {
  const length = byteLength(text);
  if (text === '' || width < 4) return '';
  if (length <= width) return text;
  let start = Math.min(offset, length);
  if (length - start < width - 3) start = length - (width - 3);
  if (start <= 4) return `${byteSlice(text, 0, width - 3)}...`;
  if (width < 7) return '';
  if (start + width - 3 < length) return `...${abbreviate(byteSlice(text, start), 0, width - 3)}`;
  return `...${byteSlice(text, length - (width - 3))}`;
}

/** Each byte as a character, which is what goutils reads: multi-byte characters come apart. */
function bytesAsRunes(text: string): number[] {
  return Array.from(toBytes(text));
}

function initials(text: string): string {
  let out = '';
  let afterGap = true;
  for (const code of bytesAsRunes(text)) {
    if (isSpace(code)) afterGap = true;
    else if (afterGap) {
      out += String.fromCodePoint(code);
      afterGap = false;
    }
  }
  return out;
}

function deleteSpace(text: string): string {
  const codes = bytesAsRunes(text);
  const kept = codes.filter(code => !isSpace(code));
  return kept.length === codes.length ? text : String.fromCodePoint(...kept);
}

function untitle(text: string): string {
  let startsWord = true;
  return fromRunes(
    runes(text).map(code => {
      if (isSpace(code)) {
        startsWord = true;
        return code;
      }
      const mapped = startsWord ? toLower(code) : code;
      startsWord = false;
      return mapped;
    }),
  );
}

const isTitle = (code: number) => !isUpper(code) && !isLower(code) && /^\p{Lt}$/u.test(String.fromCodePoint(code));

function swapCase(text: string): string {
  let afterSpace = true;
  return fromRunes(
    runes(text).map(code => {
      if (isUpper(code) || isTitle(code)) {
        afterSpace = false;
        return toLower(code);
      }
      if (isLower(code)) {
        const mapped = afterSpace ? toTitle(code) : toUpper(code);
        afterSpace = false;
        return mapped;
      }
      afterSpace = isSpace(code);
      return code;
    }),
  );
}

function fromRunes(codes: readonly number[]): string {
  let out = '';
  for (const code of codes) out += String.fromCodePoint(code);
  return out;
}

/** Wraps at spaces; long words are cut only where asked. Works on bytes, one character each. */
function wrap(text: string, width: number, newline: string, cutLongWords: boolean): string {
  const bytes = Buffer.from(toBytes(text)).toString('latin1');
  const separator = Buffer.from(toBytes(newline || '\n')).toString('latin1');
  const limit = Math.max(1, width);
  let out = '';
  let offset = 0;
  while (bytes.length - offset > limit) {
    if (bytes[offset] === ' ') {
      offset++;
      continue;
    }
    const space = bytes.lastIndexOf(' ', limit + offset);
    if (space >= offset) {
      out += bytes.slice(offset, space) + separator;
      offset = space + 1;
    } else if (cutLongWords) {
      out += bytes.slice(offset, offset + limit) + separator;
      offset += limit;
    } else {
      const next = bytes.indexOf(' ', limit + offset);
      if (next < 0) break;
      out += bytes.slice(offset, next) + separator;
      offset = next + 1;
    }
  }
  return latin1Text(out + bytes.slice(offset));
}

function latin1Text(bytes: string): string {
  return fromBytes(Buffer.from(bytes, 'latin1'));
}

export const wordFunctions: FuncMap = {
  abbrev: define('int, string', (width, text) => (width < 4 ? text : abbreviate(text, 0, width))),
  abbrevboth: define('int, int, string', (left, right, text) =>
    right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right),
  ),
  initials: define('string', initials),
  nospace: define('string', deleteSpace),
  untitle: define('string', untitle),
  swapcase: define('string', swapCase),
  wrap: define('int, string', (width, text) => wrap(text, width, '', false)),
  wrapWith: defineWith('int, string, string', (execution, width, separator, text) => {
    execution.budget.charge((text.length / Math.max(1, width)) * separator.length);
    return wrap(text, width, separator, true);
  }),
};
