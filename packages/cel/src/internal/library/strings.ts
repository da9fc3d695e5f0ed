import type { Meter } from '../evaluate/meter.ts';
import { Failure } from '../value/failure.ts';
import { codePointLength, hasSurrogates } from '../value/kind.ts';
import type { List } from '../value/list.ts';
import { define, type Overload } from './overload.ts';
import { quote } from './quote.ts';
import { replaceText, splitText } from './split-replace.ts';
import { formatText } from './text-format.ts';

/** Positions in strings count code points, as everywhere in CEL. */
export const strings: readonly Overload[] = [
  define('contains', 'contains_string', '.(string, string): bool', ([text, part]: [string, string], meter) => {
    meter.scan(text.length + part.length);
    return text.includes(part);
  }),
  define('startsWith', 'starts_with_string', '.(string, string): bool', ([text, part]: [string, string], meter) => {
    meter.scan(part.length);
    return text.startsWith(part);
  }),
  define('endsWith', 'ends_with_string', '.(string, string): bool', ([text, part]: [string, string], meter) => {
    meter.scan(part.length);
    return text.endsWith(part);
  }),
  define('charAt', 'string_char_at_int', '.(string, int): string', charAt),
  define('indexOf', 'string_index_of_string', '.(string, string): int', ([text, part]: [string, string], meter) =>
    indexOf(text, part, 0n, meter),
  ),
  define(
    'indexOf',
    'string_index_of_string_int',
    '.(string, string, int): int',
    (args: [string, string, bigint], meter) => indexOf(...args, meter),
  ),
  define('lastIndexOf', 'string_last_index_of_string', '.(string, string): int', lastIndexOf),
  define('lastIndexOf', 'string_last_index_of_string_int', '.(string, string, int): int', lastIndexOf),
  define('lowerAscii', 'string_lower_ascii', '.(string): string', ([text]: [string], meter) => {
    meter.build(text.length);
    return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
  }),
  define('upperAscii', 'string_upper_ascii', '.(string): string', ([text]: [string], meter) => {
    meter.build(text.length);
    return text.replace(/[a-z]+/g, letters => letters.toUpperCase());
  }),
  define('trim', 'string_trim', '.(string): string', ([text]: [string], meter) => {
    meter.scan(text.length);
    return trim(text);
  }),
  define('substring', 'string_substring_int', '.(string, int): string', ([text, start]: [string, bigint], meter) =>
    substring(text, start, undefined, meter),
  ),
  define(
    'substring',
    'string_substring_int_int',
    '.(string, int, int): string',
    (args: [string, bigint, bigint], meter) => substring(...args, meter),
  ),
  define('replace', 'string_replace_string_string', '.(string, string, string): string', replaceText),
  define('replace', 'string_replace_string_string_int', '.(string, string, string, int): string', replaceText),
  define('split', 'string_split_string', '.(string, string): list(string)', splitText),
  define('split', 'string_split_string_int', '.(string, string, int): list(string)', splitText),
  define('join', 'list_join', '.(list(string)): string', join),
  define('join', 'list_join_string', '.(list(string), string): string', join),
  define('format', 'string_format', '.(string, list(dyn)): string', ([text, args]: [string, List], meter) =>
    formatText(text, args, meter),
  ),
  define('strings.quote', 'strings_quote', '(string): string', ([text]: [string], meter) => {
    meter.build(text.length * 2 + 2);
    return quote(text);
  }),
];

/** Code points as an array where UTF-16 positions would be wrong, the string itself where they are right. */
function positions(text: string, meter: Meter): string | string[] {
  meter.scan(text.length);
  if (!hasSurrogates(text)) return text;
  meter.step(text.length);
  return Array.from(text);
}

function charAt([text, index]: [string, bigint], meter: Meter): string | Failure {
  const characters = positions(text, meter);
  if (index < 0n || index > BigInt(characters.length)) return new Failure(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

function indexOf(text: string, part: string, from: bigint, meter: Meter): bigint | Failure {
  if (from < 0n) return new Failure(`index out of range: ${from}`);
  meter.scan(text.length + part.length);
  const length = BigInt(codePointLength(text));
  if (part === '') return from > length ? length : from;
  if (from >= length) return -1n;
  const found = text.indexOf(part, unitOffset(text, from, meter));
  return found < 0 ? -1n : BigInt(codePointLength(text.slice(0, found)));
}

function lastIndexOf([text, part, from]: [string, string, bigint?], meter: Meter): bigint | Failure {
  if (from !== undefined && from < 0n) return new Failure(`index out of range: ${from}`);
  meter.scan(text.length + part.length);
  const length = BigInt(codePointLength(text));
  if (part === '') return from === undefined || from > length ? length : from;
  if (from !== undefined && from >= length) return -1n;
  const last = length - BigInt(codePointLength(part));
  const start = from === undefined || from > last ? last : from;
  if (start < 0n) return -1n;
  const found = text.lastIndexOf(part, unitOffset(text, start, meter));
  return found < 0 ? -1n : BigInt(codePointLength(text.slice(0, found)));
}

/** The UTF-16 position of the code point at `index`, which is within the text. */
function unitOffset(text: string, index: bigint, meter: Meter): number {
  const characters = positions(text, meter);
  if (typeof characters === 'string') return Number(index);
  return characters.slice(0, Number(index)).join('').length;
}

function substring(text: string, start: bigint, end: bigint | undefined, meter: Meter): string | Failure {
  const characters = positions(text, meter);
  const length = BigInt(characters.length);
  if (start < 0n || start > length) return new Failure(`index out of range: ${start}`);
  if (end !== undefined && (end < 0n || end > length)) return new Failure(`index out of range: ${end}`);
  if (end !== undefined && start > end) {
    return new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const part = characters.slice(Number(start), end === undefined ? undefined : Number(end));
  return typeof part === 'string' ? part : part.join('');
}

/** Unicode's white space, as Go's `unicode.IsSpace` counts it; JavaScript's own `trim` also takes U+FEFF away. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(unit: number): boolean {
  if (unit <= 0xff) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0x85 || unit === 0xa0;
  const isGeneral = unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029;
  return isGeneral || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}

function join([list, separator = '']: [List, string?], meter: Meter): string | Failure {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < list.size; index++) {
    const part = list.at(index);
    if (part instanceof Failure) return part;
    if (typeof part !== 'string') return new Failure('join: invalid input: list must hold strings');
    length += part.length + (index === 0 ? 0 : separator.length);
    meter.step();
    parts.push(part);
  }
  meter.build(length);
  return parts.join(separator);
}
