/** Go's `strconv` quoting. */

import { GoError } from '../errors.ts';
import { escapeByte, normalize } from './bytes.ts';
import { isPrint } from './unicode.ts';

const simple = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const named: Record<number, string> = { 7: '\\a', 8: '\\b', 12: '\\f', 10: '\\n', 13: '\\r', 9: '\\t', 11: '\\v' };
const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');

/** `strconv.Quote`; with `ascii`, as `%+q`. */
export function quote(text: string, ascii = false): string {
  return simple.test(text) ? `"${text}"` : quoteWith(text, '"', ascii);
}

/** `strconv.QuoteRune`. */
export function quoteRune(code: number, ascii = false): string {
  const valid = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return quoteWith(String.fromCodePoint(valid ? code : 0xfffd), "'", ascii);
}

function quoteWith(text: string, mark: string, ascii: boolean): string {
  let out = mark;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (character === mark || character === '\\') out += `\\${character}`;
    else if (code >= 0xdc80 && code <= 0xdcff) out += `\\x${hex(code - 0xdc00, 2)}`;
    else if (ascii ? code < 0x80 && isPrint(code) : isPrint(code)) out += character;
    else if (named[code]) out += named[code];
    else if (code < 0x20 || code === 0x7f) out += `\\x${hex(code, 2)}`;
    else if (code < 0x10000) out += `\\u${hex(code, 4)}`;
    else out += `\\U${hex(code, 8)}`;
  }
  return out + mark;
}

/** `strconv.CanBackquote`. */
export function canBackquote(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code === 0xfeff || (code >= 0xdc80 && code <= 0xdcff)) return false;
    if ((code < 0x20 && code !== 9) || character === '`' || code === 0x7f) return false;
  }
  return true;
}

const invalid = () => new GoError('invalid syntax');

/** `strconv.Unquote` of an interpreted ("…") or raw (`…`) string literal. */
export function unquote(literal: string): string {
  const mark = literal[0];
  const body = literal.slice(1, -1);
  if (literal.length < 2 || mark !== literal.at(-1)) throw invalid();
  if (mark === '`') {
    if (body.includes('`')) throw invalid();
    return body.replaceAll('\r', '');
  }
  if (body.includes('\n')) throw invalid();
  if (!body.includes('\\')) return body;
  let out = '';
  for (let index = 0; index < body.length; ) {
    const next = unquoteChar(body, index, mark!);
    out += next.text;
    index = next.end;
  }
  return normalize(out);
}

const controls: Record<string, number> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 0x5c };

/** `strconv.UnquoteChar`: one character or escape at `index`. */
export function unquoteChar(text: string, index: number, mark: string): { text: string; code: number; end: number } {
  const code = text.codePointAt(index);
  if (code === undefined) throw invalid();
  const character = String.fromCodePoint(code);
  if (character === mark && (mark === '"' || mark === "'")) throw invalid();
  if (character !== '\\') return { text: character, code, end: index + character.length };
  const letter = text[index + 1];
  if (letter === undefined) throw invalid();
  const control = controls[letter];
  if (control !== undefined) return { text: String.fromCharCode(control), code: control, end: index + 2 };
  if (letter === 'x' || letter === 'u' || letter === 'U') {
    const digits = text.slice(index + 2, index + 2 + { x: 2, u: 4, U: 8 }[letter]);
    if (digits.length !== { x: 2, u: 4, U: 8 }[letter] || !/^[0-9a-fA-F]+$/.test(digits)) throw invalid();
    return escapedValue(Number.parseInt(digits, 16), letter === 'x', index + 2 + digits.length);
  }
  if (letter >= '0' && letter <= '7') {
    const digits = text.slice(index + 1, index + 4);
    if (!/^[0-7]{3}$/.test(digits)) throw invalid();
    const value = Number.parseInt(digits, 8);
    if (value > 255) throw invalid();
    return escapedValue(value, true, index + 4);
  }
  if ((letter === "'" || letter === '"') && letter === mark) {
    return { text: letter, code: letter.charCodeAt(0), end: index + 2 };
  }
  throw invalid();
}

function escapedValue(value: number, isByte: boolean, end: number): { text: string; code: number; end: number } {
  if (isByte) return { text: value < 0x80 ? String.fromCharCode(value) : escapeByte(value), code: value, end };
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) throw invalid();
  return { text: String.fromCodePoint(value), code: value, end };
}
