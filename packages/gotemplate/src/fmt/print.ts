/** `fmt.Sprint` and its kin, on template values. */

import { GoObject, kindOf, type Value } from '../value/values.ts';
import { noFlags } from './flags.ts';
import { formatOperand } from './printer.ts';

const plain = Object.freeze(noFlags());

/** A value as `%v` prints it. */
export function describeValue(value: Value): string {
  if (typeof value === 'string') return value;
  return formatOperand(plain, value, 'v');
}

/** `fmt.Sprint`: spaces between operands where neither is a string. */
export function sprint(operands: readonly Value[]): string {
  let out = '';
  let previousString = true;
  for (const operand of operands) {
    const isString = kindOf(operand) === 'string';
    if (!isString && !previousString) out += ' ';
    out += describeValue(operand);
    previousString = isString;
  }
  return out;
}

/** `fmt.Sprintln`. */
export function sprintln(operands: readonly Value[]): string {
  return `${operands.map(describeValue).join(' ')}\n`;
}

/** What a template action writes: pointers are followed, nothing is `<no value>`. */
export function printed(value: Value): string {
  if (value === undefined) return '<no value>';
  if (value instanceof GoObject && value.type.pointerText) return value.type.pointerText(value as never);
  return describeValue(pointee(value));
}

function pointee(value: Value): Value {
  if (!(value instanceof GoObject) || value.type.kind !== 'ptr' || value.type.text) return value;
  return new GoObject(value.type.elem!, value.fields, value.state);
}

/** The operands of `html`, `js` and `urlquery`, printed as an action would print them. */
export function printedOperands(operands: readonly Value[]): string {
  if (operands.length === 1 && typeof operands[0] === 'string') return operands[0];
  return sprint(operands.map(operand => (operand === null || operand === undefined ? '<no value>' : pointee(operand))));
}
