import type { Json } from '@capstan/kube';
import type { CostBudget } from './budget.ts';
import { patternWeights } from './internal/check/literals.ts';
import { estimateCost } from './internal/cost/estimate.ts';
import { compileProgram, Program } from './internal/program.ts';
import { type Declared, declare } from './internal/schema/declared.ts';
import { optionalOf, type Type } from './internal/types/type.ts';
import { Failure, NO_SUCH_OVERLOAD } from './internal/value/failure.ts';
import { fromSchema } from './internal/value/from-schema.ts';
import { Optional } from './internal/value/optional.ts';
import type { Value } from './internal/value/value.ts';
import { MAX_REQUEST_BYTES } from './limits.ts';
import type { Outcome } from './outcome.ts';
import type { StructuralSchema } from './schema.ts';

export interface RuleOptions {
  /** The schema node that carries the rule: what `self` is. */
  readonly schema: StructuralSchema;
  /** True at the root of a custom resource or of an embedded one: adds `apiVersion`, `kind`, `metadata.name`. */
  readonly isResourceRoot?: boolean;
  /** `optionalOldSelf`: `oldSelf` is an optional and the rule also runs where there is no old value. */
  readonly optionalOldSelf?: boolean;
  /**
   * The path of the schema around whose parts cannot be told apart before and after an update (items of a list that is no
   * map). A rule that looks at `oldSelf` is refused there.
   */
  readonly uncorrelatableWithin?: string;
  /** What the expression must evaluate to: `bool` for a rule, `string` for a `messageExpression`. */
  readonly result?: 'bool' | 'string';
}

/** What a rule sees. Leave `oldSelf` out where nothing was there before. */
export interface RuleInput {
  readonly self: Json;
  readonly oldSelf?: Json | undefined;
}

export interface CompiledRule {
  readonly expression: string;
  /** A transition rule: runs only where there is an old value to compare with (unless `optionalOldSelf`). */
  readonly usesOldSelf: boolean;
  /** The most one evaluation can cost, by the limits in the schema. */
  readonly estimatedCost: number;
  /** How much work its patterns were to compile: a schema may hold only so much of it. */
  readonly patternWeight: number;
  /** How often a value of this schema fits into the largest request, where no parent schema says how often it can occur. */
  readonly maxCardinality: number;
  evaluate(input: RuleInput, budget: CostBudget): Outcome<boolean | string>;
}

export type RuleCompilation =
  | { readonly ok: true; readonly rule: CompiledRule }
  /** `message` is what Kubernetes says of such a rule. */
  | { readonly ok: false; readonly message: string };

/**
 * Compiles one rule (or message expression) against the schema node it stands at.
 *
 * @example
 * const compiled = compileRule('self.minReplicas <= self.maxReplicas', { schema });
 * if (compiled.ok) compiled.rule.evaluate({ self: spec }, new CostBudget());
 */
export function compileRule(expression: string, options: RuleOptions): RuleCompilation {
  const declared = declare(options.schema, options.isResourceRoot ?? false);
  if (!declared) return { ok: false, message: 'unable to convert structural schema to CEL declarations' };
  const compiled = compileDeclaredRule(expression, declared, options);
  const within = options.uncorrelatableWithin;
  if (!compiled.ok || !compiled.rule.usesOldSelf || within === undefined) return compiled;
  return { ok: false, message: uncorrelatable(within) };
}

/** What Kubernetes says where there is no telling what `oldSelf` would be. */
export function uncorrelatable(within: string): string {
  return `oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`;
}

/** For callers that compile several rules at one node: the node is converted once. */
export function compileDeclaredRule(
  expression: string,
  declared: Declared,
  options: Pick<RuleOptions, 'optionalOldSelf' | 'result'>,
): RuleCompilation {
  const { optionalOldSelf = false, result = 'bool' } = options;
  const variables = new Map<string, Type>([
    ['self', declared.type],
    ['oldSelf', optionalOldSelf ? optionalOf(declared.type) : declared.type],
  ]);
  const program = compileProgram(expression, variables);
  if (!(program instanceof Program)) {
    return { ok: false, message: `${STAGE[result][program.stage]} failed: ${program.text}` };
  }
  if (program.type.kind !== result) return { ok: false, message: WRONG_RESULT[result] };
  return { ok: true, rule: ruleOf(expression, program, declared, optionalOldSelf) };
}

const STAGE = {
  bool: { compilation: 'compilation', instantiation: 'program instantiation' },
  string: { compilation: 'messageExpression compilation', instantiation: 'messageExpression instantiation' },
} as const;

const WRONG_RESULT = {
  bool: 'cel expression must evaluate to a bool',
  string: 'messageExpression must evaluate to a string',
} as const;

function ruleOf(expression: string, program: Program, declared: Declared, optionalOldSelf: boolean): CompiledRule {
  const read = (raw: Json): Value | Failure => fromSchema(raw, { ...declared, nullable: true });
  const readOld = (raw: Json | undefined): Value | Failure | undefined => {
    if (!optionalOldSelf) return raw === undefined ? undefined : read(raw);
    if (raw === undefined || raw === null) return Optional.none;
    const value = read(raw);
    return value instanceof Failure ? value : new Optional(value);
  };
  return {
    expression,
    usesOldSelf: program.checked.references.has('oldSelf'),
    estimatedCost: estimateCost(program.checked, declared),
    patternWeight: patternWeights(program.checked),
    maxCardinality: Math.floor(MAX_REQUEST_BYTES / (declared.minBytes + 1)),
    evaluate: ({ self, oldSelf }, budget) =>
      program.run({ self: read(self), oldSelf: readOld(oldSelf) }, budget, boolOrString),
  };
}

/** The checker made sure of it, but for `dyn` values that turn out to be something else. */
const boolOrString = (value: Value): boolean | string | Failure =>
  typeof value === 'boolean' || typeof value === 'string' ? value : NO_SUCH_OVERLOAD;
