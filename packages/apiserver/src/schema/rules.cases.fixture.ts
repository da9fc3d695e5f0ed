/**
 * Rules on the field `spec.x`, and what is said when they do not hold. The words are those of a real API server:
 * `rules.real.test.ts` asks one.
 */
import type { Json } from '@capstan/kube';
import type { Schema, ValidationRule } from './schema.ts';

export interface RuleCase {
  readonly name: string;
  readonly schema: Schema;
  readonly value: Json;
  /** What `spec.x` was before, for an update. */
  readonly old?: Json;
  readonly messages: readonly string[];
}

const integer = (...rules: ValidationRule[]): Schema => ({ type: 'integer', 'x-kubernetes-validations': rules });
const text = (...rules: ValidationRule[]): Schema => ({
  type: 'string',
  maxLength: 50,
  'x-kubernetes-validations': rules,
});
const pair = (...rules: ValidationRule[]): Schema => ({
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' }, name: { type: 'string', maxLength: 20 } },
  'x-kubernetes-validations': rules,
});
const mapList = (items: Schema): Schema => ({
  type: 'array',
  maxItems: 10,
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
});
const namedItem = (...rules: ValidationRule[]): Schema => ({ ...pair(...rules), required: ['name'] });

export const RULE_CASES: readonly RuleCase[] = [
  { name: 'a rule that holds', schema: integer({ rule: 'self > 1' }), value: 2, messages: [] },
  {
    name: 'a rule that does not',
    schema: integer({ rule: 'self > 1' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: failed rule: self > 1'],
  },
  {
    name: 'a message',
    schema: integer({ rule: 'self > 1', message: ' must be more ' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: must be more'],
  },
  {
    name: 'a made message',
    schema: integer({ rule: 'self > 1', message: 'fixed', messageExpression: 'self == 1 ? "got one" : "got more"' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: got one'],
  },
  {
    name: 'a made message that is empty',
    schema: integer({ rule: 'self > 1', message: 'fixed', messageExpression: '" "' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: fixed'],
  },
  {
    name: 'a made message with a line break',
    schema: integer({ rule: 'self > 1', messageExpression: '"a\\nb"' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: failed rule: self > 1'],
  },
  {
    name: 'a made message that fails',
    schema: integer({ rule: 'self > 1', message: 'fixed', messageExpression: 'string(1 / (self - 1))' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: fixed'],
  },
  {
    name: 'a rule about an object',
    schema: pair({ rule: 'self.a <= self.b', message: 'a before b' }),
    value: { a: 2, b: 1 },
    messages: ['spec.x: Invalid value: a before b'],
  },
  {
    name: 'a rule that points at a field',
    schema: pair({ rule: 'self.a <= self.b', message: 'a before b', fieldPath: '.a' }),
    value: { a: 2, b: 1 },
    messages: ['spec.x.a: Invalid value: a before b'],
  },
  {
    name: 'a reason: forbidden',
    schema: integer({ rule: 'false', reason: 'FieldValueForbidden', message: 'no' }),
    value: 1,
    messages: ['spec.x: Forbidden: no'],
  },
  {
    name: 'a reason: required',
    schema: integer({ rule: 'false', reason: 'FieldValueRequired', message: 'needed' }),
    value: 1,
    messages: ['spec.x: Required value: needed'],
  },
  {
    name: 'a reason: duplicate',
    schema: integer({ rule: 'false', reason: 'FieldValueDuplicate', message: 'again' }),
    value: 1,
    messages: ['spec.x: Duplicate value: 1'],
  },
  {
    name: 'a rule that fails to run',
    schema: pair({ rule: 'self.a > 0' }),
    value: { b: 1 },
    messages: ['spec.x: Invalid value: "object": no such key: a evaluating rule: self.a > 0'],
  },
  {
    name: 'several rules',
    schema: integer({ rule: 'self > 1' }, { rule: 'self > 2' }),
    value: 1,
    messages: ['spec.x: Invalid value: 1: failed rule: self > 1', 'spec.x: Invalid value: 1: failed rule: self > 2'],
  },
  {
    name: 'rules do not run on a broken object',
    schema: pair({ rule: 'self.a <= self.b' }),
    value: { a: 'x' },
    messages: [
      'spec.x.a: Invalid value: "string": spec.x.a in body must be of type integer: "string"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ],
  },
  {
    name: 'rules run beside a bound that does not hold',
    schema: { ...integer({ rule: 'self > 2' }), minimum: 2 },
    value: 1,
    messages: [
      'spec.x: Invalid value: 1: spec.x in body should be greater than or equal to 2',
      'spec.x: Invalid value: 1: failed rule: self > 2',
    ],
  },
  {
    name: 'a rule on items',
    schema: { type: 'array', maxItems: 10, items: integer({ rule: 'self > 1' }) },
    value: [2, 1],
    messages: ['spec.x[1]: Invalid value: 1: failed rule: self > 1'],
  },
  {
    name: 'a rule on values of a map',
    schema: { type: 'object', maxProperties: 10, additionalProperties: integer({ rule: 'self > 1' }) },
    value: { k: 1 },
    messages: ['spec.x[k]: Invalid value: 1: failed rule: self > 1'],
  },

  {
    name: 'a transition rule does not run on a create',
    schema: integer({ rule: 'self >= oldSelf' }),
    value: 1,
    messages: [],
  },
  {
    name: 'a transition rule that holds',
    schema: integer({ rule: 'self >= oldSelf' }),
    value: 2,
    old: 1,
    messages: [],
  },
  {
    name: 'a transition rule that does not',
    schema: integer({ rule: 'self >= oldSelf', message: 'only up' }),
    value: 1,
    old: 2,
    messages: ['spec.x: Invalid value: 1: only up'],
  },
  {
    name: 'an optional old value on a create',
    schema: text({ rule: 'oldSelf.hasValue() || self == "first"', optionalOldSelf: true }),
    value: 'x',
    messages: ['spec.x: Invalid value: "x": failed rule: oldSelf.hasValue() || self == "first"'],
  },
  {
    name: 'an optional old value on an update',
    schema: text({ rule: 'oldSelf.optMap(o, o == self).orValue(true)', optionalOldSelf: true }),
    value: 'x',
    old: 'y',
    messages: ['spec.x: Invalid value: "x": failed rule: oldSelf.optMap(o, o == self).orValue(true)'],
  },
  {
    name: 'items of a map find their past by key',
    schema: mapList(namedItem({ rule: 'self.a == oldSelf.a', message: 'fixed once set' })),
    value: [
      { name: 'n', a: 9 },
      { name: 'q', a: 2 },
    ],
    old: [{ name: 'q', a: 1 }],
    messages: ['spec.x[1]: Invalid value: fixed once set'],
  },
  {
    name: 'values of a map find their past by key',
    schema: { type: 'object', maxProperties: 10, additionalProperties: integer({ rule: 'self >= oldSelf' }) },
    value: { k: 1, n: 1 },
    old: { k: 2 },
    messages: ['spec.x[k]: Invalid value: 1: failed rule: self >= oldSelf'],
  },

  {
    name: 'what failed before and has not changed may stay',
    schema: integer({ rule: 'self > 1' }),
    value: 1,
    old: 1,
    messages: [],
  },
  {
    name: 'what failed before and has changed may not',
    schema: integer({ rule: 'self > 1' }),
    value: 0,
    old: 1,
    messages: ['spec.x: Invalid value: 0: failed rule: self > 1'],
  },
  {
    name: 'an unchanged item of a map may stay',
    schema: mapList(namedItem({ rule: 'self.a > 1' })),
    value: [
      { name: 'n', a: 2 },
      { name: 'q', a: 1 },
    ],
    old: [{ name: 'q', a: 1 }],
    messages: [],
  },
  {
    name: 'a changed list around an unchanged item',
    schema: { type: 'array', maxItems: 10, items: integer({ rule: 'self > 1' }) },
    value: [2, 1],
    old: [1],
    messages: ['spec.x[1]: Invalid value: 1: failed rule: self > 1'],
  },
  {
    name: 'an unchanged list',
    schema: { type: 'array', maxItems: 10, items: integer({ rule: 'self > 1' }) },
    value: [1],
    old: [1],
    messages: [],
  },
];
