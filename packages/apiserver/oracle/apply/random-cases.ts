/**
 * Random kinds and random stories about their objects, for comparing our answers with Kubernetes'. Alphabets are tiny on
 * purpose: managers have to meet on the same fields, items and values.
 */
import fc from 'fast-check';
import type { Case, Operation } from '../../src/apply/conformance.fixture.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Node = { [key: string]: unknown };

/** A schema and values that fit it. */
interface Shape {
  readonly schema: Node;
  readonly value: fc.Arbitrary<Json>;
}

const text = fc.constantFrom('x', 'y', 'z', '');
const number = fc.constantFrom(0, 1, 2, 10, 1.5);
const untyped: fc.Arbitrary<Json> = fc.letrec<{ any: Json }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).any;

const orNull = (value: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) });

const scalar: fc.Arbitrary<Shape> = fc.constantFrom<Shape>(
  { schema: { type: 'string' }, value: text },
  { schema: { type: 'integer' }, value: number },
  { schema: { type: 'boolean' }, value: fc.boolean() },
  { schema: { type: 'string', format: 'date-time' }, value: text },
  { schema: { 'x-kubernetes-int-or-string': true }, value: fc.oneof(text, number) },
);

const NAMES = ['a', 'b', 'c', 'd'] as const;

const { shape } = fc.letrec<{ shape: Shape }>(tie => {
  const field = tie('shape');
  const struct = (atomic: boolean) =>
    fc.dictionary(fc.constantFrom(...NAMES), field, { minKeys: 1, maxKeys: 4, noNullPrototype: true }).map(fields => ({
      schema: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])),
        ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      },
      value: orNull(
        fc.record(
          Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value])) as Record<
            string,
            fc.Arbitrary<Json>
          >,
          { requiredKeys: [], noNullPrototype: true },
        ),
      ),
    }));
  const map = (atomic: boolean) =>
    field.map(({ schema, value }) => ({
      schema: {
        type: 'object',
        additionalProperties: schema,
        ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
      },
      value: orNull(fc.dictionary(fc.constantFrom('k', 'l', 'm'), value, { maxKeys: 3, noNullPrototype: true })),
    }));
  const list = field.map(({ schema, value }) => ({
    schema: { type: 'array', items: schema, 'x-kubernetes-list-type': 'atomic' },
    value: orNull(fc.array(value, { maxLength: 3 })),
  }));
  const set = fc
    .constantFrom<[Node, fc.Arbitrary<Json>]>(
      [{ type: 'string' }, fc.constantFrom('p', 'q', 'r', 's')],
      [{ type: 'integer' }, fc.constantFrom(1, 2, 10, 9)],
    )
    .map(([items, item]) => ({
      schema: { type: 'array', items, 'x-kubernetes-list-type': 'set' },
      value: orNull(mostlyUnique(item, value => JSON.stringify(value))),
    }));
  const listMap = fc
    .record({
      fields: fc.dictionary(fc.constantFrom('a', 'b'), field, { maxKeys: 2, noNullPrototype: true }),
      keys: fc.constantFrom(1, 2, 3),
    })
    .map(({ fields, keys }) => {
      const name = fc.constantFrom('n', 'o', 'p');
      const port = fc.constantFrom(1, 2);
      const key: Record<string, fc.Arbitrary<Json>> = keys === 1 ? { name } : { name, port };
      const rest = Object.fromEntries(Object.entries(fields).map(([field_, { value }]) => [field_, value]));
      const item = fc.record(
        { ...key, ...rest },
        { requiredKeys: ['name'], noNullPrototype: true },
      ) as fc.Arbitrary<Json>;
      return {
        schema: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': keys === 1 ? ['name'] : ['port', 'name'],
          items: {
            type: 'object',
            properties: {
              ...Object.fromEntries(Object.entries(fields).map(([field_, { schema }]) => [field_, schema])),
              name: { type: 'string' },
              ...(keys === 1 ? {} : { port: { type: 'integer', ...(keys === 3 ? { default: 1 } : {}) } }),
            },
          },
        },
        value: orNull(
          mostlyUnique(item, value => {
            const { name: n, port: p } = value as { name: Json; port?: Json };
            return JSON.stringify([n, p ?? (keys === 3 ? 1 : null)]);
          }),
        ),
      };
    });
  const open = fc
    .constantFrom<Node>({ 'x-kubernetes-preserve-unknown-fields': true }, {})
    .map(schema => ({ schema, value: untyped }));
  return {
    shape: fc.oneof(
      { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: scalar },
      { weight: 3, arbitrary: struct(false) },
      { weight: 1, arbitrary: struct(true) },
      { weight: 2, arbitrary: map(false) },
      { weight: 1, arbitrary: map(true) },
      { weight: 1, arbitrary: list },
      { weight: 2, arbitrary: set },
      { weight: 4, arbitrary: listMap },
      { weight: 1, arbitrary: open },
    ),
  };
});

/** Duplicates are rare; updates may bring them, applies are refused with them. */
function mostlyUnique(item: fc.Arbitrary<Json>, by: (value: Json) => string): fc.Arbitrary<Json> {
  return fc.oneof(
    { weight: 15, arbitrary: fc.uniqueArray(item, { maxLength: 4, selector: by }) },
    { weight: 1, arbitrary: fc.array(item, { maxLength: 4 }) },
  ) as fc.Arbitrary<Json>;
}

export interface RandomCase {
  readonly schema: Node;
  /** The schema that a story may change to: some of what was granular is atomic, and the other way round. */
  readonly changed: Node;
  readonly case: Case;
}

/** Flips the k-th mark that can be flipped when bit k is set. */
function flip(node: unknown, bits: { left: number }): unknown {
  if (Array.isArray(node) || typeof node !== 'object' || node === null) return node;
  const out = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === 'default' || key === 'metadata' ? value : flip(value, bits),
    ]),
  ) as Node;
  if (!('type' in node) || typeof node.type !== 'string') return out;
  const flipped = (bits.left & 1) === 1;
  bits.left >>= 1;
  if (!flipped) return out;
  if (out['x-kubernetes-map-type'] === 'atomic') delete out['x-kubernetes-map-type'];
  else if (out['type'] === 'object' && !('apiVersion' in ((out['properties'] ?? {}) as Node)))
    out['x-kubernetes-map-type'] = 'atomic';
  else if (out['type'] === 'array') {
    const scalars = ['string', 'integer'].includes((out['items'] as Node)['type'] as string);
    delete out['x-kubernetes-list-map-keys'];
    out['x-kubernetes-list-type'] = out['x-kubernetes-list-type'] === 'atomic' && scalars ? 'set' : 'atomic';
  }
  return out;
}

const SPEC_FIELDS = ['a', 'b', 'c', 'd', 'e'];

const kind = fc.array(shape, { minLength: 2, maxLength: 5 });

function schemaOf(shapes: readonly Shape[]): Node {
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          uid: { type: 'string' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          annotations: { type: 'object', additionalProperties: { type: 'string' } },
          managedFields: { type: 'array', items: { type: 'object' } },
        },
      },
      spec: {
        type: 'object',
        properties: Object.fromEntries(shapes.map(({ schema }, index) => [SPEC_FIELDS[index]!, schema])),
      },
    },
  };
}

function specOf(shapes: readonly Shape[]): fc.Arbitrary<Json> {
  const fields = Object.fromEntries(shapes.map(({ value }, index) => [SPEC_FIELDS[index]!, value]));
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Json>;
}

const V1 = 'example.com/v1';
const V2 = 'example.com/v2';

function operation(shapes: readonly Shape[]): fc.Arbitrary<Omit<Operation, 'time'>> {
  return fc
    .record({
      operation: fc.constantFrom<Operation['operation']>('apply', 'apply', 'apply', 'update', 'merge'),
      manager: fc.constantFrom('ann', 'ben', 'cat', 'kubectl'),
      subresource: fc.constantFrom('', '', '', '', 'status'),
      apiVersion: fc.constantFrom(V1, V1, V1, V2),
      force: fc.boolean(),
      spec: specOf(shapes),
      labels: fc.option(fc.dictionary(fc.constantFrom('l', 'm'), text, { maxKeys: 2, noNullPrototype: true })),
      reset: fc.constantFrom<string[][]>([], [], [], [['spec', 'a']]),
      forget: fc.constantFrom(...Array<boolean>(12).fill(false), true),
      lastApplied: fc.constantFrom(false, false, true),
    })
    .map(({ spec, labels, reset, forget, lastApplied, ...rest }) => ({
      ...rest,
      resetFields: reset,
      object: objectOf(rest, spec, {
        ...(labels === null ? {} : { labels }),
        ...(forget && rest.operation === 'update' ? { managedFields: [] } : {}),
        ...(lastApplied && rest.operation !== 'apply' ? { annotations: lastAppliedOf(rest.apiVersion, spec) } : {}),
      }),
    }));
}

function objectOf({ operation, apiVersion }: Pick<Operation, 'operation' | 'apiVersion'>, spec: Json, metadata: Node) {
  return operation === 'merge'
    ? { spec, metadata }
    : { apiVersion, kind: 'Widget', metadata: { name: 'it', ...metadata }, spec };
}

/** As kubectl leaves it behind on the client side. */
function lastAppliedOf(apiVersion: string, spec: Json): Node {
  const applied = { apiVersion, kind: 'Widget', metadata: { annotations: {}, name: 'it' }, spec };
  return { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(applied)}\n` };
}

const changeOfSchema = fc.constant<Omit<Operation, 'time'>>({
  operation: 'schema',
  manager: '',
  subresource: '',
  apiVersion: V1,
  force: false,
  resetFields: [],
  object: {},
  versions: { [V1]: 'changed', [V2]: 'changed' },
});

export const randomCase: fc.Arbitrary<RandomCase> = kind.chain(shapes =>
  fc
    .record({
      first: operation(shapes),
      others: fc.array(
        fc.oneof({ weight: 15, arbitrary: operation(shapes) }, { weight: 1, arbitrary: changeOfSchema }),
        { minLength: 1, maxLength: 5 },
      ),
      schemaless: fc.constantFrom(false, false, false, false, false, true),
      bits: fc.nat(),
    })
    .map(({ first, others, schemaless, bits }) => {
      const name = schemaless ? '' : 'random';
      const schema = schemaOf(shapes);
      // A merge patch needs something to patch.
      const start =
        first.operation === 'merge'
          ? {
              ...first,
              ...{ operation: 'create' as const },
              object: objectOf({ ...first, operation: 'create' }, first.object['spec'] as Json, {}),
            }
          : first;
      return {
        schema,
        changed: flip(schema, { left: bits }) as Node,
        case: {
          name: '',
          kind: 'Widget',
          versions: { [V1]: name, [V2]: name },
          operations: [start, ...others].map((each, index) => ({ ...each, time: `2000-01-01T00:00:0${index + 1}Z` })),
        },
      };
    }),
);
