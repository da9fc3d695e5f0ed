/** Strings: trimming, cutting, joining, testing. */

import { GoError } from '../errors.ts';
import { sprintf } from '../fmt/format.ts';
import { describeValue } from '../fmt/print.ts';
import { byteLength, byteSlice } from '../text/bytes.ts';
import { quote } from '../text/quote.ts';
import {
  isDigit,
  isLetter,
  isSpace,
  lowerCase,
  mapRunes,
  toTitle,
  trimFunc,
  trimSpace,
  upperCase,
} from '../text/unicode.ts';
import { define, defineWith, type FuncMap } from '../value/function.ts';
import { STRING_MAP } from '../value/types.ts';
import { GoMap, strings, type Value } from '../value/values.ts';
import { toText, toTexts } from './text.ts';

const present = (value: Value) => value !== null && value !== undefined;

function isSeparator(code: number): boolean {
  if (code < 0x80) return !(isLetter(code) || isDigit(code) || code === 0x5f);
  return !isLetter(code) && !isDigit(code) && isSpace(code);
}

/** `strings.Title`: the first letter of each word in title case. */
function title(text: string): string {
  let previous = 0x20;
  return mapRunes(text, code => {
    const starts = isSeparator(previous);
    previous = code;
    return starts ? toTitle(code) : code;
  });
}

function trimAll(cutset: string, text: string): string {
  const drop = new Set([...cutset].map(character => character.codePointAt(0)!));
  return trimFunc(text, code => drop.has(code));
}

const bounds = (low: number | '', high: number, length: number) =>
  new GoError(`runtime error: slice bounds out of range [${low}:${high}]${low === '' ? ` with length ${length}` : ''}`);

/** `text[start:end]` with Go's panics. */
function cut(text: string, start: number, end: number): string {
  const length = byteLength(text);
  if (end < 0 || end > length) {
    throw end < 0 ? new GoError(`runtime error: slice bounds out of range [:${end}]`) : bounds('', end, length);
  }
  if (start > end) throw bounds(start, end, length);
  return byteSlice(text, start, end);
}

function substring(start: number, end: number, text: string): string {
  if (start < 0) return cut(text, 0, end);
  const length = byteLength(text);
  return end < 0 || end > length ? cut(text, start, length) : cut(text, start, end);
}

function truncate(count: number, text: string): string {
  const length = byteLength(text);
  if (count < 0 && length + count > 0) return byteSlice(text, length + count);
  return count >= 0 && length > count ? byteSlice(text, 0, count) : text;
}

/** `strings.Split` and `SplitN`: an empty separator splits characters. */
function split(separator: string, text: string, limit = -1): string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...text] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

function numbered(parts: readonly string[]): GoMap {
  return new GoMap(
    parts.map((part, index) => [`_${index}`, part]),
    STRING_MAP,
  );
}

const negativeRepeat = () => new GoError('strings: negative Repeat count');

function indent(spaces: number, text: string): string {
  if (spaces < 0) throw negativeRepeat();
  const padding = ' '.repeat(spaces);
  return padding + text.replaceAll('\n', `\n${padding}`);
}

function indentedSize(spaces: number, text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.length + lines * Math.max(0, spaces);
}

/** `strings.Replace(text, old, new, -1)`, where an empty `old` stands before every character and at the end. */
function replaceAll(old: string, replacement: string, text: string): string {
  if (old !== '') return text.replaceAll(old, () => replacement);
  return replacement + [...text].map(character => character + replacement).join('');
}

export const stringFunctions: FuncMap = {
  hello: define('', () => 'Hello!'),
  trim: define('string', trimSpace),
  upper: define('string', upperCase),
  lower: define('string', lowerCase),
  title: define('string', title),
  trunc: define('int, string', truncate),
  substr: define('int, int, string', substring),
  repeat: defineWith('int, string', (execution, count, text) => {
    if (count < 0) throw negativeRepeat();
    execution.budget.charge(count * text.length);
    return text.repeat(count);
  }),
  trimall: define('string, string', trimAll),
  trimAll: define('string, string', trimAll),
  trimSuffix: define('string, string', (suffix, text) =>
    suffix && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text,
  ),
  trimPrefix: define('string, string', (prefix, text) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)),
  contains: define('string, string', (part, text) => text.includes(part)),
  hasPrefix: define('string, string', (prefix, text) => text.startsWith(prefix)),
  hasSuffix: define('string, string', (suffix, text) => text.endsWith(suffix)),
  quote: define('...any', (...values) =>
    values
      .filter(present)
      .map(value => quote(toText(value)))
      .join(' '),
  ),
  squote: define('...any', (...values) =>
    values
      .filter(present)
      .map(value => `'${describeValue(value)}'`)
      .join(' '),
  ),
  cat: define('...any', (...values) => {
    const kept = values.filter(present);
    return sprintf(kept.map(() => '%v').join(' '), kept);
  }),
  indent: defineWith('int, string', (execution, spaces, text) => {
    execution.budget.charge(indentedSize(spaces, text));
    return indent(spaces, text);
  }),
  nindent: defineWith('int, string', (execution, spaces, text) => {
    execution.budget.charge(indentedSize(spaces, text));
    return `\n${indent(spaces, text)}`;
  }),
  replace: defineWith('string, string, string', (execution, old, replacement, text) => {
    if (replacement.length > old.length) execution.budget.charge(text.length * replacement.length);
    return replaceAll(old, replacement, text);
  }),
  plural: define('string, string, int', (one, many, count) => (count === 1 ? one : many)),
  toString: define('any', toText),
  toStrings: define('any', value => strings(toTexts(value))),
  join: define('string, any', (separator, value) => toTexts(value).join(separator)),
  split: define('string, string', (separator, text) => numbered(split(separator, text))),
  splitn: define('string, int, string', (separator, limit, text) => numbered(split(separator, text, limit))),
  splitList: define('string, string', (separator, text) => strings(split(separator, text))),
};
