/**
 * Updates of the field `spec.x` whose old value does not fit the schema: what has not changed may stay. Compared with a real
 * API server in `rules.real.test.ts`.
 */
import type { RuleCase } from './rules.cases.fixture.ts';
import type { Schema } from './schema.ts';

const short: Schema = { type: 'string', maxLength: 1 };
const fields: Schema = { type: 'object', properties: { a: short, b: short } };
const named: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, v: short } },
};
const set: Schema = { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' };
const TOO_LONG = 'Too long: may not be more than 1 byte';

export const RATCHETING_CASES: readonly RuleCase[] = [
  { name: 'an unchanged value', schema: short, value: 'long', old: 'long', messages: [] },
  { name: 'a changed value', schema: short, value: 'longer', old: 'long', messages: [`spec.x: ${TOO_LONG}`] },
  { name: 'a value of another type', schema: { type: 'integer' }, value: 'x', old: 'x', messages: [] },
  {
    name: 'beside a changed field',
    schema: fields,
    value: { a: 'long', b: 'y' },
    old: { a: 'long', b: 'x' },
    messages: [],
  },
  {
    name: 'a changed field beside it',
    schema: fields,
    value: { a: 'long', b: 'other' },
    old: { a: 'long', b: 'x' },
    messages: [`spec.x.b: ${TOO_LONG}`],
  },
  {
    name: 'a new field beside it',
    schema: fields,
    value: { a: 'long', b: 'new' },
    old: { a: 'long' },
    messages: [`spec.x.b: ${TOO_LONG}`],
  },
  {
    name: 'an item of a map that moved',
    schema: named,
    value: [
      { name: 'n', v: 'x' },
      { name: 'q', v: 'long' },
    ],
    old: [{ name: 'q', v: 'long' }],
    messages: [],
  },
  {
    name: 'an item of a map under another key',
    schema: named,
    value: [{ name: 'n', v: 'long' }],
    old: [{ name: 'q', v: 'long' }],
    messages: [`spec.x[0].v: ${TOO_LONG}`],
  },
  {
    name: 'an item of an atomic list',
    schema: { type: 'array', items: short },
    value: ['long', 'x'],
    old: ['long'],
    messages: [`spec.x[0]: ${TOO_LONG}`],
  },
  {
    name: 'an unchanged atomic list',
    schema: { type: 'array', items: short },
    value: ['long'],
    old: ['long'],
    messages: [],
  },
  {
    name: 'a list that is still too long',
    schema: { type: 'array', items: { type: 'integer' }, maxItems: 1 },
    value: [1, 2, 3],
    old: [1, 2],
    messages: ['spec.x: Too many: 3: must have at most 1 item'],
  },
  {
    name: 'a missing field of an object that changed',
    schema: { ...fields, required: ['b'] },
    value: { a: 'y' },
    old: { a: 'x' },
    messages: ['spec.x.b: Required value'],
  },
  {
    name: 'a missing field of an object that did not',
    schema: { ...fields, required: ['b'] },
    value: { a: 'x' },
    old: { a: 'x' },
    messages: [],
  },
  { name: 'duplicates where there were some', schema: set, value: ['a', 'a', 'c'], old: ['b', 'b'], messages: [] },
  {
    name: 'a value of a map under a new key',
    schema: { type: 'object', additionalProperties: short },
    value: { k: 'long', n: 'new' },
    old: { k: 'long' },
    messages: [`spec.x.n: ${TOO_LONG}`],
  },
  {
    name: 'alternatives over an unchanged field',
    schema: { ...fields, anyOf: [{ properties: { a: { maxLength: 2 } } }, { required: ['b'] }] },
    value: { a: 'long', b: 'x' },
    old: { a: 'long' },
    messages: [],
  },
  {
    name: 'all of several over an unchanged field',
    schema: { ...fields, allOf: [{ properties: { a: { maxLength: 2 } } }, { required: ['b'] }] },
    value: { a: 'long', b: 'y' },
    old: { a: 'long', b: 'x' },
    messages: [
      'spec.x.a: Too long: may not be more than 2 bytes',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf)',
    ],
  },
];
