/** `eq`, `ne`, `lt`, `le`, `gt`, `ge` on basic kinds: a float is never compared with an int. */

import { GoError } from '../errors.ts';
import { sprintf } from '../fmt/format.ts';
import { describeValue } from '../fmt/print.ts';
import { compareBytes } from '../text/bytes.ts';
import { define, type FuncMap, GoFunc } from '../value/function.ts';
import { isNil } from '../value/truth.ts';
import { isUnsigned } from '../value/types.ts';
import { Complex, GoMap, GoObject, GoSlice, Int, kindOf, typeOf, type Value } from '../value/values.ts';

type BasicKind = 'bool' | 'complex' | 'int' | 'uint' | 'float' | 'string' | 'other';

function basicKind(value: Value): BasicKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
  }
  if (value instanceof Int) return isUnsigned(value.type.kind) ? 'uint' : 'int';
  return value instanceof Complex ? 'complex' : 'other';
}

const incompatible = (left: Value, right: Value) =>
  new GoError(`incompatible types for comparison: ${typeOf(left)?.name} and ${typeOf(right)?.name}`);
const invalid = () => new GoError('invalid type for comparison');
const present = (value: Value) => value !== undefined && value !== null;

function equal(left: Value, right: Value): boolean {
  const leftKind = basicKind(left);
  const rightKind = basicKind(right);
  if (left instanceof Int && right instanceof Int) return left.value === right.value;
  if (leftKind !== rightKind) {
    if (present(left) && present(right)) throw incompatible(left, right);
    return false;
  }
  if (leftKind === 'complex') {
    const [a, b] = [left as Complex, right as Complex];
    return a.real === b.real && a.imaginary === b.imaginary;
  }
  return leftKind === 'other' ? equalOther(left, right) : left === right;
}

function equalOther(left: Value, right: Value): boolean {
  const sameKind = kindOf(left) === kindOf(right);
  if (!sameKind && present(left) && present(right)) {
    const [one, other] = [typeOf(left)!.name, typeOf(right)!.name];
    throw new GoError(`non-comparable types ${describeReflected(left)}: ${one}, ${other}: ${describeValue(right)}`);
  }
  if (isNil(left) || isNil(right)) return isNil(left) === isNil(right);
  if (right instanceof GoMap || right instanceof GoSlice || right instanceof Uint8Array || right instanceof GoFunc) {
    throw new GoError(`non-comparable type ${describeReflected(right)}: ${typeOf(right)!.name}`);
  }
  if (left instanceof GoObject && right instanceof GoObject && left.type.kind === 'struct') {
    return left.fields.every((field, index) => equal(field.value, right.fields[index]?.value));
  }
  return left === right;
}

/** A reflect.Value under `%s`, which prints what it holds with that verb. */
function describeReflected(value: Value): string {
  return sprintf('%s', [value]);
}

function lessThan(left: Value, right: Value): boolean {
  const leftKind = basicKind(left);
  const rightKind = basicKind(right);
  if (leftKind === 'other' || rightKind === 'other') throw invalid();
  if (left instanceof Int && right instanceof Int) return left.value < right.value;
  if (leftKind !== rightKind) throw incompatible(left, right);
  if (typeof left === 'number') return left < (right as number);
  if (typeof left === 'string') return compareBytes(left, right as string) < 0;
  throw invalid();
}

export const comparison: FuncMap = {
  eq: define('value, ...value', (left, ...rest) => {
    if (rest.length === 0) throw new GoError('missing argument for comparison');
    return rest.some(right => equal(left, right));
  }),
  ne: define('value, value', (left, right) => !equal(left, right)),
  lt: define('value, value', lessThan),
  le: define('value, value', (left, right) => lessThan(left, right) || equal(left, right)),
  gt: define('value, value', (left, right) => !(lessThan(left, right) || equal(left, right))),
  ge: define('value, value', (left, right) => !lessThan(left, right)),
};
