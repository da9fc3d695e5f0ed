/** The `matchConditions` of a webhook: CEL expressions over the request that must all be true for it to be asked. */
import { type CompiledExpression, CostBudget, compile } from '@capstan/cel';
import type { Json } from '@capstan/kube';

export interface ConditionSpec {
  readonly name: string;
  readonly expression: string;
}

export type ConditionResult =
  | { readonly kind: 'match' }
  | { readonly kind: 'no match' }
  /** The webhook is not asked and the request fails. */
  | { readonly kind: 'error'; readonly message: string };

/** What all conditions of a webhook may cost for one request, in Kubernetes' units. */
const CONDITIONS_COST_LIMIT = 2_500_000;

/** What a condition may speak of. The `authorizer` of Kubernetes is not among it. */
export const MATCH_VARIABLES = { object: 'dyn', oldObject: 'dyn', request: 'dyn' } as const;

export type ConditionVariables = Readonly<Record<keyof typeof MATCH_VARIABLES, Json>>;

export class MatchConditions {
  readonly #specs: readonly ConditionSpec[];
  readonly #failurePolicy: 'Fail' | 'Ignore';
  /** Compiled when the first request comes that they are about. */
  #programs: readonly (CompiledExpression | string)[] | undefined;

  constructor(specs: readonly ConditionSpec[], failurePolicy: 'Fail' | 'Ignore') {
    this.#specs = specs;
    this.#failurePolicy = failurePolicy;
  }

  get isEmpty(): boolean {
    return this.#specs.length === 0;
  }

  /** One that is false decides, whatever the others are; else one that fails leaves it to the failure policy. */
  evaluate(variables: ConditionVariables): ConditionResult {
    this.#programs ??= this.#specs.map(({ expression }) => compiled(expression));
    const budget = new CostBudget(CONDITIONS_COST_LIMIT);
    const errors: string[] = [];
    for (const [index, program] of this.#programs.entries()) {
      const outcome = run(program, this.#specs[index]!.expression, variables, budget);
      if (outcome === false) return { kind: 'no match' };
      if (typeof outcome === 'string') errors.push(outcome);
    }
    if (errors.length === 0) return { kind: 'match' };
    if (this.#failurePolicy === 'Ignore') return { kind: 'no match' };
    return { kind: 'error', message: errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]` };
  }
}

function compiled(expression: string): CompiledExpression | string {
  const compilation = compile(expression, { variables: MATCH_VARIABLES });
  return compilation.ok ? compilation.expression : compilation.message;
}

/** The value, or what went wrong. */
function run(
  program: CompiledExpression | string,
  expression: string,
  variables: ConditionVariables,
  budget: CostBudget,
): boolean | string {
  if (typeof program === 'string') return `compilation error: ${program}`;
  const outcome = program.evaluate(variables, budget);
  switch (outcome.kind) {
    case 'value':
      return typeof outcome.value === 'boolean' ? outcome.value : `expression '${expression}' is not a boolean`;
    case 'error':
      return `expression '${expression}' resulted in error: ${outcome.message}`;
    case 'out of budget':
      return 'validation failed due to running out of cost budget, no further validation rules will be run';
  }
}
