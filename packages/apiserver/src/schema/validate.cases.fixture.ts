/**
 * Values of the field `spec.x` that do not fit its schema, and what is said about them. The words are those of a real API
 * server: `validate.real.test.ts` asks one.
 */
import type { Json } from '@capstan/kube';
import { ODD_VALUE_CASES } from './odd-values.cases.fixture.ts';
import type { Schema } from './schema.ts';

export type ValueCase = readonly [name: string, value: Json, schema: Schema, messages: string[]];

const BASIC_CASES: readonly ValueCase[] = [
  [
    'integer from text',
    'many',
    { type: 'integer' },
    ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
  ],
  [
    'text from integer',
    3,
    { type: 'string' },
    ['spec.x: Invalid value: "integer": spec.x in body must be of type string: "integer"'],
  ],
  [
    'object from list',
    [],
    { type: 'object' },
    ['spec.x: Invalid value: "array": spec.x in body must be of type object: "array"'],
  ],
  ['null', null, { type: 'string' }, ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"']],
  ['nullable null', null, { type: 'string', nullable: true }, []],
  ['number from integer', 3, { type: 'number' }, []],
  [
    'integer from fraction',
    1.5,
    { type: 'integer' },
    [
      'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
    ],
  ],
  [
    'int32 out of range',
    4294967296,
    { type: 'integer', format: 'int32' },
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x'],
  ],
  [
    'int-or-string',
    true,
    { 'x-kubernetes-int-or-string': true },
    ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
  ],
  ['int-or-string with text', '50%', { 'x-kubernetes-int-or-string': true }, []],
  ['enum', 'c', { type: 'string', enum: ['a', 'b'] }, ['spec.x: Unsupported value: "c": supported values: "a", "b"']],
  [
    'enum of numbers',
    3,
    { type: 'integer', enum: [1, 2] },
    ['spec.x: Unsupported value: 3: supported values: "1", "2"'],
  ],
  [
    'null is in no enum',
    null,
    { type: 'string', nullable: true, enum: ['a'] },
    ['spec.x: Unsupported value: null: supported values: "a"'],
  ],
  [
    'pattern',
    'b',
    { type: 'string', pattern: '^a$' },
    [`spec.x: Invalid value: "b": spec.x in body should match '^a$'`],
  ],
  [
    'maximum',
    11,
    { type: 'integer', maximum: 10 },
    ['spec.x: Invalid value: 11: spec.x in body should be less than or equal to 10'],
  ],
  [
    'exclusive maximum',
    10,
    { type: 'integer', maximum: 10, exclusiveMaximum: true },
    ['spec.x: Invalid value: 10: spec.x in body should be less than 10'],
  ],
  [
    'minimum',
    -1,
    { type: 'integer', minimum: 0 },
    ['spec.x: Invalid value: -1: spec.x in body should be greater than or equal to 0'],
  ],
  [
    'exclusive minimum',
    0,
    { type: 'number', minimum: 0, exclusiveMinimum: true },
    ['spec.x: Invalid value: 0: spec.x in body should be greater than 0'],
  ],
  [
    'small bounds print as Go prints them',
    0.1,
    { type: 'number', maximum: 0.00001 },
    ['spec.x: Invalid value: 0.1: spec.x in body should be less than or equal to 1e-05'],
  ],
  [
    'multiple',
    7,
    { type: 'integer', multipleOf: 2 },
    ['spec.x: Invalid value: 7: spec.x in body should be a multiple of 2'],
  ],
  ['decimal multiple', 0.3, { type: 'number', multipleOf: 0.1 }, []],
  ['too long', 'abc', { type: 'string', maxLength: 2 }, ['spec.x: Too long: may not be more than 2 bytes']],
  ['length counts characters', '😀😀', { type: 'string', maxLength: 2 }, []],
  [
    'too short',
    'a',
    { type: 'string', minLength: 2 },
    ['spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long'],
  ],
  ['too many items', [1, 2], { type: 'array', maxItems: 1 }, ['spec.x: Too many: 2: must have at most 1 item']],
  [
    'too few items',
    [],
    { type: 'array', minItems: 1 },
    ['spec.x: Invalid value: 0: spec.x in body should have at least 1 items'],
  ],
  [
    'duplicates',
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    { type: 'array', uniqueItems: true },
    [`spec.x: Invalid value: "": spec.x in body shouldn't contain duplicates`],
  ],
  [
    'too many properties',
    { a: 1, b: 2 },
    { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 1 },
    ['spec.x: Too many: 2: must have at most 1 item'],
  ],
  [
    'too few properties',
    {},
    { type: 'object', minProperties: 1 },
    ['spec.x: Invalid value: 0: spec.x in body should have at least 1 properties'],
  ],
  ['required', {}, { type: 'object', required: ['a'], properties: { a: {} } }, ['spec.x.a: Required value']],
  [
    'an inherited name is not there',
    {},
    { type: 'object', required: ['constructor'] },
    ['spec.x.constructor: Required value'],
  ],
  [
    'item',
    ['a', 2],
    { type: 'array', items: { type: 'string' } },
    ['spec.x[1]: Invalid value: "integer": spec.x[1] in body must be of type string: "integer"'],
  ],
  [
    'map value',
    { a: 1 },
    { type: 'object', additionalProperties: { type: 'string' } },
    ['spec.x.a: Invalid value: "integer": spec.x.a in body must be of type string: "integer"'],
  ],
  [
    'format',
    'tomorrow',
    { type: 'string', format: 'date' },
    ['spec.x: Invalid value: "tomorrow": spec.x in body must be of type date: "tomorrow"'],
  ],
  [
    'format of a number',
    5,
    { type: 'string', format: 'date' },
    ['spec.x: Invalid value: "int64": spec.x in body must be of type date: "int64"'],
  ],
  ['unknown format', 'x', { type: 'string', format: 'fancy' }, []],
  [
    'anyOf',
    'x',
    { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    [
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      'spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"',
    ],
  ],
  [
    'oneOf with two',
    { a: 1, b: 1 },
    { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    ['<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    'oneOf with none',
    {},
    { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    [
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid',
      'spec.x.a: Required value',
    ],
  ],
  [
    'allOf',
    5,
    { allOf: [{ minimum: 6 }, { maximum: 10 }] },
    [
      'spec.x: Invalid value: 5: spec.x in body should be greater than or equal to 6',
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf)',
    ],
  ],
  ['not', 5, { not: { minimum: 3 } }, ['<nil>: Invalid value: "": "spec.x" must not validate the schema (not)']],
  [
    'set',
    ['a', 'b', 'a', 'a'],
    { type: 'array', 'x-kubernetes-list-type': 'set' },
    ['spec.x[2]: Duplicate value: "a"'],
  ],
  [
    'map',
    [
      { name: 'a', v: 1 },
      { name: 'a', v: 2 },
    ],
    { type: 'array', items: {}, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
    ['spec.x[1]: Duplicate value: {"name":"a"}'],
  ],
];

export const VALUE_CASES: readonly ValueCase[] = [...BASIC_CASES, ...ODD_VALUE_CASES];
