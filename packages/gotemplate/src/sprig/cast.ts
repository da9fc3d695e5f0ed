/** The conversions of spf13/cast, which sprig's numbers go through: what does not convert is zero. */

import { MAX_INT64, MIN_INT64, readFloat, readInteger } from '../text/number.ts';
import { Int, type Value } from '../value/values.ts';

/** Go's `int64(f)` on the machines Go and Helm run on: what does not fit is the smallest integer. */
function truncateFloat(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT64;
  const whole = BigInt(Math.trunc(value));
  return whole > MAX_INT64 || whole < MIN_INT64 ? MIN_INT64 : whole;
}

/** `1.00` is an integer to cast; `1.50` and `1.` are not. */
function withoutZeroDecimals(text: string): string {
  return text.replace(/\.0+$/, '');
}

/** A problem reading a number is the number zero. */
const orZero = <T extends bigint | number>(read: T | string, zero: T): T => (typeof read === 'string' ? zero : read);

/** `cast.ToInt64`. */
export function toInt64(value: Value): bigint {
  if (value instanceof Int) return BigInt.asIntN(64, value.value);
  switch (typeof value) {
    case 'number':
      return truncateFloat(value);
    case 'boolean':
      return value ? 1n : 0n;
    case 'string':
      return orZero(readInteger(withoutZeroDecimals(value), 0), 0n);
  }
  return 0n;
}

/** `cast.ToInt`, for use as a JavaScript number. */
export function toNumber(value: Value): number {
  return Number(toInt64(value));
}

/** `cast.ToFloat64`. */
export function toFloat64(value: Value): number {
  if (value instanceof Int) return Number(value.value);
  switch (typeof value) {
    case 'number':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'string':
      return orZero(readFloat(value), 0);
  }
  return 0;
}
