import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const messages = (value: Json, schema: Schema, old?: Json): string[] =>
  validate(value, schema, { old }).map(errorMessage);

const inSpec = (field: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x: field } } },
});
const spec = (x: Json): Json => ({ spec: { x } });

describe('what does not fit is said in the words of Kubernetes', () => {
  const cases: readonly [name: string, value: Json, schema: Schema, expected: string[]][] = [
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
    [
      'null',
      null,
      { type: 'string' },
      ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"'],
    ],
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
      { type: 'object', maxProperties: 1 },
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
  test.each(cases)('%s', (_name, value, schema, expected) => {
    expect(messages(spec(value), inSpec(schema))).toEqual(expected);
  });

  test('a part of an object names its fields from the part and reports them in full', () => {
    const schema: Schema = { type: 'object', properties: { replicas: { type: 'integer' } } };
    expect(validate({ replicas: 'x' }, schema, { path: 'status' }).map(errorMessage)).toEqual([
      'status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"',
    ]);
  });
});

describe('what was invalid and has not changed may stay', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'string', maxLength: 1 },
      b: { type: 'string', maxLength: 1 },
      atomic: { type: 'array', items: { type: 'string', maxLength: 1 } },
      named: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', properties: { name: { type: 'string' }, v: { type: 'string', maxLength: 1 } } },
      },
      set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    },
  };

  test('a field', () => {
    expect(messages({ a: 'long', b: 'x' }, schema, { a: 'long' })).toEqual([]);
    expect(messages({ a: 'longer', b: 'x' }, schema, { a: 'long' })).toEqual([
      'a: Too long: may not be more than 1 byte',
    ]);
    expect(messages({ a: 'long', b: 'also' }, schema, { a: 'long' })).toEqual([
      'b: Too long: may not be more than 1 byte',
    ]);
  });

  test('an item of a map, wherever it moved; not an item of an atomic list', () => {
    const old = { named: [{ name: 'x', v: 'long' }] };
    expect(
      messages(
        {
          named: [
            { name: 'y', v: 'z' },
            { name: 'x', v: 'long' },
          ],
        },
        schema,
        old,
      ),
    ).toEqual([]);
    expect(messages({ atomic: ['long', 'z'] }, schema, { atomic: ['long'] })).toEqual([
      'atomic[0]: Too long: may not be more than 1 byte',
    ]);
  });

  test('duplicates in a set', () => {
    expect(messages({ set: ['a', 'a'] }, schema, { set: ['b', 'b'] })).toEqual([]);
    expect(messages({ set: ['a', 'a'] }, schema, { set: ['b'] })).toEqual(['set[1]: Duplicate value: "a"']);
  });
});
