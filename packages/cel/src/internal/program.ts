import type { CostBudget } from '../budget.ts';
import type { Outcome } from '../outcome.ts';
import { type Checked, check } from './check/check.ts';
import { checkLiterals } from './check/literals.ts';
import { CostLimitExceeded, Meter } from './evaluate/meter.ts';
import { type Frame, InstantiationProblem, type Plan, plan } from './evaluate/plan.ts';
import { type Issue, SyntaxIssue } from './syntax/issue.ts';
import { parse } from './syntax/parse.ts';
import { Source } from './syntax/source.ts';
import type { Type } from './types/type.ts';
import { Failure } from './value/failure.ts';
import type { Value } from './value/value.ts';

/** A checked expression, ready to run. */
export class Program {
  readonly checked: Checked;
  readonly #plan: Plan;

  constructor(checked: Checked, variables: readonly string[]) {
    this.checked = checked;
    this.#plan = plan(checked, variables);
  }

  /** The type the expression evaluates to. */
  get type(): Type {
    return this.checked.typeOf.get(this.checked.root)!;
  }

  run<T>(
    variables: Readonly<Record<string, Value | Failure | undefined>>,
    budget: CostBudget,
    convert: (value: Value, meter: Meter) => T | Failure,
  ): Outcome<T> {
    if (budget.isExhausted) return { kind: 'out of budget', scope: 'request', cost: 0 };
    const meter = new Meter();
    const slots: (Value | Failure | undefined)[] = [];
    for (const [name, slot] of this.#plan.slotOf)
      slots[slot] = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const result = this.#guarded({ slots, meter }, convert);
    const affordable = budget.spend(meter.cost, meter.work);
    if (!affordable) return { kind: 'out of budget', scope: 'request', cost: meter.cost };
    if (result === undefined) return { kind: 'out of budget', scope: 'evaluation', cost: meter.cost };
    if (result instanceof Failure) return { kind: 'error', message: result.message, cost: meter.cost };
    return { kind: 'value', value: result, cost: meter.cost };
  }

  #guarded<T>(frame: Frame, convert: (value: Value, meter: Meter) => T | Failure): T | Failure | undefined {
    try {
      const value = this.#plan.run(frame);
      return value instanceof Failure ? value : convert(value, frame.meter);
    } catch (error) {
      if (error instanceof CostLimitExceeded) return undefined;
      // Only data nested deeper than any schema allows can exhaust the stack.
      if (error instanceof RangeError) return new Failure('value is nested too deeply');
      throw error;
    }
  }
}

/** All complaints, each with its place in the text, one below the other. */
export interface CompileProblem {
  readonly stage: 'compilation' | 'instantiation';
  readonly text: string;
}

export function compileProgram(expression: string, variables: ReadonlyMap<string, Type>): Program | CompileProblem {
  const source = new Source(expression);
  const describe = (issues: readonly Issue[]): CompileProblem => ({
    stage: 'compilation',
    text: issues.map(issue => source.describe(issue.offset, issue.message)).join('\n'),
  });
  try {
    const result = check(parse(expression), variables);
    if ('issues' in result) return describe(inOrder(result.issues));
    const literalIssues = checkLiterals(result.checked);
    if (literalIssues.length > 0) return describe(inOrder(literalIssues));
    return new Program(result.checked, [...variables.keys()]);
  } catch (error) {
    if (error instanceof SyntaxIssue) return describe([error]);
    if (error instanceof InstantiationProblem) return { stage: 'instantiation', text: error.message };
    throw error;
  }
}

const inOrder = (issues: readonly Issue[]): readonly Issue[] =>
  issues.toSorted((left, right) => left.offset - right.offset);
