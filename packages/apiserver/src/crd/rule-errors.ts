/** Whether the rules of a schema compile, and whether what they may cost at most is within the limits. */
import { RULE_COST_LIMIT, SCHEMA_COST_LIMIT } from '@capstan/cel';
import { type FieldError, forbiddenValue, indexPath, invalidValue, keyPath } from '../field-error.ts';
import { compiledRules, hasRules, type NodeRule } from '../schema/compiled-rules.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import type { JsonSchema } from './types.ts';

interface Context {
  readonly isResourceRoot: boolean;
  /** How many values of this node one object can have; undefined where nothing bounds them. */
  readonly cardinality: number | undefined;
  /** The list whose items have no past, if the node is inside one. */
  readonly uncorrelatable: string | undefined;
}

interface Cost {
  readonly path: string;
  readonly cost: number;
}

/** The schema has passed all other checks. */
export function ruleErrors(root: JsonSchema, path: string): FieldError[] {
  if (!hasRules(root as Schema)) return [];
  const costs: Cost[] = [];
  const errors = nodeErrors(root, path, { isResourceRoot: true, cardinality: 1, uncorrelatable: undefined }, costs);
  return [...errors, ...totalErrors(costs, path)];
}

function nodeErrors(schema: JsonSchema, path: string, context: Context, costs: Cost[]): FieldError[] {
  if (!hasRules(schema as Schema)) return [];
  const errors: FieldError[] = [];
  for (const [child, at, uncorrelatable] of children(schema, path)) {
    const bound = elementsOf(schema);
    const isBounded = context.cardinality !== undefined && bound !== undefined;
    const inside: Context = {
      isResourceRoot: child['x-kubernetes-embedded-resource'] === true,
      cardinality: isBounded ? context.cardinality * bound : undefined,
      uncorrelatable: context.uncorrelatable ?? uncorrelatable,
    };
    errors.push(...nodeErrors(child, at, inside, costs));
  }
  const rules = compiledRules(schema as Schema, context.isResourceRoot);
  for (const [i, rule] of rules.entries()) {
    errors.push(...oneRuleErrors(rule, indexPath(`${path}.x-kubernetes-validations`, i), context, costs));
  }
  return errors;
}

function children(schema: JsonSchema, path: string): (readonly [JsonSchema, string, string | undefined])[] {
  const { additionalProperties: additional, items } = schema;
  const found: (readonly [JsonSchema, string, string | undefined])[] = [];
  if (typeof additional === 'object') found.push([additional, `${path}.additionalProperties`, undefined]);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    found.push([property, keyPath(`${path}.properties`, name), undefined]);
  }
  if (items !== undefined) {
    const isMap = schema['x-kubernetes-list-type'] === 'map';
    found.push([items as JsonSchema, `${path}.items`, isMap ? undefined : path]);
  }
  return found;
}

/** By how much a node multiplies what is below it. */
function elementsOf(schema: JsonSchema): number | undefined {
  if (schema.type === 'array') return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}

function oneRuleErrors(rule: NodeRule, at: string, context: Context, costs: Cost[]): FieldError[] {
  const { compiled, message, messageProblem, source } = rule;
  if (!compiled.ok) return [invalidValue(`${at}.rule`, internalRule(source), compiled.message)];
  const errors: FieldError[] = [];
  const observe = (cost: number, field: string, name: string): void => {
    if (cost > RULE_COST_LIMIT) errors.push(forbiddenValue(`${at}.${field}`, overBudget(name, cost, RULE_COST_LIMIT)));
    costs.push({ path: `${at}.${field}`, cost });
  };
  const times = context.cardinality ?? compiled.rule.maxCardinality;
  observe(compiled.rule.estimatedCost * times, 'rule', 'estimated rule cost');
  if (messageProblem !== undefined) {
    errors.push(invalidValue(`${at}.messageExpression`, internalRule(source), messageProblem));
  } else if (message !== undefined) {
    observe(message.estimatedCost, 'messageExpression', 'estimated messageExpression cost');
  }
  if (compiled.rule.usesOldSelf && context.uncorrelatable !== undefined) {
    const words = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${context.uncorrelatable}`;
    errors.push(invalidValue(`${at}.rule`, source.rule, words));
  }
  if (!compiled.rule.usesOldSelf && source.optionalOldSelf !== undefined) {
    const words = 'may not be set if oldSelf is not used in rule';
    errors.push(invalidValue(`${at}.optionalOldSelf`, source.optionalOldSelf, words));
  }
  return errors;
}

function totalErrors(costs: readonly Cost[], path: string): FieldError[] {
  const total = costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= SCHEMA_COST_LIMIT) return [];
  const dearest = costs.filter(({ cost }) => cost >= SCHEMA_COST_LIMIT / 100).sort((a, b) => b.cost - a.cost);
  const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...dearest.slice(0, 4).map(rule => forbiddenValue(rule.path, share)),
    forbiddenValue(path, overBudget(name, total, SCHEMA_COST_LIMIT)),
  ];
}

function overBudget(name: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${name} exceeds budget by factor of ${text} (${advice})`;
}

/** A rule as Go prints its internal struct. */
function internalRule(rule: ValidationRule): object {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
