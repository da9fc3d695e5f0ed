import type { Json } from '@capstan/kube';
import type { CostBudget } from './budget.ts';
import { RuleCompiler } from './internal/rules/compile.ts';
import { validateRules } from './internal/rules/validate.ts';
import type { StructuralSchema, ValidationRule } from './schema.ts';

/** Something wrong with a rule in a CRD, as Kubernetes' field errors have it. */
export interface RuleProblem {
  /** Where in the schema: `properties[spec].x-kubernetes-validations[0].rule`. */
  readonly path: string;
  readonly type: 'Invalid' | 'Required' | 'Forbidden' | 'NotSupported';
  /** What was found there; absent where Kubernetes prints no value. */
  readonly value?: Json | ValidationRule | undefined;
  readonly detail: string;
}

/** A rule that does not hold for an object, or could not be evaluated. */
export interface RuleViolation {
  /** Below the object: `spec.items[2].name`; empty at the root, where Kubernetes prints `<nil>`. */
  readonly path: string;
  readonly type: 'Invalid' | 'Required' | 'Forbidden' | 'Duplicate';
  /** Absent for objects and arrays, whose values are not repeated in errors. */
  readonly value?: Json | undefined;
  readonly detail: string;
  /** The value was the same before and the rule does not look at `oldSelf`: a warning, not an error, on update. */
  readonly ratcheted: boolean;
}

/** All rules of a schema, compiled. */
export interface SchemaRules {
  /** The estimated cost of all of them together. */
  readonly estimatedCost: number;
  readonly isEmpty: boolean;
  /**
   * Evaluates every rule that applies to `object`. Stops early when the budget is used up (the last violation says so) or
   * when there are more violations than anybody reads.
   */
  validate(object: Json, oldObject: Json | undefined, budget: CostBudget): RuleViolation[];
}

export interface SchemaCompilation {
  readonly rules: SchemaRules;
  /** Empty for a schema that may be accepted. */
  readonly problems: readonly RuleProblem[];
}

/**
 * Compiles the rules of a whole CRD version schema, wherever they stand in it, and holds their estimated cost against the
 * limits. `path` is where the schema stands, and starts the path of every problem.
 *
 * @example
 * const { rules, problems } = compileSchemaRules(version.schema.openAPIV3Schema);
 * if (problems.length === 0) rules.validate(object, oldObject, new CostBudget());
 */
export function compileSchemaRules(schema: StructuralSchema, path = ''): SchemaCompilation {
  const compiler = new RuleCompiler();
  const root = compiler.compile(schema, path);
  return {
    problems: compiler.problems,
    rules: {
      estimatedCost: compiler.totalCost,
      isEmpty: root === undefined,
      validate: (object, oldObject, budget) => (root ? validateRules(root, object, oldObject, budget) : []),
    },
  };
}
