/** What holds for any schema and any value, however hostile. */
import type { Json } from '@capstan/kube';
import { deepClone, deepEqual } from '@capstan/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fits } from './check.ts';
import { applyDefaults } from './defaults.ts';
import { explain } from './explain.ts';
import { prune } from './prune.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const scalar = fc.constantFrom<Json>(null, true, 0, 1, 1.5, -3, 1e20, '', 'a', 'b', '2026-01-01', '😀');

function valueWithin(depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return scalar;
  const inner = valueWithin(depth - 1);
  return fc.oneof(
    scalar,
    fc.array(inner, { maxLength: 3 }),
    fc.dictionary(names, inner, { maxKeys: 3 }),
  ) as fc.Arbitrary<Json>;
}

function schemaWithin(depth: number): fc.Arbitrary<Schema> {
  const plain = {
    type: fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'boolean'),
    format: fc.constantFrom('date', 'int32', 'float', 'fancy'),
    nullable: fc.boolean(),
    default: scalar,
    required: fc.array(names, { maxLength: 2 }),
    maxItems: fc.nat(2),
    minItems: fc.nat(2),
    uniqueItems: fc.boolean(),
    maxProperties: fc.nat(2),
    minProperties: fc.nat(2),
    enum: fc.array(scalar, { maxLength: 3 }),
    pattern: fc.constantFrom('^a', '[', 'b$'),
    maxLength: fc.nat(2),
    minLength: fc.nat(2),
    minimum: fc.constantFrom(0, 0.5, 2),
    maximum: fc.constantFrom(0, 0.5, 2),
    exclusiveMinimum: fc.boolean(),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    'x-kubernetes-preserve-unknown-fields': fc.constant(true),
    'x-kubernetes-embedded-resource': fc.boolean(),
    'x-kubernetes-int-or-string': fc.boolean(),
    'x-kubernetes-list-type': fc.constantFrom('atomic', 'set', 'map'),
    'x-kubernetes-list-map-keys': fc.constant(['a']),
  };
  if (depth === 0) return sparse(plain);
  const inner = schemaWithin(depth - 1);
  return sparse({
    ...plain,
    properties: fc.dictionary(names, inner, { maxKeys: 3 }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    items: inner,
    anyOf: fc.array(inner, { maxLength: 2 }),
    oneOf: fc.array(inner, { maxLength: 2 }),
    allOf: fc.array(inner, { maxLength: 2 }),
    not: inner,
  });
}

/** Any few of the fields: with all of them at once, nothing would ever fit. */
function sparse(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Schema> {
  return fc
    .subarray(Object.keys(fields), { maxLength: 5 })
    .chain(chosen => fc.record(Object.fromEntries(chosen.map(name => [name, fields[name]!])))) as fc.Arbitrary<Schema>;
}

const anyValue = valueWithin(3);
const anySchema = schemaWithin(3);

describe('any schema, any value', () => {
  const check = (property: (value: Json, schema: Schema) => void) =>
    fc.assert(
      fc.property(anyValue, anySchema, (value, schema) => property(deepClone(value), deepClone(schema))),
      { numRuns: 2_000 },
    );

  test('a value fits exactly when nothing can be said against it', () => {
    check((value, schema) => {
      expect(fits(value, schema)).toBe(explain(value, schema, '', undefined).length === 0);
    });
  });

  test('pruning twice is pruning once', () => {
    check((value, schema) => {
      prune(value, schema);
      const once = deepClone(value);
      expect(prune(value, schema)).toEqual([]);
      expect(deepEqual(value, once)).toBe(true);
    });
  });

  test('what was pruned is what is missing', () => {
    check((value, schema) => {
      const before = deepClone(value);
      expect(deepEqual(before, value)).toBe(true);
      expect(prune(value, schema).length === 0).toBe(deepEqual(before, value));
    });
  });

  test('defaults that are filled in twice are filled in once', () => {
    check((value, schema) => {
      applyDefaults(value, schema);
      const once = deepClone(value);
      applyDefaults(value, schema);
      expect(deepEqual(value, once)).toBe(true);
    });
  });

  test('an update that changes nothing is valid, whatever the object holds', () => {
    fc.assert(
      fc.property(anyValue, anySchema, (value, schema) => {
        const fieldErrors = validate(value, schema, { old: deepClone(value) }).filter(
          ({ type }) => type !== 'FieldValueDuplicate',
        );
        // The resources inside an object are held to their type and name on every write.
        expect(
          fieldErrors.filter(({ field }) => !/apiVersion|kind|metadata/.test(field)).map(({ detail }) => detail),
        ).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('hostile schemas and values end', () => {
  test('deep ones', () => {
    let schema: Schema = { type: 'string' };
    let value: Json = 3;
    for (let i = 0; i < 900; i++) {
      schema = { type: 'object', properties: { a: schema }, required: ['a'] };
      value = { a: value };
    }
    expect(validate(value, schema)).toHaveLength(1);
    expect(prune(value, schema)).toEqual([]);
    applyDefaults(value, schema);
  });

  test('wide ones', () => {
    const fields = Array.from({ length: 50_000 }, (_, i) => `f${i}`);
    const schema: Schema = {
      type: 'object',
      properties: Object.fromEntries(fields.map(name => [name, { type: 'string' as const }])),
    };
    const value: Json = Object.fromEntries(fields.map(name => [name, 1]));
    expect(validate(value, schema)).toHaveLength(50_000);
  });

  test('ones that contain themselves', () => {
    const tree: { type: 'object'; properties: Record<string, Schema>; additionalProperties?: Schema } = {
      type: 'object',
      properties: {},
    };
    tree.properties.child = tree;
    tree.properties.list = { type: 'array', items: tree };
    let value: Json = {};
    for (let i = 0; i < 300; i++) value = { child: value, list: [{}] };
    expect(validate(value, tree)).toEqual([]);
    expect(prune(value, tree)).toEqual([]);
    applyDefaults(value, tree);
  });

  test('patterns that keep other engines busy for ever', () => {
    const schema: Schema = { type: 'array', items: { type: 'string', pattern: '^(a+)+$' } };
    const value: Json = Array.from({ length: 20 }, () => `${'a'.repeat(10_000)}!`);
    expect(validate(value, schema)).toHaveLength(20);
  });

  test('long lists that must not repeat themselves', () => {
    const schema: Schema = {
      type: 'array',
      items: { type: 'object' },
      'x-kubernetes-list-type': 'set',
      uniqueItems: true,
    };
    const value: Json = Array.from({ length: 50_000 }, (_, i) => ({ a: i }));
    expect(validate(value, schema)).toEqual([]);
  });

  test('alternatives of alternatives', () => {
    let schema: Schema = { type: 'string' };
    for (let i = 0; i < 10; i++) schema = { anyOf: [schema, schema] };
    expect(validate(1, schema).length).toBeGreaterThan(0);
  });
});
