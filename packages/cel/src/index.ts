/**
 * `@capstan/cel` compiles and evaluates CEL expressions the way a Kubernetes API server does: the rules of
 * `x-kubernetes-validations`, with the Kubernetes function libraries, static types from the schema, and a cost that is
 * estimated when a rule is written and metered when it runs. No expression can hang the process: see `docs/cel.md`.
 */
export * from './budget.ts';
export {
  type CompiledExpression,
  compile,
  type ExpressionCompilation,
  type ExpressionOptions,
} from './expression.ts';
export * from './limits.ts';
export * from './outcome.ts';
export { type CompiledRule, compileRule, type RuleCompilation, type RuleInput, type RuleOptions } from './rule.ts';
export * from './schema.ts';
export {
  compileSchemaRules,
  type RuleProblem,
  type RuleViolation,
  type SchemaCompilation,
  type SchemaRules,
} from './schema-rules.ts';
