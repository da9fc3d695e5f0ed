/** Values as Go's `fmt` prints them: Kubernetes' messages contain them. */
import type { Json } from '@capstan/kube';

/** A float64 under `%v`: shortest digits, an exponent below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  if (Number(exponent) >= -4 && Number(exponent) < 6) return String(value);
  const sign = exponent.startsWith('-') ? '-' : '+';
  return `${digits}e${sign}${exponent.replace(/^[+-]/, '').padStart(2, '0')}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** A string under `%q`. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (ESCAPES[char] !== undefined) quoted += ESCAPES[char];
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (isUnprintable(char)) quoted += code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
    else quoted += char;
  }
  return `${quoted}"`;
}

/** Strings under `%q`: `["a" "b"]`. */
export const goQuoteList = (texts: readonly string[]): string => `[${texts.map(goQuote).join(' ')}]`;

const hex = (code: number, width: number): string => code.toString(16).padStart(width, '0');

function isUnprintable(char: string): boolean {
  return char !== ' ' && /^[\p{C}\p{Z}]$/u.test(char);
}

/** The JSON kind of a value as encoding/json names it in its errors. */
export function goKind(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** A JSON value under `%v`: `map[a:1 b:[x y]]`. */
export function goValue(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'number') return goFloat(value);
  if (typeof value !== 'object') return String(value);
  const fields = Object.keys(value)
    .sort()
    .map(key => `${key}:${goValue(value[key]!)}`);
  return `map[${fields.join(' ')}]`;
}
