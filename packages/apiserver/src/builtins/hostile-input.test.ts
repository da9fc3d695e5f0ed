/** No object, however odd, gets more than an answer: what passes the decoder never makes a rule throw. */
import { deepClone } from '@capstan/kube';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Draft, KindDefinition, StrategyContext } from '../kind.ts';
import type { Schema } from '../schema/schema.ts';
import { StatusError } from '../status.ts';
import { decodeErrors } from './decode-errors.ts';
import { builtinKinds } from './kinds.ts';
import { admitPod } from './pod-admission.ts';
import { allocatorOf } from './service-addresses.ts';

const context: StrategyContext = {
  clock: { now: () => 0, monotonic: () => 0, after: () => expect.fail() },
  namespace: 'default',
  serviceAddresses: allocatorOf(() => []),
};

/** Keys that every JavaScript object answers to, beside ordinary ones. */
const keys = fc.constantFrom('a', 'app', 'cpu', 'memory', 'storage', 'constructor', '__proto__', 'toString', 'a/b', '');
const texts = fc.constantFrom(
  '',
  'a',
  'Always',
  'RollingUpdate',
  'constructor',
  '__proto__',
  '10%',
  'a b',
  'In',
  'Exists',
);

/** Values of a schema, most of them of the right type, at most `depth` deep. */
function anyValue(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return fc.constant(null);
  if (schema['x-kubernetes-int-or-string']) return fc.oneof(fc.integer(), texts);
  if (schema.format === 'quantity') return fc.constantFrom('1', '-1', '100m', '1Gi', '0', '0.5');
  if (schema.format === 'date-time')
    return fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000000Z', null);
  if (schema.format === 'byte') return fc.constantFrom('', 'YQ==', 'e30=');
  switch (schema.type) {
    case 'string':
      return texts;
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.constantFrom(0, 1, -1, 80, 70000, 2 ** 31 - 1);
    case 'array':
      return fc.oneof(fc.constant(null), fc.array(anyValue(schema.items ?? {}, depth - 1), { maxLength: 2 }));
    case 'object':
      return schema.properties === undefined ? anyMap(schema, depth) : anyObject(schema.properties, depth);
    default:
      return fc.constantFrom(null, 1, 'a', [], {});
  }
}

function anyMap(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return fc.oneof(
    fc.constant(null),
    fc
      .array(fc.tuple(keys, anyValue(values, depth - 1)), { maxLength: 3 })
      .map(entries =>
        JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`)}}`),
      ),
  );
}

/** A handful of the fields at a time: few objects say everything. */
function anyObject(properties: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<unknown> {
  const names = Object.keys(properties);
  if (names.length === 0) return fc.constant({});
  return fc
    .subarray(names, { maxLength: Math.min(5, names.length) })
    .chain(chosen => fc.record(Object.fromEntries(chosen.map(name => [name, anyValue(properties[name]!, depth - 1)]))));
}

/** As the request path calls the rules; a refusal is an answer. */
function write(kind: KindDefinition, draft: Draft): void {
  if (decodeErrors(draft, kind.schema).length > 0) return;
  try {
    kind.strategy.default(draft);
    const old = deepClone(draft);
    if (kind.kind === 'Pod') admitPod(draft, []);
    kind.strategy.prepareForCreate(draft, context);
    kind.strategy.validate(draft);
    kind.strategy.warnings?.(draft, undefined);
    kind.strategy.prepareForUpdate(draft, old, context);
    kind.strategy.validateUpdate(draft, old);
    kind.strategy.prepareForStatusUpdate(draft, old, context);
    kind.strategy.validateStatusUpdate(draft, old);
    if (kind.toStorage && kind.fromStorage) kind.fromStorage(kind.toStorage(draft));
    for (const read of Object.values(kind.selectableFields)) expect(read(draft)).toBeTypeOf('string');
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
}

describe('any object is answered', () => {
  test.each(builtinKinds().map(kind => [`${kind.kind}.${kind.version}.${kind.group}`, kind] as const))(
    '%s',
    (_, kind) => {
      const { metadata: _metadata, ...properties } = kind.schema.properties ?? {};
      const named = fc.record({ name: texts, labels: anyMap({ additionalProperties: { type: 'string' } }, 3) });
      const objects = fc.tuple(anyObject(properties, 9), named);
      fc.assert(
        fc.property(objects, ([object, metadata]) => {
          write(kind, { ...(object as object), metadata: JSON.parse(JSON.stringify(metadata)) });
        }),
        { numRuns: 150 },
      );
    },
  );
});
