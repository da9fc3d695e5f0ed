import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import type { Schema } from './schema.ts';
import { VALUE_CASES } from './validate.cases.fixture.ts';
import { validate } from './validate.ts';

const messages = (value: Json, schema: Schema, old?: Json): string[] =>
  validate(value, schema, { old }).map(errorMessage);

const inSpec = (field: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x: field } } },
});
const spec = (x: Json): Json => ({ spec: { x } });

describe('what does not fit is said in the words of Kubernetes', () => {
  test.each(VALUE_CASES)('%s', (_name, value, schema, expected) => {
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
