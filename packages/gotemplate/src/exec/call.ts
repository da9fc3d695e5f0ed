/** Calls: of functions by name, of methods, and of function values by `call`. */

import { builtins } from '../builtin/index.ts';
import { ExecError, GoError } from '../errors.ts';
import { type Node, nodeText } from '../parse/nodes.ts';
import type { Body, Signature } from '../value/function.ts';
import { GoFunc } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { assignable, canBeNil, type GoType, INT, INT64, isInteger, UINT32 } from '../value/types.ts';
import { GoSlice, Int, typeOf, type Value, wrapped } from '../value/values.ts';
import type { Argument } from './argument.ts';
import type { Execution } from './execution.ts';
import { type Final, MISSING, validateType, zeroOf } from './types.ts';

export interface Callee {
  readonly name: string;
  readonly signature: Signature;
  readonly body: Body;
}

/** Calls with the arguments of a command and the value from the pipeline, if any, as the last one. */
export function call(
  execution: Execution,
  dot: Value,
  node: Node,
  callee: Callee,
  args: readonly Argument[],
  final: Final,
): Value {
  const { parameters, variadic } = callee.signature;
  const count = args.length + (final === MISSING ? 0 : 1);
  if (variadic) {
    if (count < parameters.length - 1) {
      execution.fail(
        `wrong number of args for ${callee.name}: want at least ${parameters.length - 1} got ${args.length}`,
      );
    }
  } else if (count !== parameters.length) {
    execution.fail(`wrong number of args for ${callee.name}: want ${parameters.length} got ${count}`);
  }
  if (callee.body === builtins['and']!.body || callee.body === builtins['or']!.body) {
    return shortCircuit(execution, dot, callee.body === builtins['or']!.body, args, final);
  }
  const values: unknown[] = new Array(count);
  const last = parameters.length - 1;
  for (let index = 0; index < args.length; index++) {
    const type = parameters[index < last ? index : last]!;
    values[index] = native(weighed(execution, args[index]!.evaluate(execution, dot, type)), type);
  }
  if (final !== MISSING) {
    const type = parameters[count - 1 < last ? count - 1 : last]!;
    values[count - 1] = native(weighed(execution, validateType(execution, final, type)), type);
  }
  const isCall = callee.body === builtins['call']!.body;
  try {
    const result = isCall
      ? callValue(execution, args[0] ? nodeText(args[0].node) : reflectString(final as Value), values as Value[])
      : callee.body(execution, values);
    charge(execution, result);
    return result;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    execution.node = node;
    return execution.fail(`error calling ${callee.name}: ${error.message}`, error.cause ?? error);
  }
}

/** Long arguments cost more than one step: what a function does with them takes as long as they are. */
function weighed(execution: Execution, value: Value): Value {
  if (typeof value === 'string') {
    if (value.length > 1024) execution.budget.work(value.length >>> 6);
  } else if (value instanceof GoSlice && value.items.length > 16) execution.budget.work(value.items.length >>> 2);
  return value;
}

function charge(execution: Execution, result: Value): void {
  execution.budget.step();
  if (typeof result === 'string') execution.budget.charge(result.length);
  else if (result instanceof GoSlice) execution.budget.charge(result.items.length * 8);
}

/** `and` and `or` stop at the first argument that decides, and evaluate none after it. */
function shortCircuit(execution: Execution, dot: Value, isOr: boolean, args: readonly Argument[], final: Final): Value {
  let value: Value;
  for (const argument of args) {
    value = argument.evaluate(execution, dot, builtins['and']!.signature.parameters[0]!);
    if (isTrue(value) === isOr) return value;
  }
  return final === MISSING ? value : final;
}

/** An argument in the form the function's body expects. */
function native(value: Value, type: GoType): unknown {
  if (type === INT || type === UINT32) return Number((value as Int).value);
  return type === INT64 ? (value as Int).value : value;
}

/** `reflect.Value.String()`, which shows only strings. */
function reflectString(value: Value): string {
  if (typeof value === 'string') return value;
  return `<${typeOf(value)?.name ?? 'invalid'} Value>`;
}

/** The built-in `call`: its first argument is the function. */
function callValue(execution: Execution, name: string, [callee, ...args]: readonly Value[]): Value {
  if (callee === undefined || callee === null) throw new GoError('call of nil');
  if (!(callee instanceof GoFunc)) throw new GoError(`non-function ${name} of type ${typeOf(callee)!.name}`);
  const { parameters, variadic } = callee.signature;
  const last = parameters.length - 1;
  if (variadic && args.length < last) {
    throw new GoError(`wrong number of args for ${name}: got ${args.length} want at least ${last}`);
  }
  if (!variadic && args.length !== parameters.length) {
    throw new GoError(`wrong number of args for ${name}: got ${args.length} want ${parameters.length}`);
  }
  const values = args.map((argument, index) => {
    const type = parameters[variadic && index > last ? last : index]!;
    return native(prepareArgument(argument, type, index), type);
  });
  return callee.body(execution, values);
}

/** `call` converts between integer types, which ordinary calls do not. */
function prepareArgument(value: Value, type: GoType, index: number): Value {
  if (value === undefined || value === null) {
    if (!canBeNil(type)) throw new GoError(`arg ${index}: value is nil; should be of type ${type.name}`);
    return zeroOf(type);
  }
  const actual = typeOf(value)!;
  if (assignable(actual, type)) return value;
  if (value instanceof Int && isInteger(type.kind)) return wrapped(value.value, type);
  throw new GoError(`arg ${index}: value has type ${actual.name}; should be ${type.name}`);
}

/** Turns the failure of a nested execution into the error of the function that ran it (`include`, `tpl`). */
export function asFunctionError(error: unknown): unknown {
  return error instanceof ExecError ? new GoError(error.message, { cause: error }) : error;
}
