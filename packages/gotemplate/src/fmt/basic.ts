/** How fmt writes the basic kinds, once the verb is known to fit. */

import { escapeByte, hasNonAscii, toBytes } from '../text/bytes.ts';
import { formatFloat } from '../text/number.ts';
import { canBackquote, quote, quoteRune } from '../text/quote.ts';
import { isPrint } from '../text/unicode.ts';
import { type Flags, pad } from './flags.ts';

/** An integer in a base; `letterO` is the verb `%O`. */
export function formatInteger(
  flags: Flags,
  value: bigint,
  base: 2 | 8 | 10 | 16,
  upper = false,
  letterO = false,
): string {
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  let digits = magnitude.toString(base);
  if (upper) digits = digits.toUpperCase();
  if (flags.precision !== undefined) {
    if (flags.precision === 0 && magnitude === 0n) return ' '.repeat(flags.width ?? 0);
    digits = digits.padStart(flags.precision, '0');
  } else if (flags.zero && !flags.minus && flags.width !== undefined) {
    const room = negative || flags.plus || flags.space ? flags.width - 1 : flags.width;
    digits = digits.padStart(room, '0');
  }
  if (flags.sharp) {
    if (base === 2) digits = `0b${digits}`;
    if (base === 8 && digits[0] !== '0') digits = `0${digits}`;
    if (base === 16) digits = (upper ? '0X' : '0x') + digits;
  }
  if (letterO) digits = `0o${digits}`;
  const sign = negative ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  return pad(flags, sign + digits, false);
}

/** `%U`. */
export function formatUnicode(flags: Flags, value: bigint): string {
  const digits = value
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 0), '0');
  const shown =
    flags.sharp && value <= 0x10ffffn && isPrint(Number(value)) ? ` '${String.fromCodePoint(Number(value))}'` : '';
  return pad(flags, `U+${digits}${shown}`, false);
}

const validRune = (value: bigint): number =>
  value < 0n || value > 0x10ffffn || (value >= 0xd800n && value <= 0xdfffn) ? 0xfffd : Number(value);

/** `%c`. */
export function formatCharacter(flags: Flags, value: bigint): string {
  return pad(flags, String.fromCodePoint(validRune(value)));
}

/** `%q` of an integer. */
export function formatQuotedCharacter(flags: Flags, value: bigint): string {
  return pad(flags, quoteRune(validRune(value), flags.plus));
}

/** Cuts to the precision, counted in characters. */
function truncate(flags: Flags, text: string): string {
  if (flags.precision === undefined || text.length <= flags.precision) return text;
  return [...text].slice(0, flags.precision).join('');
}

/** `%s`. */
export function formatString(flags: Flags, text: string): string {
  return pad(flags, truncate(flags, text));
}

/** `%q`. */
export function formatQuoted(flags: Flags, text: string): string {
  const cut = truncate(flags, text);
  if (flags.sharp && canBackquote(cut)) return pad(flags, `\`${cut}\``);
  return pad(flags, quote(cut, flags.plus));
}

/** `%x` and `%X` of text or bytes. */
export function formatHex(flags: Flags, bytes: Uint8Array, upper: boolean): string {
  const cut = flags.precision === undefined ? bytes : bytes.subarray(0, flags.precision);
  const prefix = flags.sharp ? (upper ? '0X' : '0x') : '';
  const pairs = Array.from(cut, byte => byte.toString(16).padStart(2, '0'));
  const digits = flags.space ? pairs.join(` ${prefix}`) : pairs.join('');
  if (cut.length === 0) return pad(flags, '');
  return pad(flags, prefix + (upper ? digits.replace(/[a-f]/g, letter => letter.toUpperCase()) : digits));
}

/** Bytes as a string, without looking for UTF-8 where there can be none. */
export function textBytes(text: string): Uint8Array {
  return hasNonAscii(text) ? toBytes(text) : Buffer.from(text, 'latin1');
}

/** The verbs of floats; `%v` is `%g` with the shortest digits. */
export function formatFloatVerb(flags: Flags, value: number, verb: string, defaultPrecision: number): string {
  const precision = flags.precision ?? defaultPrecision;
  if (!Number.isFinite(value)) {
    const sign = Number.isNaN(value)
      ? flags.plus
        ? '+'
        : flags.space
          ? ' '
          : ''
      : value < 0
        ? '-'
        : flags.space && !flags.plus
          ? ' '
          : '+';
    const name = Number.isNaN(value) ? 'NaN' : 'Inf';
    return pad(flags, sign === '+' && !flags.plus ? (name === 'Inf' ? '+Inf' : name) : sign + name, false);
  }
  let text = numberText(value, verb, precision);
  const sign = text[0] === '-' ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  if (text[0] === '-') text = text.slice(1);
  if (flags.sharp && verb !== 'b') text = alternative(text, verb, precision);
  if (sign && flags.zero && !flags.minus && flags.width !== undefined) {
    return sign + text.padStart(flags.width - 1, '0');
  }
  return pad(flags, sign + text);
}

function numberText(value: number, verb: string, precision: number): string {
  switch (verb) {
    case 'e':
      return formatFloat(value, 'e', precision);
    case 'E':
      return formatFloat(value, 'e', precision).toUpperCase();
    case 'f':
    case 'F':
      return formatFloat(value, 'f', precision);
    case 'G':
      return formatFloat(value, 'g', precision).toUpperCase();
    case 'x':
      return hexFloat(value, precision);
    case 'X':
      return hexFloat(value, precision).toUpperCase();
    case 'b':
      return binaryFloat(value);
    default:
      return formatFloat(value, 'g', precision);
  }
}

/** `#`: a decimal point always, and for `%g` the trailing zeros. */
function alternative(text: string, verb: string, precision: number): string {
  let digits = 'vgGx'.includes(verb) ? (precision === -1 ? 6 : precision) : 0;
  const split = verb === 'x' || verb === 'X' ? text.search(/[pP]/) : text.search(/[eEpP]/);
  let head = split < 0 ? text : text.slice(0, split);
  const tail = split < 0 ? '' : text.slice(split);
  let sawNonZero = false;
  for (const character of head) {
    if (character === '.') continue;
    if (character !== '0') sawNonZero = true;
    if (sawNonZero) digits--;
  }
  if (!head.includes('.')) {
    if (head === '0') digits--;
    head += '.';
  }
  return head + '0'.repeat(Math.max(0, digits)) + tail;
}

/** Mantissa and exponent with value = mantissa × 2^exponent, the mantissa an integer of 53 bits. */
function binaryParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const raw = view.getBigUint64(0);
  const biased = Number(raw >> 52n);
  const fraction = raw & ((1n << 52n) - 1n);
  return { mantissa: biased === 0 ? fraction : fraction | (1n << 52n), exponent: (biased === 0 ? 1 : biased) - 1075 };
}

function binaryFloat(value: number): string {
  const { mantissa, exponent } = binaryParts(value);
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return `${sign}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
}

function hexFloat(value: number, precision: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  let { mantissa, exponent } = binaryParts(value);
  if (mantissa === 0n) return `${sign}0x0${precision > 0 ? `.${'0'.repeat(precision)}` : ''}p+00`;
  // One hexadecimal digit before the point and fifteen after.
  let bits = mantissa.toString(2).length;
  mantissa <<= BigInt(61 - bits);
  exponent += bits - 1;
  if (precision >= 0 && precision < 15) {
    const shift = BigInt((15 - precision) * 4);
    const extra = mantissa & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    mantissa >>= shift;
    if (extra > half || (extra === half && (mantissa & 1n) === 1n)) mantissa++;
    mantissa <<= shift;
    bits = mantissa.toString(2).length;
    if (bits > 61) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  let fraction = mantissa.toString(16).slice(1);
  if (precision < 0) fraction = fraction.replace(/0+$/, '');
  else fraction = fraction.padEnd(precision, '0').slice(0, precision);
  const magnitude = Math.abs(exponent);
  return `${sign}0x1${fraction && `.${fraction}`}p${exponent < 0 ? '-' : '+'}${magnitude < 10 ? '0' : ''}${magnitude}`;
}

/** A byte as a one-character Go string. */
export function byteText(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : escapeByte(byte);
}
