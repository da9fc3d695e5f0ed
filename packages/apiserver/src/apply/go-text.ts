/**
 * Values as Go prints them. Field paths, error messages and the keys of list items carry them, and clients compare these
 * strings, so they have to be Go's to the letter.
 */

type JsonRecord = Readonly<Record<string, unknown>>;

/** `%v` of a float64: shortest digits, an exponent from 1e+06 on and below 1e-04. */
export function floatText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 6) {
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  return String(value);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** `%q`: a Go string literal. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, escapeRune)}"`;
}

function escapeRune(rune: string): string {
  const short = SHORT_ESCAPES[rune];
  if (short !== undefined) return short;
  const code = rune.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** `%v` of decoded JSON: `map[a:1 b:[x y]]`. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return floatText(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${value.map(plainText).join(' ')}]`;
  return `map[${sortedEntries(value)
    .map(([key, item]) => `${key}:${plainText(item)}`)
    .join(' ')}]`;
}

/** `%#v` of decoded JSON: `map[string]interface {}{"a":1}`. */
export function syntaxText(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'number') return floatText(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(syntaxText).join(', ')}}`;
  return `map[string]interface {}{${sortedEntries(value)
    .map(([key, item]) => `${quoted(key)}:${syntaxText(item)}`)
    .join(', ')}}`;
}

/** `%T` of decoded JSON. */
export function typeText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number') return 'float64';
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function sortedEntries(value: object): [string, unknown][] {
  return Object.entries(value as JsonRecord).sort(([a], [b]) => compareStrings(a, b));
}

/** Go compares the bytes of UTF-8; JavaScript compares UTF-16 units, which puts U+E000–U+FFFF after the rest of Unicode. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    if (left >= 0xd800 && right >= 0xd800) {
      const leftAstral = left <= 0xdfff;
      if (leftAstral !== right <= 0xdfff) return leftAstral ? 1 : -1;
    }
    return left < right ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

/** What encoding/json escapes and JSON.stringify does not, or writes otherwise. */
const GO_ESCAPED = /[<>&\u2028\u2029\b\f]/;
const GO_ESCAPED_IN_JSON = /\\b|\\f|[<>&\u2028\u2029]|\\\\/g;

/** A JSON string as encoding/json writes it: `<`, `>`, `&` and the line separators as `\u003c`. */
export function jsonString(text: string): string {
  const json = JSON.stringify(text);
  if (!GO_ESCAPED.test(text)) return json;
  return json.replace(GO_ESCAPED_IN_JSON, found => {
    if (found === '\\\\') return found;
    if (found === '\\b') return '\\u0008';
    if (found === '\\f') return '\\u000c';
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** JSON as encoding/json writes it: keys in order, no spaces. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return jsonString(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  return `{${sortedEntries(value)
    .map(([key, item]) => `${jsonString(key)}:${jsonText(item)}`)
    .join(',')}}`;
}
