import type { CompiledRule } from '../../rule.ts';
import type { StructuralSchema, ValidationRule } from '../../schema.ts';

/** The part of a schema that has rules, at or below: what has no rules below is not there. */
export interface RuleNode {
  readonly schema: StructuralSchema;
  readonly rules: readonly NodeRule[];
  readonly items?: RuleNode | undefined;
  readonly additionalProperties?: RuleNode | undefined;
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly allOf: readonly RuleNode[];
}

export interface NodeRule {
  readonly source: ValidationRule;
  readonly compiled: CompiledRule;
  readonly message: CompiledRule | undefined;
  /** The `fieldPath` of the rule, ready to be put behind the path of its node. */
  readonly fieldPath: string;
}
