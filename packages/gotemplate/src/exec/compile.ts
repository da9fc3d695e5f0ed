/** Control structures, compiled to closures. A tree is compiled once, however often it runs and in however many sets it is. */

import { describeValue, printed } from '../fmt/print.ts';
import {
  type ActionNode,
  type BranchNode,
  type ListNode,
  type Node,
  nodeText,
  type TemplateNode,
} from '../parse/nodes.ts';
import type { Tree } from '../parse/tree.ts';
import { quote } from '../text/quote.ts';
import { GoFunc } from '../value/function.ts';
import { isTrue } from '../value/truth.ts';
import { elementsOf, GoMap, GoSlice, holdsInterfaces, Int, int, type Value } from '../value/values.ts';
import type { Execution } from './execution.ts';
import { compilePipe } from './expression.ts';

/** How a node ended: on to the next one, or out of the range around it. */
type Outcome = 'next' | 'break' | 'continue';
type Walk = (execution: Execution, dot: Value) => Outcome;

export interface Compiled {
  readonly name: string;
  readonly tree: Tree;
  readonly body: (execution: Execution, dot: Value) => void;
}

const bodies = new WeakMap<Tree, Walk>();

/** The executable form of a tree. */
export function compile(name: string, tree: Tree): Compiled {
  let body = bodies.get(tree);
  if (!body) {
    body = compileList(tree.root);
    bodies.set(tree, body);
  }
  return { name, tree, body };
}

function compileList(list: ListNode): Walk {
  const nodes = list.nodes.map(compileNode);
  return (execution, dot) => {
    for (const node of nodes) {
      const outcome = node(execution, dot);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  };
}

function compileNode(node: Node): Walk {
  switch (node.type) {
    case 'text':
      return execution => {
        execution.budget.step();
        execution.write(node.text);
        return 'next';
      };
    case 'action':
      return compileAction(node);
    case 'if':
    case 'with':
      return compileCondition(node);
    case 'range':
      return compileRange(node);
    case 'template':
      return compileTemplate(node);
    case 'break':
    case 'continue':
      return () => node.type;
    default:
      return execution => execution.fail(`unknown node: ${nodeText(node)}`);
  }
}

function compileAction(node: ActionNode): Walk {
  const pipe = compilePipe(node.pipe);
  const prints = node.pipe.declarations.length === 0;
  return (execution, dot) => {
    execution.budget.step();
    execution.node = node;
    const value = pipe(execution, dot);
    if (prints) {
      execution.node = node;
      if (typeof value === 'string') execution.write(value);
      else if (value instanceof GoFunc) execution.fail(`can't print ${nodeText(node)} of type ${value.type.name}`);
      else execution.write(printed(value));
    }
    return 'next';
  };
}

function compileCondition(node: BranchNode): Walk {
  const pipe = compilePipe(node.pipe);
  const list = compileList(node.list);
  const otherwise = node.elseList && compileList(node.elseList);
  const setsDot = node.type === 'with';
  return (execution, dot) => {
    execution.budget.step();
    execution.node = node;
    const scope = execution.variables.length;
    const value = pipe(execution, dot);
    let outcome: Outcome = 'next';
    if (!isTrue(value)) outcome = otherwise?.(execution, dot) ?? 'next';
    else if (!setsDot) outcome = list(execution, dot);
    else {
      const { dotIsInterface } = execution;
      execution.dotIsInterface = false;
      outcome = list(execution, value);
      execution.dotIsInterface = dotIsInterface;
    }
    execution.variables.length = scope;
    return outcome;
  };
}

function compileTemplate(node: TemplateNode): Walk {
  const pipe = node.pipe && compilePipe(node.pipe);
  return (execution, dot) => {
    execution.budget.step();
    execution.node = node;
    const template = execution.surroundings.lookup(node.name);
    if (!template) return execution.fail(`template ${quote(node.name)} not defined`);
    execution.enter(template, pipe?.(execution, dot));
    return 'next';
  };
}

function compileRange(node: BranchNode): Walk {
  const pipe = compilePipe(node.pipe);
  const list = compileList(node.list);
  const otherwise = node.elseList && compileList(node.elseList);
  const { isAssign } = node.pipe;
  const names = node.pipe.declarations.map(variable => variable.path[0]!);

  return (execution, dot) => {
    execution.budget.step();
    execution.node = node;
    const scope = execution.variables.length;
    const { dotIsInterface } = execution;
    const value = pipe(execution, dot);
    const mark = execution.variables.length;
    let iterated = false;
    let outcome: Outcome = 'next';
    for (const { index, element } of iterate(execution, value, names.length)) {
      iterated = true;
      execution.budget.step();
      const isInterface = (value instanceof GoSlice || value instanceof GoMap) && holdsInterfaces(value);
      bind(execution, names, isAssign, index, element, isInterface);
      execution.dotIsInterface = isInterface;
      outcome = list(execution, element);
      execution.variables.length = mark;
      if (outcome === 'break') break;
    }
    execution.dotIsInterface = dotIsInterface;
    outcome = iterated ? 'next' : (otherwise?.(execution, dot) ?? 'next');
    execution.variables.length = scope;
    return outcome;
  };
}

/** Gives the variables of a range their values: with one it is the element, with two the index comes first. */
function bind(
  execution: Execution,
  names: readonly string[],
  isAssign: boolean,
  index: Value,
  element: Value,
  isInterface: boolean,
): void {
  const { variables } = execution;
  for (let position = 0; position < names.length; position++) {
    const variable = isAssign
      ? execution.variable(names[position]!)
      : variables[variables.length - names.length + position]!;
    const isElement = position === names.length - 1;
    variable.value = isElement ? element : index;
    variable.isInterface = isElement && isInterface;
  }
}

interface Iteration {
  readonly index: Value;
  readonly element: Value;
}

function* iterate(execution: Execution, value: Value, variables: number): Generator<Iteration> {
  if (value === undefined) return;
  if (value instanceof Int) {
    if (variables > 1) {
      execution.fail(`can't use ${describeValue(value)} to iterate over more than one variable`);
    }
    for (let at = 0n; at < value.value; at++) yield { index: undefined, element: new Int(at, value.type) };
    return;
  }
  if (value instanceof GoMap) {
    // As Go: all entries are taken before the first one runs, so that the body may change the map.
    const entries = value.keys().map(key => ({ index: key, element: value.get(key) }));
    yield* entries;
    return;
  }
  const elements = elementsOf(value);
  if (!elements) return execution.fail(`range can't iterate over ${printed(value)}`);
  for (let at = 0; at < elements.length; at++) yield { index: int(at), element: elements[at] };
}
