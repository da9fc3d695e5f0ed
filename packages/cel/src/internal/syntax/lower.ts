import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { MAX_NESTING } from '../../limits.ts';
import { fitsInt, Uint } from '../value/uint.ts';
import { decodeBytesLiteral } from './bytes-literal.ts';
import type { Expr, Literal } from './expr.ts';
import { SyntaxIssue } from './issue.ts';
import { expandMacro } from './macros.ts';
import { binaryOperator, OPERATOR } from './operators.ts';
import { openParenthesis, skipTrivia } from './position.ts';

/** What the cel-js parser hands over: the operator's spelling and its operands. Macro calls are still plain calls here. */
export interface SyntaxNode {
  readonly op: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
}

/**
 * Turns the parser's tree into {@link Expr}: names operators, expands macros, balances long chains of `&&` and `||`,
 * checks the range of integer literals, and finds the place an error about a node should point to.
 */
export function lower(root: SyntaxNode, text: string): Expr {
  return new Lowering(text).expr(root, 0);
}

type Pair = readonly [SyntaxNode, SyntaxNode];

class Lowering {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  expr(node: SyntaxNode, depth: number): Expr {
    if (depth > MAX_NESTING) throw new SyntaxIssue(0, `expression recursion limit exceeded: ${MAX_NESTING}`);
    const offset = node.start;
    switch (node.op) {
      case 'value':
        return this.#literal(node);
      case 'id':
        return { kind: 'ident', offset, name: node.args as string };
      case '.':
      case '.?':
        return this.#select(node, depth);
      case '[]':
      case '[?]':
        return this.#index(node, depth);
      case 'call':
      case 'rcall':
        return this.#call(node, depth);
      case 'list':
        return { kind: 'list', offset, elements: this.#all(node.args as SyntaxNode[], depth) };
      case 'map':
        return { kind: 'map', offset, entries: this.#entries(node.args as Pair[], depth) };
      case '?:':
        return this.#conditional(node, depth);
      case '&&':
      case '||':
        return this.#logicalChain(node, depth);
      case '!_':
        return this.#not(node, depth);
      case '-_':
        return this.#negated(node, depth);
      default:
        return this.#binary(node, depth);
    }
  }

  #all(nodes: readonly SyntaxNode[], depth: number): Expr[] {
    return nodes.map(node => this.expr(node, depth + 1));
  }

  /** Two prefix operators of a kind cancel each other out: `!!x` is `x`. */
  #unwrapped(node: SyntaxNode): { readonly operand: SyntaxNode; readonly count: number } {
    let operand = node.args as SyntaxNode;
    let start = node.start;
    let count = 1;
    // Parentheses leave no trace in the tree, but `-(-x)` is two operations where `--x` is none.
    while (operand.op === node.op && skipTrivia(this.#text, start + 1) === operand.start) {
      start = operand.start;
      operand = operand.args as SyntaxNode;
      count++;
    }
    return { operand, count };
  }

  #not(node: SyntaxNode, depth: number): Expr {
    const { operand, count } = this.#unwrapped(node);
    const lowered = this.expr(operand, depth + 1);
    if (count % 2 === 0) return lowered;
    return { kind: 'call', offset: node.start, name: OPERATOR.not, target: undefined, args: [lowered] };
  }

  #entries(pairs: readonly Pair[], depth: number) {
    return pairs.map(([key, value]) => ({ key: this.expr(key, depth + 1), value: this.expr(value, depth + 1) }));
  }

  #literal(node: SyntaxNode): Literal {
    const value = node.args as unknown;
    if (value instanceof UnsignedInt) {
      return { kind: 'literal', offset: node.start, value: new Uint(value.value) };
    }
    if (value instanceof Uint8Array) {
      const spelling = this.#text.slice(node.start, node.end);
      return { kind: 'literal', offset: node.start, value: decodeBytesLiteral(spelling) ?? value };
    }
    return literal(node.start, value as null | boolean | bigint | number | string);
  }

  /** The sign belongs to a number literal: `-9223372036854775808` is in range although its digits alone are not. */
  #negated(node: SyntaxNode, depth: number): Expr {
    const { operand, count } = this.#unwrapped(node);
    const isNumber = operand.op === 'value' && (typeof operand.args === 'bigint' || typeof operand.args === 'number');
    if (isNumber && count === 1) return literal(node.start, -(operand.args as bigint | number));
    const lowered = this.expr(operand, depth + 1);
    if (count % 2 === 0) return lowered;
    return { kind: 'call', offset: node.start, name: OPERATOR.negate, target: undefined, args: [lowered] };
  }

  #select(node: SyntaxNode, depth: number): Expr {
    const [operand, field] = node.args as [SyntaxNode, string];
    const offset = skipTrivia(this.#text, operand.end, ')');
    const lowered = this.expr(operand, depth + 1);
    if (node.op === '.') return { kind: 'select', offset, operand: lowered, field, testOnly: false };
    const name: Literal = { kind: 'literal', offset, value: field };
    return { kind: 'call', offset, name: OPERATOR.optionalSelect, target: undefined, args: [lowered, name] };
  }

  #index(node: SyntaxNode, depth: number): Expr {
    const [operand, index] = node.args as Pair;
    const offset = skipTrivia(this.#text, operand.end, ')');
    const name = node.op === '[]' ? OPERATOR.index : OPERATOR.optionalIndex;
    return { kind: 'call', offset, name, target: undefined, args: this.#all([operand, index], depth) };
  }

  #call(node: SyntaxNode, depth: number): Expr {
    if (node.op === 'call') {
      const [name, args] = node.args as [string, SyntaxNode[]];
      const offset = openParenthesis(this.#text, node.start);
      return expandMacro({ kind: 'call', offset, name, target: undefined, args: this.#all(args, depth) });
    }
    const [name, receiver, args] = node.args as [string, SyntaxNode, SyntaxNode[]];
    const dot = skipTrivia(this.#text, receiver.end, ')');
    const offset = openParenthesis(this.#text, skipTrivia(this.#text, dot + 1));
    const target = this.expr(receiver, depth + 1);
    return expandMacro({ kind: 'call', offset, name, target, args: this.#all(args, depth) });
  }

  #conditional(node: SyntaxNode, depth: number): Expr {
    const operands = node.args as [SyntaxNode, SyntaxNode, SyntaxNode];
    const offset = skipTrivia(this.#text, operands[0].end, ')');
    return {
      kind: 'call',
      offset,
      name: OPERATOR.conditional,
      target: undefined,
      args: this.#all(operands, depth),
    };
  }

  #binary(node: SyntaxNode, depth: number): Expr {
    const name = binaryOperator(node.op);
    if (name === undefined) throw new SyntaxIssue(node.start, `Syntax error: unsupported operator '${node.op}'`);
    const [left, right] = node.args as Pair;
    const offset = skipTrivia(this.#text, left.end, ')');
    return { kind: 'call', offset, name, target: undefined, args: this.#all([left, right], depth) };
  }

  /** A chain of a thousand `&&` is a list to its author: as a balanced tree it needs ten levels instead of a thousand. */
  #logicalChain(node: SyntaxNode, depth: number): Expr {
    const terms: SyntaxNode[] = [];
    const offsets: number[] = [];
    let spine = node;
    while (spine.op === node.op) {
      const [left, right] = spine.args as Pair;
      terms.push(right);
      offsets.push(skipTrivia(this.#text, left.end, ')'));
      spine = left;
    }
    terms.push(spine);
    terms.reverse();
    offsets.reverse();
    const name = node.op === '&&' ? OPERATOR.and : OPERATOR.or;
    const lowered = this.#all(terms, depth);
    const balance = (low: number, high: number): Expr => {
      const middle = Math.floor((low + high + 1) / 2);
      const left = middle === low ? lowered[middle]! : balance(low, middle - 1);
      const right = middle === high ? lowered[middle + 1]! : balance(middle + 1, high);
      return { kind: 'call', offset: offsets[middle]!, name, target: undefined, args: [left, right] };
    };
    return balance(0, offsets.length - 1);
  }
}

function literal(offset: number, value: null | boolean | bigint | number | string): Literal {
  if (typeof value === 'bigint' && !fitsInt(value)) throw new SyntaxIssue(offset, 'invalid int literal');
  return { kind: 'literal', offset, value };
}
