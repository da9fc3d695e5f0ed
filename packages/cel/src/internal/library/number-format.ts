import type { Value } from '../value/value.ts';

/** The words `%f` and `%e` accept in place of a double. */
const SPECIAL: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

function asDouble(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && Object.hasOwn(SPECIAL, value) ? SPECIAL[value] : undefined;
}

/** `1,234.500000`: English grouping, a fixed number of decimals. */
export function formatFixed(value: Value, decimals: number): string | undefined {
  const number = asDouble(value);
  if (number === undefined) return undefined;
  if (!Number.isFinite(number)) return nonFinite(number);
  const digits = roundedDigits(Math.abs(number), decimals).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${number < 0 || Object.is(number, -0) ? '-' : ''}${whole}${fraction}`;
}

/**
 * `number × 10^decimals` as a whole number. Exact, with ties to even: what JavaScript rounds up (`2.25` to `2.3`), Go
 * rounds to `2.2`.
 */
function roundedDigits(number: number, decimals: number): string {
  const [mantissa, exponent] = exactParts(number);
  const scaled = mantissa * 10n ** BigInt(decimals);
  if (exponent >= 0) return (scaled << BigInt(exponent)).toString();
  const divisor = 1n << BigInt(-exponent);
  const quotient = scaled / divisor;
  const twice = (scaled % divisor) * 2n;
  const roundsUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return (roundsUp ? quotient + 1n : quotient).toString();
}

/** A double is a 53-bit whole number times a power of two. */
function exactParts(number: number): readonly [mantissa: bigint, exponent: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const fraction = bits & ((1n << 52n) - 1n);
  const biased = Number((bits >> 52n) & 0x7ffn);
  return biased === 0 ? [fraction, -1074] : [fraction | (1n << 52n), biased - 1075];
}

/** `1.234500 × 10⁰³`. */
export function formatScientific(value: Value, decimals: number): string | undefined {
  const number = asDouble(value);
  if (number === undefined) return undefined;
  if (!Number.isFinite(number)) return nonFinite(number);
  const [mantissa, exponent] = number.toExponential(decimals).split('e') as [string, string];
  const power = Number(exponent);
  const digits = Math.abs(power).toString().padStart(2, '0');
  const superscript = [...digits].map(digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${mantissa}\u202f×\u202f10${power < 0 ? '⁻' : ''}${superscript}`;
}

function nonFinite(number: number): string {
  if (Number.isNaN(number)) return 'NaN';
  return number > 0 ? '∞' : '-∞';
}
