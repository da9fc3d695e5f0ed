import {
  MAX_EXPRESSION_LENGTH_PER_SCHEMA,
  MAX_PATTERN_WEIGHT_PER_SCHEMA,
  MAX_RULES_PER_SCHEMA,
  RULE_COST_LIMIT,
  SCHEMA_COST_LIMIT,
} from '../../limits.ts';
import { type CompiledRule, compileDeclaredRule, uncorrelatable } from '../../rule.ts';
import type { StructuralSchema, ValidationRule } from '../../schema.ts';
import type { RuleProblem } from '../../schema-rules.ts';
import { type Declared, declare } from '../schema/declared.ts';
import { overBudget } from './cost-words.ts';
import { resolveFieldPath } from './field-path.ts';
import { checkRuleText } from './rule-text.ts';
import type { NodeRule, RuleNode } from './tree.ts';

/** Where the walk is: what the parents say about how often this node can occur and whether it can be correlated. */
interface Place {
  readonly path: string;
  readonly isResourceRoot: boolean;
  /** The product of the limits of all lists and maps around; `undefined` once one of them has none. */
  readonly cardinality: number | undefined;
  /** The outermost schema whose parts cannot be told apart before and after an update. */
  readonly uncorrelatable: string | undefined;
  readonly depth: number;
}

const MAX_DEPTH = 256;

/** Rules that add less than this to the total are not named when the total is too high. */
const NOTEWORTHY = SCHEMA_COST_LIMIT / 100;

/** Walks a schema, compiles every rule in it and adds up what they may cost. */
export class RuleCompiler {
  readonly problems: RuleProblem[] = [];
  totalCost = 0;
  #rules = 0;
  #text = 0;
  #patternWeight = 0;
  #isRefused = false;
  readonly #dearest: { readonly path: string; readonly cost: number }[] = [];

  compile(schema: StructuralSchema, path: string): RuleNode | undefined {
    const place = { path, isResourceRoot: true, cardinality: 1, uncorrelatable: undefined, depth: 0 };
    const root = this.#node(schema, schema, place);
    if (this.totalCost > SCHEMA_COST_LIMIT) this.#refuseTotal(path);
    return root;
  }

  /** `rules` is where rules are read from, `schema` what they are about: the two differ inside `allOf`. */
  #node(rules: StructuralSchema, schema: StructuralSchema, place: Place): RuleNode | undefined {
    if (place.depth > MAX_DEPTH) return undefined;
    const below = this.#below(schema, place);
    const properties = new Map<string, RuleNode>();
    for (const [name, property] of Object.entries(rules.properties ?? {})) {
      const target = schema.properties?.[name];
      const child =
        target && this.#child(property, target, { ...below, path: join(place.path, `properties[${name}]`) });
      if (child) properties.set(name, child);
    }
    const additionalProperties = this.#additional(rules, schema, below);
    const items = this.#items(rules, schema, below);
    const allOf = (rules.allOf ?? []).flatMap((part, index) => {
      const path = join(place.path, `allOf[${index}]`);
      return this.#node(part, schema, { ...place, path, depth: place.depth + 1 }) ?? [];
    });
    const own = this.#own(rules, schema, place);
    const isEmpty = !own.length && !properties.size && !additionalProperties && !items && !allOf.length;
    return isEmpty ? undefined : { schema, rules: own, items, additionalProperties, properties, allOf };
  }

  #below(schema: StructuralSchema, place: Place): Place {
    const factor = multiplicity(schema);
    const cardinality =
      place.cardinality === undefined || factor === undefined ? undefined : place.cardinality * factor;
    return { ...place, cardinality, depth: place.depth + 1 };
  }

  #child(rules: StructuralSchema, schema: StructuralSchema, place: Place): RuleNode | undefined {
    return this.#node(rules, schema, { ...place, isResourceRoot: schema['x-kubernetes-embedded-resource'] === true });
  }

  #additional(rules: StructuralSchema, schema: StructuralSchema, below: Place): RuleNode | undefined {
    const { additionalProperties: source } = rules;
    const { additionalProperties: target } = schema;
    if (typeof source !== 'object' || typeof target !== 'object') return undefined;
    return this.#child(source, target, { ...below, path: join(below.path, 'additionalProperties') });
  }

  #items(rules: StructuralSchema, schema: StructuralSchema, below: Place): RuleNode | undefined {
    if (!rules.items || !schema.items) return undefined;
    const isCorrelatable = schema['x-kubernetes-list-type'] === 'map';
    const uncorrelatable = below.uncorrelatable ?? (isCorrelatable ? undefined : below.path);
    return this.#child(rules.items, schema.items, { ...below, path: join(below.path, 'items'), uncorrelatable });
  }

  #own(rules: StructuralSchema, schema: StructuralSchema, place: Place): NodeRule[] {
    const list = rules['x-kubernetes-validations'] ?? [];
    if (list.length === 0) return [];
    const path = (index: number) => join(place.path, `x-kubernetes-validations[${index}]`);
    const textProblems = list.flatMap((rule, index) => checkRuleText(rule, schema, path(index)));
    this.problems.push(...textProblems);
    if (textProblems.length > 0) return [];
    const declared = declare(schema, place.isResourceRoot);
    if (!declared) {
      const detail = 'failed to retrieve type information for x-kubernetes-validations';
      this.problems.push({ path: join(place.path, 'x-kubernetes-validations'), type: 'Invalid', detail });
      return [];
    }
    return list.flatMap((rule, index) => this.#rule(rule, schema, declared, place, path(index)) ?? []);
  }

  #rule(
    source: ValidationRule,
    schema: StructuralSchema,
    declared: Declared,
    place: Place,
    path: string,
  ): NodeRule | undefined {
    if (this.#isTooMuch(source, path)) return undefined;
    const options = { optionalOldSelf: source.optionalOldSelf ?? false };
    const compiled = compileDeclaredRule(source.rule, declared, options);
    if (!compiled.ok) {
      this.problems.push({ path: `${path}.rule`, type: 'Invalid', value: source, detail: compiled.message });
      return undefined;
    }
    const { rule } = compiled;
    this.#patternWeight += rule.patternWeight;
    this.#charge(
      `${path}.rule`,
      'estimated rule cost',
      rule.estimatedCost * (place.cardinality ?? rule.maxCardinality),
    );
    this.#checkOldSelf(source, rule, place, path);
    const message = this.#message(source, declared, options, path);
    return { source, compiled: rule, message, fieldPath: resolveFieldPath(source.fieldPath ?? '', schema) ?? '' };
  }

  /** Once a schema holds more than can be compiled in reasonable time, the rest of it is not compiled. */
  #isTooMuch(source: ValidationRule, path: string): boolean {
    this.#rules++;
    this.#text += source.rule.length + (source.messageExpression?.length ?? 0);
    if (!this.#isOverfull) return false;
    const detail = 'too many x-kubernetes-validations rules, or too large ones, in the schema';
    if (!this.#isRefused) this.problems.push({ path: `${path}.rule`, type: 'Forbidden', detail });
    this.#isRefused = true;
    return true;
  }

  get #isOverfull(): boolean {
    return (
      this.#rules > MAX_RULES_PER_SCHEMA ||
      this.#text > MAX_EXPRESSION_LENGTH_PER_SCHEMA ||
      this.#patternWeight > MAX_PATTERN_WEIGHT_PER_SCHEMA
    );
  }

  #message(
    source: ValidationRule,
    declared: Declared,
    options: { readonly optionalOldSelf: boolean },
    path: string,
  ): CompiledRule | undefined {
    if (!source.messageExpression) return undefined;
    const compiled = compileDeclaredRule(source.messageExpression, declared, { ...options, result: 'string' });
    const at = `${path}.messageExpression`;
    if (!compiled.ok) {
      this.problems.push({ path: at, type: 'Invalid', value: source, detail: compiled.message });
      return undefined;
    }
    this.#charge(at, 'estimated messageExpression cost', compiled.rule.estimatedCost);
    return compiled.rule;
  }

  #checkOldSelf(source: ValidationRule, rule: CompiledRule, place: Place, path: string): void {
    if (rule.usesOldSelf && place.uncorrelatable !== undefined) {
      const where = place.uncorrelatable === '' ? '<nil>' : place.uncorrelatable;
      const detail = uncorrelatable(where);
      this.problems.push({ path: `${path}.rule`, type: 'Invalid', value: source.rule, detail });
    }
    if (!rule.usesOldSelf && source.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      const value = source.optionalOldSelf;
      this.problems.push({ path: `${path}.optionalOldSelf`, type: 'Invalid', value, detail });
    }
  }

  #charge(path: string, what: string, cost: number): void {
    this.totalCost += cost;
    if (cost >= NOTEWORTHY) this.#dearest.push({ path, cost });
    if (cost <= RULE_COST_LIMIT) return;
    this.problems.push({ path, type: 'Forbidden', detail: overBudget(what, cost, RULE_COST_LIMIT) });
  }

  #refuseTotal(root: string): void {
    const dearest = this.#dearest.toSorted((left, right) => right.cost - left.cost).slice(0, 4);
    for (const { path } of dearest) {
      const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      this.problems.push({ path, type: 'Forbidden', detail });
    }
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    this.problems.push({ path: root, type: 'Forbidden', detail: overBudget(what, this.totalCost, SCHEMA_COST_LIMIT) });
  }
}

/** How many parts a value of this schema can have of each kind; `undefined` where nothing limits them. */
function multiplicity(schema: StructuralSchema): number | undefined {
  if (schema.type === 'array') return schema.maxItems === undefined ? undefined : Math.max(0, schema.maxItems);
  if (schema.type !== 'object' || schema.additionalProperties === undefined) return 1;
  return schema.maxProperties === undefined ? undefined : Math.max(0, schema.maxProperties);
}

const join = (path: string, step: string): string => (path === '' ? step : `${path}.${step}`);
