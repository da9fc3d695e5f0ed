/** The part of shopspring/decimal that sprig's float functions use: exact decimals, division to sixteen places. */

import { GoError } from '../errors.ts';
import { formatShortest, shortestDigits } from '../text/number.ts';

/** coefficient × 10^exponent */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const divisionPrecision = 16;

export function floatToDecimal(value: number): Decimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${formatShortest(value)}`);
  if (value === 0) return { coefficient: 0n, exponent: 0 };
  const { digits, point } = shortestDigits(value);
  const coefficient = BigInt(digits);
  return { coefficient: value < 0 ? -coefficient : coefficient, exponent: point - digits.length };
}

export function decimalToFloat({ coefficient, exponent }: Decimal): number {
  return Number(`${coefficient}e${exponent}`);
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scale = (value: Decimal) => value.coefficient * 10n ** BigInt(value.exponent - exponent);
  return [scale(a), scale(b), exponent];
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const [left, right, exponent] = aligned(a, b);
  return { coefficient: left + right, exponent };
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { coefficient: -b.coefficient, exponent: b.exponent });
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** Rounds half away from zero at the sixteenth place. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  if (b.coefficient === 0n) throw new GoError('decimal division by 0');
  const shift = a.exponent - b.exponent + divisionPrecision;
  const numerator = shift < 0 ? a.coefficient : a.coefficient * 10n ** BigInt(shift);
  const denominator = shift < 0 ? b.coefficient * 10n ** BigInt(-shift) : b.coefficient;
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const magnitude = (value: bigint) => (value < 0n ? -value : value);
  const roundsUp = magnitude(remainder) * 2n >= magnitude(denominator);
  const direction = numerator < 0n !== denominator < 0n ? -1n : 1n;
  return { coefficient: roundsUp ? quotient + direction : quotient, exponent: -divisionPrecision };
}
