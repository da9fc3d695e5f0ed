import type { Json } from '@capstan/kube';
import { expect, test } from 'vitest';
import { applyDefaults } from './defaults.ts';
import type { Schema } from './schema.ts';

function defaulted(value: Json, schema: Schema): Json {
  applyDefaults(value, schema);
  return value;
}

const replicas: Schema = { type: 'integer', default: 1 };

const cases: readonly [name: string, value: Json, schema: Schema, expected: Json][] = [
  ['a missing field gets its default', {}, { properties: { replicas } }, { replicas: 1 }],
  ['a present field keeps its value', { replicas: 0 }, { properties: { replicas } }, { replicas: 0 }],
  ['a missing parent stays missing', {}, { properties: { spec: { properties: { replicas } } } }, {}],
  [
    'a defaulted parent gets its children’s defaults',
    {},
    { properties: { spec: { default: {}, properties: { replicas } } } },
    { spec: { replicas: 1 } },
  ],
  [
    'items of lists',
    { list: [{}, { replicas: 2 }] },
    { properties: { list: { items: { properties: { replicas } } } } },
    { list: [{ replicas: 1 }, { replicas: 2 }] },
  ],
  [
    'values of maps',
    { map: { a: {} } },
    { properties: { map: { additionalProperties: { properties: { replicas } } } } },
    { map: { a: { replicas: 1 } } },
  ],
  ['null becomes the default', { replicas: null }, { properties: { replicas } }, { replicas: 1 }],
  ['null without a default goes away', { name: null }, { properties: { name: { type: 'string' } } }, {}],
  [
    'null stays where it is allowed',
    { name: null },
    { properties: { name: { nullable: true, default: 'x' } } },
    { name: null },
  ],
  ['null in a list becomes the item’s default', [null], { items: { default: 'x' } }, ['x']],
  ['null in a list without a default stays', [null], { items: { type: 'string' } }, [null]],
  [
    'null under an unspecified field stays',
    { any: { x: null } },
    { properties: { any: { 'x-kubernetes-preserve-unknown-fields': true } } },
    { any: { x: null } },
  ],
];

test.each(cases)('%s', (_name, value, schema, expected) => {
  expect(defaulted(value, schema)).toEqual(expected);
});

test('a default is copied: changing the object leaves the schema alone', () => {
  const schema: Schema = { properties: { list: { type: 'array', default: ['a'] } } };
  const value = defaulted({}, schema) as { list: string[] };
  value.list.push('b');
  expect(defaulted({}, schema)).toEqual({ list: ['a'] });
});
