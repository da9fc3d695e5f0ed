import { looksFloat, type NumberConstant } from '../parse/number.ts';
import { ANY, assignable, canBeNil, type GoType, REFLECT_VALUE, STRING } from '../value/types.ts';
import { Complex, GoMap, GoNil, GoObject, Int, nilSlice, typeOf, type Value } from '../value/values.ts';
import type { Execution } from './execution.ts';

/** Stands for "no argument from the pipeline"; no value a template can make. */
export const MISSING: unique symbol = Symbol('no final argument');
export type Final = Value | typeof MISSING;

/** The nil of a type that has one. */
export function zeroOf(type: GoType): Value {
  switch (type.kind) {
    case 'slice':
      return nilSlice(type);
    case 'map':
      return new GoMap([], type, true);
    case 'ptr':
      return new GoNil(type);
    case 'bool':
      return false;
    case 'string':
      return '';
    case 'float64':
      return 0;
    case 'interface':
    case 'func':
      return null;
    default:
      return type === REFLECT_VALUE ? undefined : new Int(0n, type);
  }
}

/** Makes sure that a value can be passed as a parameter of a type; `undefined` as a type takes anything. */
export function validateType(execution: Execution, value: Value, type: GoType | undefined): Value {
  if (typeof value === 'string' && type === STRING) return value;
  if (value === undefined) {
    if (!type) return undefined;
    if (canBeNil(type)) return zeroOf(type);
    execution.fail(`invalid value; expected ${type.name}`);
  }
  if (!type || type === ANY || type === REFLECT_VALUE) return value;
  const actual = typeOf(value);
  if (actual && assignable(actual, type)) return value;
  if (actual?.kind === 'ptr' && actual.elem && assignable(actual.elem, type)) {
    if (value instanceof GoObject) return new GoObject(actual.elem, value.fields, value.state);
    execution.fail(`dereference of nil pointer of type ${type.name}`);
  }
  return execution.fail(`wrong type for value; expected ${type.name}; got ${(actual ?? ANY).name}`);
}

/** The value of a number constant where no parameter decides its type. */
export function idealConstant(execution: Execution, constant: NumberConstant): Value {
  if (constant.complex) return new Complex(constant.complex.real, constant.complex.imaginary);
  if (constant.float !== undefined && looksFloat(constant)) return constant.float;
  if (constant.int !== undefined) return new Int(constant.int);
  return execution.fail(`${constant.text} overflows int`);
}
