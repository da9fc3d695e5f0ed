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
  return number.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
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
