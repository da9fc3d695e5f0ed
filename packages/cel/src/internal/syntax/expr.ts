import type { Duration, Timestamp } from '../value/time.ts';
import type { Uint } from '../value/uint.ts';

/**
 * The tree that checking, cost estimation and evaluation share. Macros are already expanded into comprehensions, in the
 * same shape Kubernetes' CEL gives them: the estimated cost of a rule depends on that shape.
 *
 * A node may appear at two places of the tree (`optMap` needs its target twice). Every pass therefore keeps its results
 * by node, so that nested macros stay linear.
 */
export type Expr = Literal | Ident | Select | Call | ListLiteral | MapLiteral | Comprehension;

interface Node {
  /** Where an error about this node points to: an index into the source text. */
  readonly offset: number;
}

export type LiteralValue = null | boolean | bigint | Uint | number | string | Uint8Array | Duration | Timestamp;

export interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

export interface Ident extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** `has(operand.field)`: asks for presence and never fails for an absent field. */
  readonly testOnly: boolean;
}

export interface Call extends Node {
  readonly kind: 'call';
  /** Operators have names too: `_+_`, `_[_]`, `_?_:_`. */
  readonly name: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListLiteral extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
}

export interface MapLiteral extends Node {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Expr; readonly value: Expr }[];
}

/**
 * A fold: `accumulator = init; for (variable of range) { if (!condition) break; accumulator = step } return result`.
 * `cel.bind`, `optMap` and `sortBy` are folds over nothing whose `init` is the bound value.
 */
export interface Comprehension extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  /** With a second variable the first is the index or key and the second the value. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

/** No identifier of a user can be spelt like this, so a rule cannot see or shadow the accumulator of a macro. */
export const ACCUMULATOR = '@result';

export function isBind(expr: Comprehension): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'literal' &&
    expr.condition.value === false
  );
}
