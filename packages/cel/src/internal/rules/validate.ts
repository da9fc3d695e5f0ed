import type { Json } from '@capstan/kube';
import type { CostBudget } from '../../budget.ts';
import { MAX_MESSAGE_BYTES } from '../../limits.ts';
import type { Outcome } from '../../outcome.ts';
import type { StructuralSchema } from '../../schema.ts';
import type { RuleViolation } from '../../schema-rules.ts';
import { Correlation, oldElements } from './correlation.ts';
import type { NodeRule, RuleNode } from './tree.ts';

/** An object with more than this is wrong altogether; the rest of the list would help nobody. */
const MAX_VIOLATIONS = 1000;

/** Evaluates the rules of a schema over an object, from the root down. */
export function validateRules(
  root: RuleNode,
  object: Json,
  oldObject: Json | undefined,
  budget: CostBudget,
): RuleViolation[] {
  const run = new ValidationRun(budget);
  run.node(root, '', new Correlation(object, oldObject), undefined);
  return run.violations;
}

class ValidationRun {
  readonly violations: RuleViolation[] = [];
  readonly #budget: CostBudget;
  #isOver = false;

  constructor(budget: CostBudget) {
    this.#budget = budget;
  }

  /** `correlated` is the nearest value around that can be compared with its old one. */
  node(node: RuleNode, path: string, value: Correlation, correlated: Correlation | undefined): void {
    if (this.#isOver || value.now === null) return;
    for (const rule of node.rules) {
      if (this.#isOver) return;
      this.#rule(rule, node.schema, path, value, value.before === undefined ? correlated : value);
    }
    for (const part of node.allOf) this.node(part, path, value, correlated);
    if (Array.isArray(value.now)) this.#elements(node, value.now, path, value);
    else if (typeof value.now === 'object') this.#properties(node, value.now, path, value);
  }

  #elements(node: RuleNode, elements: readonly Json[], path: string, value: Correlation): void {
    if (!node.items) return;
    const oldElementOf = oldElements(node.schema, value.before);
    for (const [index, element] of elements.entries()) {
      if (this.#isOver) return;
      this.node(node.items, `${path}[${index}]`, new Correlation(element, oldElementOf(element)), value);
    }
  }

  #properties(node: RuleNode, object: { [key: string]: Json }, path: string, value: Correlation): void {
    const before = isObject(value.before) ? value.before : {};
    for (const [name, property] of Object.entries(object)) {
      if (this.#isOver) return;
      const child = node.properties.get(name);
      const isMapEntry = child === undefined && node.additionalProperties !== undefined;
      const rules = child ?? node.additionalProperties;
      if (!rules) continue;
      const old = Object.hasOwn(before, name) ? before[name] : undefined;
      const at = isMapEntry ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
      this.node(rules, at, new Correlation(property, old === null ? undefined : old), value);
    }
  }

  #rule(
    rule: NodeRule,
    schema: StructuralSchema,
    path: string,
    value: Correlation,
    correlated: Correlation | undefined,
  ): void {
    const hasOld = value.before !== undefined && value.before !== null;
    if (rule.compiled.usesOldSelf && !hasOld && !rule.source.optionalOldSelf) return;
    const input = { self: value.now, oldSelf: hasOld ? value.before : undefined };
    const outcome = rule.compiled.evaluate(input, this.#budget);
    if (outcome.kind === 'value' && outcome.value === true) return;
    if (outcome.kind !== 'value') {
      this.#report({
        path,
        type: 'Invalid',
        value: schema.type,
        detail: failureWords(outcome, rule),
        ratcheted: false,
      });
      if (outcome.kind === 'out of budget') this.#isOver = true;
      return;
    }
    const at = rule.fieldPath === '' ? path : join(path, rule.fieldPath);
    const ratcheted = !rule.compiled.usesOldSelf && (correlated?.isUnchanged ?? false);
    const message = rule.message?.evaluate(input, this.#budget);
    if (message?.kind === 'out of budget') {
      const detail =
        'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
      this.#report({ path: at, type: 'Invalid', value: schema.type, detail, ratcheted });
      this.#isOver = true;
      return;
    }
    const detail = usableMessage(message) ?? rule.source.message?.trim() ?? `failed rule: ${rule.source.rule.trim()}`;
    this.#report({ path: at, ...reasonOf(rule, schema, value.now), detail, ratcheted });
  }

  #report(violation: RuleViolation): void {
    this.violations.push(violation);
    if (this.violations.length >= MAX_VIOLATIONS) this.#isOver = true;
  }
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const join = (path: string, below: string): string => (path === '' ? below : `${path}.${below}`);

function reasonOf(rule: NodeRule, schema: StructuralSchema, value: Json): Pick<RuleViolation, 'type' | 'value'> {
  const isStructured = schema.type === 'object' || schema.type === 'array';
  const shown = isStructured ? undefined : value;
  switch (rule.source.reason) {
    case 'FieldValueForbidden':
      return { type: 'Forbidden' };
    case 'FieldValueRequired':
      return { type: 'Required' };
    case 'FieldValueDuplicate':
      return { type: 'Duplicate', value: shown };
    default:
      return { type: 'Invalid', value: shown };
  }
}

function failureWords(outcome: Exclude<Outcome<unknown>, { kind: 'value' }>, { source }: NodeRule): string {
  const rule = (source.message || source.rule).trim();
  if (outcome.kind === 'out of budget') {
    if (outcome.scope === 'request') {
      return 'validation failed due to running out of cost budget, no further validation rules will be run';
    }
    const cancelled = "'operation cancelled: actual cost limit exceeded'";
    return `${cancelled}: no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`;
  }
  if (!outcome.message.startsWith('no such overload')) return `${outcome.message} evaluating rule: ${rule}`;
  const unmatched = 'call arguments did not match a supported operator, function or macro signature';
  return `'${outcome.message}': ${unmatched} for rule: ${rule}`;
}

/** A message that failed, is empty, too long or of several lines is not used; the rule's own message is. */
function usableMessage(outcome: Outcome<boolean | string> | undefined): string | undefined {
  if (outcome?.kind !== 'value' || typeof outcome.value !== 'string') return undefined;
  const text = outcome.value.trim();
  return text === '' || text.includes('\n') || Buffer.byteLength(text) > MAX_MESSAGE_BYTES ? undefined : text;
}
