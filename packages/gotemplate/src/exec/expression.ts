/** Pipelines, commands and their operands, compiled to closures. */

import {
  type ChainNode,
  type CommandNode,
  type FieldNode,
  type IdentifierNode,
  type Node,
  nodeText,
  type PipeNode,
  type VariableNode,
} from '../parse/nodes.ts';
import { quote } from '../text/quote.ts';
import type { GoFunc } from '../value/function.ts';
import { ANY_MAP } from '../value/types.ts';
import { GoMap, type Value } from '../value/values.ts';
import { type Argument, compileArgument } from './argument.ts';
import { type Callee, call } from './call.ts';
import type { Execution } from './execution.ts';
import { findField } from './field.ts';
import { type Final, idealConstant, MISSING } from './types.ts';

export type Command = (execution: Execution, dot: Value, final: Final) => Value;

/** A pipeline: the value of each command is the last argument of the next. */
export function compilePipe(pipe: PipeNode): (execution: Execution, dot: Value) => Value {
  const commands = pipe.commands.map(compileCommand);
  const names = pipe.declarations.map(variable => variable.path[0]!);
  const { isAssign } = pipe;
  return (execution, dot) => {
    execution.node = pipe;
    let value: Final = MISSING;
    for (const command of commands) {
      value = command(execution, dot, value);
      // What an interface holds, not the interface: nil becomes nothing at all.
      if (value === null) value = undefined;
    }
    for (const name of names) {
      if (isAssign) assign(execution, name, value as Value);
      else execution.push(name, value as Value);
    }
    return value as Value;
  };
}

function assign(execution: Execution, name: string, value: Value): void {
  const variable = execution.variable(name);
  variable.value = value;
  variable.isInterface = false;
}

function compileCommand(command: CommandNode): Command {
  const first = command.args[0]!;
  const args = command.args.slice(1);
  switch (first.type) {
    case 'field':
      return compileField(first, args);
    case 'chain':
      return compileChain(first, args);
    case 'identifier':
      return compileFunction(first, command, args);
    case 'variable':
      return compileVariable(first, args);
    case 'pipe': {
      const pipe = compilePipe(first);
      return (execution, dot, final) => {
        noArguments(execution, first, args.length, final);
        return pipe(execution, dot);
      };
    }
  }
  const operand = compileOperand(first);
  return (execution, dot, final) => {
    execution.node = first;
    noArguments(execution, first, args.length, final);
    return operand(execution, dot);
  };
}

function compileOperand(node: Node): (execution: Execution, dot: Value) => Value {
  switch (node.type) {
    case 'bool':
    case 'string':
      return () => node.value;
    case 'dot':
      return (_, dot) => dot;
    case 'number':
      return execution => idealConstant(execution, node.number);
    case 'nil':
      return execution => execution.fail('nil is not a command');
    default:
      return execution => execution.fail(`can't evaluate command ${quote(nodeText(node))}`);
  }
}

function noArguments(execution: Execution, node: Node, count: number, final: Final): void {
  if (count > 0 || final !== MISSING) execution.fail(`can't give argument to non-function ${nodeText(node)}`);
}

export function compileFunction(node: IdentifierNode, at: Node, argumentNodes: readonly Node[]): Command {
  const args = argumentNodes.map(compileArgument);
  const { name } = node;
  // The tree is shared by sets with functions of their own, so the one found last is only likely to be the next one.
  let likely: GoFunc | undefined;
  let callee: Callee | undefined;
  return (execution, dot, final) => {
    execution.node = node;
    const found = execution.surroundings.function(name);
    if (!found) return execution.fail(`${quote(name)} is not a defined function`);
    if (found !== likely || !callee) {
      likely = found;
      callee = { name, signature: found.signature, body: found.body };
    }
    return call(execution, dot, at, callee, args, final);
  };
}

export function compileField(node: FieldNode, argumentNodes: readonly Node[]): Command {
  const path = compilePath(node, node.path, argumentNodes);
  return (execution, dot, final) => {
    execution.node = node;
    return path(execution, dot, dot, execution.dotIsInterface, final);
  };
}

export function compileVariable(node: VariableNode, argumentNodes: readonly Node[]): Command {
  const name = node.path[0]!;
  if (node.path.length === 1) {
    return (execution, _, final) => {
      execution.node = node;
      const { value } = execution.variable(name);
      noArguments(execution, node, argumentNodes.length, final);
      return value;
    };
  }
  const path = compilePath(node, node.path.slice(1), argumentNodes);
  return (execution, dot, final) => {
    execution.node = node;
    const { value, isInterface } = execution.variable(name);
    return path(execution, dot, value, isInterface, final);
  };
}

export function compileChain(node: ChainNode, argumentNodes: readonly Node[]): Command {
  const inner = compileArgument(node.node);
  const path = compilePath(node, node.path, argumentNodes);
  const throughNil = node.node.type === 'nil';
  return (execution, dot, final) => {
    execution.node = node;
    if (throughNil) execution.fail(`indirection through explicit nil in ${nodeText(node)}`);
    return path(execution, dot, inner.evaluate(execution, dot, undefined), false, final);
  };
}

type Path = (execution: Execution, dot: Value, receiver: Value, isInterface: boolean, final: Final) => Value;

/** `.A.B.C`: only the last name gets the command's arguments. */
function compilePath(node: Node, names: readonly string[], argumentNodes: readonly Node[]): Path {
  const args = argumentNodes.map(compileArgument);
  const lastIndex = names.length - 1;
  return (execution, dot, receiver, isInterface, final) => {
    let value = receiver;
    let fromInterface = isInterface;
    const takesArguments = args.length > 0 || final !== MISSING;
    for (let index = 0; index <= lastIndex; index++) {
      if (value instanceof GoMap && value.type === ANY_MAP && (index < lastIndex || !takesArguments)) {
        // Nearly every access is this one: a key of a plain map.
        const element = value.get(names[index]!);
        if (element !== undefined) {
          value = element;
          fromInterface = true;
          continue;
        }
      }
      const isLast = index === lastIndex;
      const hasArguments = isLast && takesArguments;
      const found = findField(execution, value, fromInterface, names[index]!, hasArguments);
      if (found.kind === 'value') {
        value = found.value;
        fromInterface = found.isInterface;
        continue;
      }
      value = callMethod(execution, dot, node, names[index]!, found, isLast ? args : [], isLast ? final : MISSING);
      fromInterface = value === null;
    }
    return value;
  };
}

function callMethod(
  execution: Execution,
  dot: Value,
  node: Node,
  name: string,
  { method, receiver }: Extract<ReturnType<typeof findField>, { kind: 'method' }>,
  args: readonly Argument[],
  final: Final,
): Value {
  const body = (running: Execution, values: readonly unknown[]) => method.body(receiver, running, values);
  return call(execution, dot, node, { name, signature: method.signature, body }, args, final);
}
