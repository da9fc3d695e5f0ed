/** Go's `encoding/json` on template values. */

import { GoError } from '../errors.ts';
import { visit } from '../limits.ts';
import { formatExponent, plainDigits, shortestDigits } from '../text/number.ts';
import { GoFunc } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { Complex, GoMap, GoNil, GoSlice, Int, type Value } from '../value/values.ts';

export interface JsonOptions {
  /** `<`, `>` and `&` as escapes, as Go does unless told otherwise. Default: true. */
  readonly escapeHtml?: boolean;
  /** Spaces a level; nothing for one line. */
  readonly indent?: string;
}

/** Throws a GoError for what JSON cannot say. */
export function encodeJson(value: Value, options: JsonOptions = {}): string {
  return encode(value, options.escapeHtml ?? true, options.indent, '\n');
}

function encode(value: Value, escapeHtml: boolean, indent: string | undefined, newline: string): string {
  visit(typeof value === 'string' ? value.length : 0);
  switch (typeof value) {
    case 'string':
      return encodeString(value, escapeHtml);
    case 'number':
      return encodeNumber(value);
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'null';
  }
  if (value === null || value instanceof GoNil) return 'null';
  if (value instanceof Uint8Array) return `"${Buffer.from(value).toString('base64')}"`;
  if (value instanceof Complex) throw new GoError('json: unsupported type: complex128');
  if (value instanceof GoFunc) throw new GoError(`json: unsupported type: ${value.type.name}`);
  if (value.type.json) return value.type.json(value as never);
  if (value instanceof Int) return value.value.toString();
  const inner = indent === undefined ? newline : newline + indent;
  const nested = (item: Value) => encode(item, escapeHtml, indent, inner);
  if (value instanceof GoSlice) return value.isNil ? 'null' : brackets('[]', value.items.map(nested), indent, newline);
  const colon = indent === undefined ? ':' : ': ';
  const member = (name: string, item: Value) => encodeString(name, escapeHtml) + colon + nested(item);
  if (value instanceof GoMap) {
    if (value.isNil) return 'null';
    return brackets(
      '{}',
      value.keys().map(key => member(key, value.get(key))),
      indent,
      newline,
    );
  }
  const fields = value.fields.filter(
    field => !field.hidden && field.json !== '-' && !(field.omitEmpty && !isTrue(field.value)),
  );
  return brackets(
    '{}',
    fields.map(field => member(field.json ?? field.name, field.value)),
    indent,
    newline,
  );
}

function brackets(pair: '[]' | '{}', items: readonly string[], indent: string | undefined, newline: string): string {
  if (items.length === 0) return pair;
  if (indent === undefined) return pair[0] + items.join(',') + pair[1];
  return pair[0] + newline + indent + items.join(`,${newline}${indent}`) + newline + pair[1];
}

/** A float64 as JSON: plain between 1e-6 and 1e21, as JavaScript, but without a plus in negative exponents. */
export function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) {
    throw new GoError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  }
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, point } = shortestDigits(value);
  if (value === 0 || (point - 1 >= -6 && point - 1 < 21)) return sign + plainDigits(digits, point);
  const exponent = formatExponent(point - 1).replace(/^-0/, '-');
  return `${sign}${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e${exponent}`;
}

const shortEscapes: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes
const special = /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const specialHtml = /[<>&]/;

/** A string as JSON. Bytes that are no UTF-8 become U+FFFD. */
export function encodeString(text: string, escapeHtml: boolean): string {
  if (!special.test(text) && !(escapeHtml && specialHtml.test(text))) return `"${text}"`;
  let out = '"';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    const short = shortEscapes[character];
    if (short) out += short;
    else if (code < 0x20 || (escapeHtml && '<>&'.includes(character)))
      out += `\\u00${code.toString(16).padStart(2, '0')}`;
    else if (code === 0x2028 || code === 0x2029) out += `\\u${code.toString(16)}`;
    else if (code >= 0xd800 && code <= 0xdfff) out += '\\ufffd';
    else out += character;
  }
  return `${out}"`;
}
