/** Structural schemas and values for them, made up at random. */
import type { Json } from '@capstan/kube';
import fc from 'fast-check';
import type { Schema } from './schema.ts';

const names = fc.constantFrom('a', 'b', 'c');
const scalars: readonly Exclude<Json, null>[] = [
  true,
  0,
  1,
  -3,
  7,
  1.5,
  '',
  'a',
  'b',
  'abc',
  '2026-01-01',
  '10.0.0.1',
  'x y',
  3e9,
];
const scalar = fc.constantFrom(...scalars);

export function randomValue(depth = 2): fc.Arbitrary<Json> {
  if (depth === 0) return scalar;
  const inner = randomValue(depth - 1);
  return fc.oneof(
    scalar,
    fc.constant(null),
    fc.array(inner, { maxLength: 3 }),
    fc.dictionary(names, inner, { maxKeys: 3 }),
  ) as fc.Arbitrary<Json>;
}

/** A few restrictions, whether or not they make sense for the type. */
const restrictions: fc.Arbitrary<Schema> = fc
  .record({
    minimum: fc.constantFrom(0, 2),
    maximum: fc.constantFrom(1, 5),
    multipleOf: fc.constant(2),
    minLength: fc.nat(2),
    maxLength: fc.nat(3),
    pattern: fc.constantFrom('^a', 'b$'),
    minItems: fc.nat(2),
    maxItems: fc.nat(2),
    minProperties: fc.nat(2),
    maxProperties: fc.nat(2),
    required: fc.subarray(['a', 'b'], { minLength: 1 }),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
  })
  .chain(all =>
    fc.subarray(Object.entries(all), { maxLength: 2 }).map(chosen => Object.fromEntries(chosen) as unknown as Schema),
  );

function nested(depth: number): fc.Arbitrary<Schema> {
  if (depth === 0) return restrictions;
  const inner = nested(depth - 1);
  const below: fc.Arbitrary<Schema> = fc.oneof(
    fc.constant({}),
    fc.dictionary(names, inner, { maxKeys: 2 }).map(properties => ({ properties })),
    fc.array(inner, { minLength: 1, maxLength: 2 }).map(anyOf => ({ anyOf })),
  );
  return fc.tuple(restrictions, below).map(([own, more]) => ({ ...own, ...more }));
}

const leaf: fc.Arbitrary<Schema> = fc.constantFrom<Schema[]>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'ipv4' },
  { type: 'integer', format: 'int32' },
  { 'x-kubernetes-int-or-string': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
);

function shape(depth: number): fc.Arbitrary<Schema> {
  if (depth === 0) return leaf;
  const inner = randomSchema(depth - 1);
  return fc.oneof(
    leaf,
    fc
      .dictionary(names, inner, { minKeys: 1, maxKeys: 3 })
      .map(properties => ({ type: 'object' as const, properties })),
    inner.map(items => ({ type: 'array' as const, items })),
    inner.map(additionalProperties => ({ type: 'object' as const, additionalProperties })),
    leaf.map(items => ({ type: 'array' as const, items, 'x-kubernetes-list-type': 'set' as const })),
  );
}

/** Not all of them are structural: see `schemaErrors`. */
export function randomSchema(depth = 2): fc.Arbitrary<Schema> {
  const several = fc.array(nested(1), { minLength: 1, maxLength: 2 });
  const junctors: fc.Arbitrary<Schema> = fc.oneof(
    { arbitrary: fc.constant({}), weight: 2 },
    several.map(anyOf => ({ anyOf })),
    several.map(oneOf => ({ oneOf })),
    several.map(allOf => ({ allOf })),
    nested(1).map(not => ({ not })),
  );
  const nullable = fc.constantFrom<Schema[]>({}, {}, { nullable: true });
  return fc
    .tuple(restrictions, shape(depth), nullable, junctors)
    .map(([own, kind, orNull, more]) => ({ ...own, ...kind, ...orNull, ...more }));
}
