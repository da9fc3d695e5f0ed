import type { Json } from '@capstan/kube';
import { CostBudget } from './budget.ts';
import { compileProgram, Program } from './internal/program.ts';
import { parseType } from './internal/types/signature.ts';
import { formatType, type Type } from './internal/types/type.ts';
import { fromJson } from './internal/value/from-json.ts';
import { toJson } from './internal/value/to-json.ts';
import type { Outcome } from './outcome.ts';

export interface ExpressionOptions {
  /**
   * The variables an expression may use and their types: `dyn` for anything, or a type as errors print it:
   * `int`, `string`, `bool`, `list(string)`, `map(string, dyn)`.
   */
  readonly variables: Readonly<Record<string, string>>;
}

export interface CompiledExpression {
  readonly expression: string;
  /** What it evaluates to; `dyn` where only the data can tell. */
  readonly type: string;
  /** The variables it refers to. */
  readonly references: ReadonlySet<string>;
  /** `variables` is plain JSON: whole numbers are ints, others doubles. The result is JSON again. */
  evaluate(variables: Readonly<Record<string, Json>>, budget?: CostBudget): Outcome<Json>;
}

export type ExpressionCompilation =
  | { readonly ok: true; readonly expression: CompiledExpression }
  | { readonly ok: false; readonly message: string };

/**
 * Compiles an expression over plain JSON, typed as it comes.
 *
 * @example
 * const compiled = compile('response.status == 200', { variables: { response: 'dyn' } });
 * if (compiled.ok) compiled.expression.evaluate({ response: { status: 200 } });
 */
export function compile(expression: string, options: ExpressionOptions): ExpressionCompilation {
  const variables = new Map<string, Type>(
    Object.entries(options.variables).map(([name, type]) => [name, parseType(type)]),
  );
  const program = compileProgram(expression, variables);
  if (!(program instanceof Program)) return { ok: false, message: program.text };
  return {
    ok: true,
    expression: {
      expression,
      type: formatType(program.type),
      references: program.checked.references,
      evaluate: (values, budget = new CostBudget()) => {
        const converted = Object.entries(values).map(([name, value]) => [name, fromJson(value)] as const);
        return program.run(Object.fromEntries(converted), budget, toJson);
      },
    },
  };
}
