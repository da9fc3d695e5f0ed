/**
 * go-yaml's order of keys: letters after everything else, digits by their number (`a2` before `a10`). Version 3 puts `a1b` before
 * `a10`. Neither is a true order for all keys (`a10 < a1b < a2 < a10` in version 2); there Go's result depends on chance.
 */

import { runes } from '../text/bytes.ts';
import { isDigit, isLetter } from '../text/unicode.ts';

export function compareKeys(left: string, right: string, version: 2 | 3 = 2): number {
  const a = runes(left);
  const b = runes(right);
  for (let index = 0; index < a.length && index < b.length; index++) {
    if (a[index] !== b[index]) return compareAt(a, b, index, version);
  }
  return a.length - b.length;
}

function compareAt(a: readonly number[], b: readonly number[], index: number, version: 2 | 3): number {
  const [left, right] = [a[index]!, b[index]!];
  const [leftLetter, rightLetter] = [isLetter(left), isLetter(right)];
  if (leftLetter && rightLetter) return left - right;
  if (leftLetter || rightLetter) {
    const afterDigit = version === 3 && index > 0 && isDigit(a[index - 1]!);
    return (afterDigit ? leftLetter : rightLetter) ? -1 : 1;
  }
  // A zero inside a number is not a leading zero.
  const inNumber = (left === 0x30 || right === 0x30) && followsNonZero(a, index) ? 1n : 0n;
  const leftRun = digitRun(a, index);
  const rightRun = digitRun(b, index);
  const [leftValue, rightValue] = [numberOf(leftRun, inNumber), numberOf(rightRun, inNumber)];
  if (leftValue !== rightValue) return leftValue < rightValue ? -1 : 1;
  if (leftRun.length !== rightRun.length) return leftRun.length - rightRun.length;
  return left - right;
}

function followsNonZero(codes: readonly number[], index: number): boolean {
  for (let at = index - 1; at >= 0 && isDigit(codes[at]!); at--) if (codes[at] !== 0x30) return true;
  return false;
}

function digitRun(codes: readonly number[], start: number): readonly number[] {
  let end = start;
  while (end < codes.length && isDigit(codes[end]!)) end++;
  return codes.slice(start, end);
}

function numberOf(digits: readonly number[], start: bigint): bigint {
  return digits.reduce((value, digit) => BigInt.asIntN(64, value * 10n + BigInt(digit - 0x30)), start);
}
