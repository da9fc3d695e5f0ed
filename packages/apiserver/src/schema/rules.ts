/** `x-kubernetes-validations`: rules in CEL, run over an object and what it was before, within one budget a request. */
import { CostBudget, MAX_MESSAGE_BYTES, type Outcome } from '@capstan/cel';
import type { Json } from '@capstan/kube';
import {
  childPath,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  indexPath,
  invalidValue,
  keyPath,
  OMITTED,
  requiredValue,
} from '../field-error.ts';
import { compiledRules, hasRules, type NodeRule } from './compiled-rules.ts';
import { Correlated } from './correlate.ts';
import { isObject } from './json.ts';
import { planOf } from './plan.ts';
import type { Schema } from './schema.ts';

export interface RuleOptions {
  /** What the value was before; rules that compare with it run only where there was something. */
  readonly old?: Json | undefined;
  /** What other checks found: rules run only on objects whose fields they can rely on. */
  readonly errors?: readonly FieldError[];
  /** The field the value stands in. */
  readonly path?: string;
  /** False for a value that is no whole resource: its rules do not see apiVersion, kind and metadata. */
  readonly isResourceRoot?: boolean;
  readonly budget?: CostBudget;
}

/** Findings after which a rule may meet a value of another type or size than its author was promised. */
const BLOCKING: ReadonlySet<string> = new Set<FieldError['type']>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Which rules do not hold. What a rule said of a value before it is allowed to say of it again, unchanged. */
export function validateRules(value: Json, schema: Schema, options: RuleOptions = {}): FieldError[] {
  if (!hasRules(schema)) return [];
  const { old, errors = [], path = '', isResourceRoot = true, budget = new CostBudget() } = options;
  if (errors.some(error => BLOCKING.has(error.type))) {
    const words =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    return [invalidValue('<nil>', null, words)];
  }
  const walk = new RuleWalk(budget);
  const past = old === undefined || old === null ? undefined : new Correlated(value, old, schema);
  walk.visit(value, { schema, isResourceRoot, path }, past, past);
  return walk.errors;
}

interface Place {
  readonly schema: Schema;
  readonly isResourceRoot: boolean;
  readonly path: string;
}

class RuleWalk {
  readonly errors: FieldError[] = [];
  readonly #budget: CostBudget;
  #stopped = false;

  constructor(budget: CostBudget) {
    this.#budget = budget;
  }

  /** `ratchet` is the nearest value around this one that has a past: while that is unchanged, failures are forgiven. */
  visit(value: Json, at: Place, past: Correlated | undefined, ratchet: Correlated | undefined): void {
    if (this.#stopped || value === null || !hasRules(at.schema)) return;
    for (const rule of compiledRules(at.schema, at.isResourceRoot)) {
      this.#check(rule, value, at, past, ratchet);
      if (this.#stopped) return;
    }
    const plan = planOf(at.schema);
    if (Array.isArray(value)) {
      if (plan.items === undefined) return;
      for (const [index, item] of value.entries()) {
        this.#enter(item, plan.items, indexPath(at.path, index), past?.item(index), past ?? ratchet);
      }
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) {
        const field = past?.field(key);
        const property = plan.properties.get(key);
        if (property) this.#enter(value[key]!, property, childPath(at.path, key), field, past ?? ratchet);
        else if (plan.additional)
          this.#enter(value[key]!, plan.additional, keyPath(at.path, key), field, past ?? ratchet);
      }
    }
  }

  #enter(
    value: Json,
    schema: Schema,
    path: string,
    past: Correlated | undefined,
    parent: Correlated | undefined,
  ): void {
    const isResourceRoot = schema['x-kubernetes-embedded-resource'] === true;
    this.visit(value, { schema, isResourceRoot, path }, past, past ?? parent);
  }

  #check(rule: NodeRule, value: Json, at: Place, past: Correlated | undefined, ratchet: Correlated | undefined): void {
    const path = at.path === '' ? '<nil>' : at.path;
    const type = at.schema.type ?? '';
    const { compiled } = rule;
    if (!compiled.ok) {
      this.errors.push(invalidValue(path, type, `rule compile error: ${compiled.message}`));
      return;
    }
    const oldSelf = past?.old === null ? undefined : past?.old;
    if (compiled.rule.usesOldSelf && oldSelf === undefined && !rule.source.optionalOldSelf) return;
    const outcome = compiled.rule.evaluate({ self: value, oldSelf }, this.#budget);
    if (outcome.kind !== 'value') {
      this.errors.push(invalidValue(path, type, this.#failure(outcome, rule)));
      return;
    }
    if (outcome.value === true) return;
    const message = this.#message(rule, value, oldSelf);
    if (!compiled.rule.usesOldSelf && ratchet?.unchanged) return;
    const field = rule.fieldPath === '' ? path : childPath(at.path, rule.fieldPath);
    if (message.outOfBudget) this.errors.push(invalidValue(field, type, message.text));
    else
      this.errors.push(ruleError(rule, field, type === 'object' || type === 'array' ? OMITTED : value, message.text));
  }

  #failure(outcome: Exclude<Outcome<unknown>, { kind: 'value' }>, { source }: NodeRule): string {
    const text = source.message?.trim() || source.rule.trim();
    if (outcome.kind === 'error') {
      return outcome.message.startsWith('no such overload')
        ? `'${outcome.message}': call arguments did not match a supported operator, function or macro signature for rule: ${text}`
        : `${outcome.message} evaluating rule: ${text}`;
    }
    this.#stopped = true;
    if (outcome.scope === 'request') return OUT_OF_BUDGET;
    const reason = 'no further validation rules will be run due to call cost exceeds limit for rule';
    return `'operation cancelled: actual cost limit exceeded': ${reason}: ${text}`;
  }

  /** A message that cannot be made or shown is replaced by the fixed one. */
  #message(
    { source, message }: NodeRule,
    self: Json,
    oldSelf: Json | undefined,
  ): { text: string; outOfBudget: boolean } {
    const outcome = message?.evaluate({ self, oldSelf }, this.#budget);
    if (outcome?.kind === 'out of budget') {
      this.#stopped = true;
      const text =
        outcome.scope === 'request'
          ? 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run'
          : `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(source.messageExpression)}`;
      return { text, outOfBudget: true };
    }
    const made = outcome?.kind === 'value' ? String(outcome.value).trim() : '';
    const usable = made !== '' && !made.includes('\n') && Buffer.byteLength(made) <= MAX_MESSAGE_BYTES;
    const fixed = source.message ? source.message.trim() : `failed rule: ${source.rule.trim()}`;
    return { text: usable ? made : fixed, outOfBudget: false };
  }
}

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

function ruleError({ source }: NodeRule, field: string, badValue: unknown, detail: string): FieldError {
  switch (source.reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail);
    case 'FieldValueRequired':
      return requiredValue(field, detail);
    case 'FieldValueDuplicate':
      return duplicateValue(field, badValue);
    default:
      return invalidValue(field, badValue, detail);
  }
}
