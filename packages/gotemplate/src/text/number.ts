/** Go's `strconv` for numbers: parsing with its rules and messages, formatting with its shortest digits. */

import { GoError } from '../errors.ts';
import { quote } from './quote.ts';

export const MAX_INT64 = (1n << 63n) - 1n;
export const MIN_INT64 = -(1n << 63n);
export const MAX_UINT64 = (1n << 64n) - 1n;

const fail = (name: string, text: string, why: string) =>
  new GoError(`strconv.${name}: parsing ${quote(text)}: ${why}`);

/** What is wrong with a number, in Go's words; reading many texts that are no numbers must not cost an exception each. */
type Problem = 'invalid syntax' | 'value out of range';

/** `strconv.ParseInt(text, base, 64)`, or what is wrong with it. */
export function readInteger(text: string, base: number): bigint | Problem {
  const negative = text[0] === '-';
  const magnitude = readMagnitude(negative || text[0] === '+' ? text.slice(1) : text, base);
  if (typeof magnitude === 'string') return magnitude;
  const value = negative ? -magnitude : magnitude;
  return value > MAX_INT64 || value < MIN_INT64 ? 'value out of range' : value;
}

/** As {@link readInteger}, with Go's error. */
export function parseInteger(text: string, base: number): bigint {
  const value = readInteger(text, base);
  if (typeof value === 'string') throw fail('ParseInt', text, value);
  return value;
}

/** `strconv.ParseUint(text, base, 64)`, or what is wrong with it. */
export function readUnsigned(text: string, base: number): bigint | Problem {
  const value = readMagnitude(text, base);
  return typeof value === 'bigint' && value > MAX_UINT64 ? 'value out of range' : value;
}

const prefixes: Record<string, number> = { b: 2, o: 8, x: 16 };
const digitsOf: Record<number, RegExp> = { 2: /^[01]+$/, 8: /^[0-7]+$/, 10: /^[0-9]+$/, 16: /^[0-9a-fA-F]+$/ };
const radix: Record<number, string> = { 2: '0b', 8: '0o', 10: '', 16: '0x' };

function readMagnitude(text: string, base: number): bigint | Problem {
  let digits = text;
  let actual = base;
  if (base === 0) {
    const prefix = text[0] === '0' && text.length > 2 ? prefixes[text[1]!.toLowerCase()] : undefined;
    actual = prefix ?? (text[0] === '0' && text.length > 1 ? 8 : 10);
    if (prefix !== undefined) digits = text.slice(2);
    else if (actual === 8) digits = text.slice(1);
    if (digits.includes('_')) {
      if (!underscoresOk(text)) return 'invalid syntax';
      digits = digits.replaceAll('_', '');
    }
  }
  if (!digitsOf[actual]!.test(digits)) return 'invalid syntax';
  // Far more digits than 64 bits hold: out of range without building the number.
  const significant = digits.replace(/^0+(?=.)/, '');
  if (significant.length > 70) return MAX_UINT64 + 1n;
  return BigInt(radix[actual]! + significant);
}

/** Go allows `_` only between digits, or between a base prefix and a digit. */
function underscoresOk(text: string): boolean {
  const body = text.replace(/^[+-]/, '');
  const prefixed = /^0[bBoOxX]/.test(body);
  const digits = prefixed ? body.slice(2).replace(/^_/, '') : body;
  return !/^_|__|_$/.test(digits) && digits !== '';
}

const decimal = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?[0-9]+)$/;
const special = /^([+-]?)(inf|infinity)$/i;

/** `strconv.ParseFloat(text, 64)`, or what is wrong with it. */
export function readFloat(text: string): number | Problem {
  if (decimal.test(text)) return inRange(Number(text));
  const infinite = special.exec(text);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const digits =
    text.includes('_') && /^[+-]?0[xX]/.test(text) && underscoresOk(text) ? text.replaceAll('_', '') : text;
  const value = hexFloat(digits);
  return value === undefined ? 'invalid syntax' : inRange(value);
}

const inRange = (value: number): number | Problem => (Number.isFinite(value) ? value : 'value out of range');

/** As {@link readFloat}, with Go's error. */
export function parseFloat64(text: string): number {
  const value = readFloat(text);
  if (typeof value === 'string') throw fail('ParseFloat', text, value);
  return value;
}

function hexFloat(text: string): number | undefined {
  const match = hexadecimal.exec(text);
  if (!match || (match[2] === '' && match[3] === '')) return undefined;
  const mantissa = Number(BigInt(`0x${match[2]}${match[3]}`));
  return (match[1] === '-' ? -1 : 1) * mantissa * 2 ** (Number(match[4]) - 4 * match[3]!.length);
}

/** The shortest decimal digits that read back as `value`, and the position of the decimal point. */
export function shortestDigits(value: number): { digits: string; point: number } {
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  const digits = mantissa.replace('.', '');
  return digits === '0' ? { digits: '0', point: 1 } : { digits, point: Number(exponent) + 1 };
}

export function formatExponent(exponent: number): string {
  const magnitude = Math.abs(exponent);
  return `${exponent < 0 ? '-' : '+'}${magnitude < 10 ? '0' : ''}${magnitude}`;
}

/** `strconv.FormatFloat(value, 'g', -1, 64)`, with the exponent that switches to scientific form as a parameter. */
export function formatShortest(value: number, scientificFrom = 6): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const { digits, point } = shortestDigits(value);
  const exponent = point - 1;
  if (value !== 0 && (exponent < -4 || exponent >= scientificFrom)) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits[0]}${fraction}e${formatExponent(exponent)}`;
  }
  return sign + plainDigits(digits, point);
}

/** Digits and a decimal point written without an exponent. */
export function plainDigits(digits: string, point: number): string {
  if (point <= 0) return digits === '0' ? '0' : `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits + '0'.repeat(point - digits.length);
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Every decimal digit of a float, and the position of the decimal point. */
function exactDigits(value: number): { digits: string; point: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const raw = view.getBigUint64(0);
  const biased = Number(raw >> 52n);
  const fraction = raw & ((1n << 52n) - 1n);
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n);
  const exponent = (biased === 0 ? 1 : biased) - 1075;
  if (mantissa === 0n) return { digits: '0', point: 1 };
  if (exponent >= 0) {
    const digits = (mantissa << BigInt(exponent)).toString();
    return { digits, point: digits.length };
  }
  const digits = (mantissa * 5n ** BigInt(-exponent)).toString();
  return { digits, point: digits.length + exponent };
}

/** The digits rounded half to even after `count` of them (none where that is negative). */
function roundDigits(exact: { digits: string; point: number }, count: number): { digits: string; point: number } {
  const { digits, point } = exact;
  if (count < 0) return { digits: '', point: 0 };
  if (count >= digits.length) return exact;
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const half = `5${'0'.repeat(rest.length - 1)}`;
  const odd = count > 0 && Number(kept.at(-1)) % 2 === 1;
  if (rest < half || (rest === half && !odd)) return { digits: kept, point };
  const raised = (BigInt(kept || '0') + 1n).toString();
  const grew = raised.length > kept.length ? 1 : 0;
  return { digits: raised.padStart(kept.length, '0'), point: point + grew };
}

/** `strconv.FormatFloat(value, format, precision, 64)` of a finite value; a precision of -1 asks for the shortest digits. */
export function formatFloat(value: number, format: 'e' | 'f' | 'g', precision: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (format === 'g') return precision < 0 ? formatShortest(value) : sign + general(value, precision);
  if (precision < 0) {
    const { digits, point } = shortestDigits(value);
    if (format === 'f') return sign + plainDigits(digits, point);
    return sign + scientific(digits, value === 0 ? 0 : point - 1);
  }
  const exact = exactDigits(value);
  if (format === 'e') {
    const rounded = roundDigits(exact, precision + 1);
    return (
      sign +
      scientific(rounded.digits.padEnd(precision + 1, '0').slice(0, precision + 1), value === 0 ? 0 : rounded.point - 1)
    );
  }
  return sign + fixed(roundDigits(exact, exact.point + precision), precision);
}

function scientific(digits: string, exponent: number): string {
  return `${digits[0]}${digits.length > 1 ? `.${digits.slice(1)}` : ''}e${formatExponent(exponent)}`;
}

function fixed({ digits, point }: { digits: string; point: number }, precision: number): string {
  const padded = point > 0 ? digits.padEnd(point, '0') : '0'.repeat(1 - point) + digits;
  const whole = point > 0 ? point : 1;
  const integer = padded.slice(0, whole) || '0';
  return precision === 0 ? integer : `${integer}.${padded.slice(whole).padEnd(precision, '0').slice(0, precision)}`;
}

function general(value: number, precision: number): string {
  const wanted = precision === 0 ? 1 : precision;
  const rounded = roundDigits(exactDigits(value), wanted);
  const digits = rounded.digits.replace(/0+$/, '') || '0';
  const point = value === 0 ? 1 : rounded.point;
  const limit = wanted > digits.length && digits.length >= point ? digits.length : wanted;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= limit) return scientific(digits, exponent);
  return plainDigits(digits, point);
}
