/** Arguments of calls: each is evaluated for the type its parameter wants. */

import { type Node, type NumberNode, nodeText } from '../parse/nodes.ts';
import { ANY, canBeNil, type GoType, isSigned, isUnsigned, REFLECT_VALUE } from '../value/types.ts';
import { Complex, Int, type Value, wrapped } from '../value/values.ts';
import type { Execution } from './execution.ts';
import { compileChain, compileField, compileFunction, compilePipe, compileVariable } from './expression.ts';
import { idealConstant, MISSING, validateType, zeroOf } from './types.ts';

export interface Argument {
  readonly node: Node;
  /** `type` is undefined where anything will do (before a field access). */
  evaluate(execution: Execution, dot: Value, type: GoType | undefined): Value;
}

type Evaluate = Argument['evaluate'];

export function compileArgument(node: Node): Argument {
  return { node, evaluate: evaluator(node) };
}

function evaluator(node: Node): Evaluate {
  switch (node.type) {
    case 'dot':
      return (execution, dot, type) => {
        execution.node = node;
        return validateType(execution, dot, type);
      };
    case 'nil':
      return (execution, _, type) => {
        execution.node = node;
        if (type && canBeNil(type)) return zeroOf(type);
        return execution.fail(`cannot assign nil to ${type?.name}`);
      };
    case 'field':
      return validated(node, compileField(node, []));
    case 'variable':
      return validated(node, compileVariable(node, []));
    case 'pipe':
      return validated(node, compilePipe(node));
    case 'identifier':
      return validated(node, compileFunction(node, node, []));
    case 'chain':
      return validated(node, compileChain(node, []));
    case 'bool':
      return literal(node, 'bool', () => node.value);
    case 'string':
      return literal(node, 'string', () => node.value);
    case 'number':
      return numberArgument(node);
    default:
      return (execution, _, type) => cannotHandle(execution, node, type);
  }
}

function cannotHandle(execution: Execution, node: Node, type: GoType | undefined): never {
  execution.node = node;
  return execution.fail(`can't handle ${nodeText(node)} for arg of type ${type?.name}`);
}

type Evaluated = (execution: Execution, dot: Value, final: typeof MISSING) => Value;

function validated(node: Node, evaluate: Evaluated): Evaluate {
  return (execution, dot, type) => {
    execution.node = node;
    return validateType(execution, evaluate(execution, dot, MISSING), type);
  };
}

/** What Go calls the kind of constant that a parameter of this kind expects. */
function expectedConstant(type: GoType): string | undefined {
  if (type.kind === 'bool' || type.kind === 'string') return type.kind;
  if (isSigned(type.kind)) return 'integer';
  if (isUnsigned(type.kind)) return 'unsigned integer';
  if (type.kind === 'float64') return 'float';
  return type.kind === 'complex128' ? 'complex' : undefined;
}

const takesAnything = (type: GoType) => type === ANY || type === REFLECT_VALUE;

function mismatch(execution: Execution, node: Node, type: GoType): never {
  const expected = expectedConstant(type);
  if (!expected) return cannotHandle(execution, node, type);
  execution.node = node;
  return execution.fail(`expected ${expected}; found ${nodeText(node)}`);
}

function literal(node: Node, kind: 'bool' | 'string', value: () => boolean | string): Evaluate {
  return (execution, _, type) => {
    execution.node = node;
    if (!type || takesAnything(type) || type.kind === kind) return value();
    return mismatch(execution, node, type);
  };
}

function numberArgument(node: NumberNode): Evaluate {
  const { number } = node;
  return (execution, _, type) => {
    execution.node = node;
    if (!type || takesAnything(type)) return idealConstant(execution, number);
    if (isSigned(type.kind) && number.int !== undefined) return wrapped(number.int, type);
    if (isUnsigned(type.kind) && number.uint !== undefined) return new Int(number.uint, type);
    if (type.kind === 'float64' && number.float !== undefined) return number.float;
    if (type.kind === 'complex128' && number.complex) return new Complex(number.complex.real, number.complex.imaginary);
    return mismatch(execution, node, type);
  };
}
