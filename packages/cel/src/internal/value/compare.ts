import { Duration, Timestamp } from './time.ts';
import { Uint } from './uint.ts';
import type { Value } from './value.ts';

/**
 * Negative, zero or positive for two values of one ordered type; numbers of different types compare by what they stand
 * for. `undefined` where there is no order: different types, or NaN.
 */
export function compare(left: Value, right: Value): number | undefined {
  const leftNumber = numeric(left);
  if (leftNumber !== undefined) {
    const rightNumber = numeric(right);
    return rightNumber === undefined ? undefined : order(leftNumber, rightNumber);
  }
  if (typeof left === 'string') return typeof right === 'string' ? compareStrings(left, right) : undefined;
  if (typeof left === 'boolean') return typeof right === 'boolean' ? order(Number(left), Number(right)) : undefined;
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? Buffer.compare(left, right) : undefined;
  if (left instanceof Timestamp) return right instanceof Timestamp ? order(left.nanos, right.nanos) : undefined;
  if (left instanceof Duration) return right instanceof Duration ? order(left.nanos, right.nanos) : undefined;
  return undefined;
}

export function numeric(value: Value): number | bigint | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

/** JavaScript compares `bigint` and `number` exactly, without converting either. */
function order(left: number | bigint, right: number | bigint): number | undefined {
  if (left < right) return -1;
  if (left > right) return 1;
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint is never === to a number
  return left == right ? 0 : undefined;
}

/** By code point, as UTF-8 sorts; JavaScript's own order differs where surrogates meet U+E000 and above. */
function compareStrings(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return fixSurrogate(leftUnit) - fixSurrogate(rightUnit);
  }
  return left.length - right.length;
}

const fixSurrogate = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
