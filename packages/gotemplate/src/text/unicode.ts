/** Go's `unicode` predicates on code points. */

import { hasNonAscii } from './bytes.ts';

const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;
const upper = /^\p{Lu}$/u;
const lower = /^\p{Ll}$/u;
const graphic = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;
const spaces = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0]);
const wideSpace = /^[\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

const ascii = (code: number) => code < 0x80;

export function isLetter(code: number): boolean {
  if (ascii(code)) return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return letter.test(String.fromCodePoint(code));
}

export function isDigit(code: number): boolean {
  if (ascii(code)) return code >= 0x30 && code <= 0x39;
  return digit.test(String.fromCodePoint(code));
}

export function isUpper(code: number): boolean {
  if (ascii(code)) return code >= 0x41 && code <= 0x5a;
  return upper.test(String.fromCodePoint(code));
}

export function isLower(code: number): boolean {
  if (ascii(code)) return code >= 0x61 && code <= 0x7a;
  return lower.test(String.fromCodePoint(code));
}

export function isSpace(code: number): boolean {
  return spaces.has(code) || (code > 0xff && wideSpace.test(String.fromCodePoint(code)));
}

/** Letters, marks, numbers, punctuation, symbols and the ASCII space. */
export function isPrint(code: number): boolean {
  if (ascii(code)) return code >= 0x20 && code < 0x7f;
  if (code >= 0xd800 && code <= 0xdfff) return false;
  return graphic.test(String.fromCodePoint(code));
}

/** Simple (one to one) case mapping, as `unicode.ToUpper`; JavaScript's full mapping would turn ß into SS. */
export function toUpper(code: number): number {
  return single(String.fromCodePoint(code).toUpperCase(), code);
}

export function toLower(code: number): number {
  if (code === 0x130) return 0x69;
  return single(String.fromCodePoint(code).toLowerCase(), code);
}

function single(mapped: string, original: number): number {
  const code = mapped.codePointAt(0)!;
  return mapped.length === String.fromCodePoint(code).length ? code : original;
}

const digraphs = new Map<number, number>();
for (const [title, ...variants] of [
  [0x1c5, 0x1c4, 0x1c6],
  [0x1c8, 0x1c7, 0x1c9],
  [0x1cb, 0x1ca, 0x1cc],
  [0x1f2, 0x1f1, 0x1f3],
]) {
  for (const variant of [title!, ...variants]) digraphs.set(variant, title!);
}

export function toTitle(code: number): number {
  return digraphs.get(code) ?? toUpper(code);
}

/** `strings.Map`: a byte that is not UTF-8 becomes U+FFFD. */
export function mapRunes(text: string, mapping: (code: number) => number): string {
  let out = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    out += String.fromCodePoint(mapping(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code));
  }
  return out;
}

/** `strings.ToUpper`. */
export function upperCase(text: string): string {
  return hasNonAscii(text) ? mapRunes(text, toUpper) : text.toUpperCase();
}

/** `strings.ToLower`. */
export function lowerCase(text: string): string {
  return hasNonAscii(text) ? mapRunes(text, toLower) : text.toLowerCase();
}

/** `strings.TrimSpace`. */
export function trimSpace(text: string): string {
  return trimFunc(text, isSpace);
}

/** `strings.TrimFunc`. */
export function trimFunc(text: string, drop: (code: number) => boolean): string {
  return trimRightFunc(trimLeftFunc(text, drop), drop);
}

export function trimLeftFunc(text: string, drop: (code: number) => boolean): string {
  let start = 0;
  while (start < text.length) {
    const code = text.codePointAt(start)!;
    if (!drop(code)) break;
    start += code > 0xffff ? 2 : 1;
  }
  return text.slice(start);
}

export function trimRightFunc(text: string, drop: (code: number) => boolean): string {
  let end = text.length;
  while (end > 0) {
    const unit = text.charCodeAt(end - 1);
    const pair = unit >= 0xdc00 && unit <= 0xdfff && end > 1 && (text.charCodeAt(end - 2) & 0xfc00) === 0xd800;
    const start = end - (pair ? 2 : 1);
    if (!drop(text.codePointAt(start)!)) break;
    end = start;
  }
  return text.slice(0, end);
}
