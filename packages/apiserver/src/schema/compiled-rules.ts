/** The rules of a schema node, compiled once and kept beside it. */
import { type CompiledRule, compileRule, type RuleCompilation } from '@capstan/cel';
import { planOf } from './plan.ts';
import { findField } from './rule-field-path.ts';
import type { Schema, ValidationRule } from './schema.ts';

export interface NodeRule {
  readonly source: ValidationRule;
  readonly compiled: RuleCompilation;
  /** Of the message expression; undefined where there is none or it did not compile, which `messageProblem` tells. */
  readonly message: CompiledRule | undefined;
  readonly messageProblem: string | undefined;
  /** Where a failure is reported, from the node; '' for the node itself. */
  readonly fieldPath: string;
}

const compiled = [new WeakMap<Schema, readonly NodeRule[]>(), new WeakMap<Schema, readonly NodeRule[]>()] as const;

/** `isResourceRoot`: the node is a whole resource, whose type and name its rules can see. */
export function compiledRules(schema: Schema, isResourceRoot: boolean): readonly NodeRule[] {
  const cache = compiled[isResourceRoot ? 1 : 0];
  let rules = cache.get(schema);
  if (rules === undefined) {
    rules = (schema['x-kubernetes-validations'] ?? [])
      .filter(source => source.rule.trim() !== '')
      .map(source => compileNodeRule(source, schema, isResourceRoot));
    cache.set(schema, rules);
  }
  return rules;
}

function compileNodeRule(source: ValidationRule, schema: Schema, isResourceRoot: boolean): NodeRule {
  const options = { schema, isResourceRoot, optionalOldSelf: source.optionalOldSelf === true };
  const rule = compileRule(source.rule, options);
  const message =
    rule.ok && source.messageExpression?.trim()
      ? compileRule(source.messageExpression, { ...options, result: 'string' })
      : undefined;
  const found = source.fieldPath ? findField(source.fieldPath, schema, { brackets: true }) : undefined;
  return {
    source,
    compiled: rule,
    message: message?.ok ? message.rule : undefined,
    messageProblem: message && !message.ok ? message.message : undefined,
    fieldPath: found && 'path' in found ? found.path : '',
  };
}

const withRules = new WeakMap<Schema, boolean>();

/** Whether a node or anything below it has rules: where none are, the walk does not go. */
export function hasRules(schema: Schema): boolean {
  const known = withRules.get(schema);
  if (known !== undefined) return known;
  withRules.set(schema, false); // a node that is reached again through itself adds nothing
  const plan = planOf(schema);
  const children = [...plan.properties.values(), plan.additional, plan.items].filter(child => child !== undefined);
  const found = (schema['x-kubernetes-validations']?.length ?? 0) > 0 || children.map(hasRules).includes(true);
  withRules.set(schema, found);
  return found;
}
