import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { prune, strictDecodingError, unknownField } from './prune.ts';
import type { Schema } from './schema.ts';

function pruned(value: Json, schema: Schema): { value: Json; unknown: string[] } {
  const unknown = prune(value, schema, { sorted: true });
  return { value, unknown };
}

const object = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('prune', () => {
  test('removes unknown fields at any depth and names them in order', () => {
    const schema = object({ spec: object({ list: { type: 'array', items: object({ a: { type: 'string' } }) } }) });
    expect(pruned({ zeta: 1, spec: { list: [{ a: 'x', b: 1 }, { c: {} }], foo: {} } }, schema)).toEqual({
      value: { spec: { list: [{ a: 'x' }, {}] } },
      unknown: ['spec.foo', 'spec.list[0].b', 'spec.list[1].c', 'zeta'],
    });
  });

  test('names fields as the document has them, or sorted with those of metadata first', () => {
    const schema = object({ metadata: object({}), spec: object({}) });
    const document = (): Json => ({ spec: { b: 1, a: 1 }, metadata: { m: 1 }, extra: 1 });
    expect(prune(document(), schema)).toEqual(['spec.b', 'spec.a', 'metadata.m', 'extra']);
    expect(prune(document(), schema, { sorted: true })).toEqual(['metadata.m', 'extra', 'spec.a', 'spec.b']);
  });

  test('keeps the keys of maps and prunes their values', () => {
    const schema = object({ m: { type: 'object', additionalProperties: object({ a: {} }) } });
    expect(pruned({ m: { one: { a: 1, b: 2 } } }, schema)).toEqual({
      value: { m: { one: { a: 1 } } },
      unknown: ['m.one.b'],
    });
  });

  test('keeps everything under preserve-unknown-fields except below what is specified', () => {
    const schema = object({ known: object({ a: {} }) }, { 'x-kubernetes-preserve-unknown-fields': true });
    expect(pruned({ free: { deep: { er: 1 } }, known: { a: 1, b: 2 } }, schema)).toEqual({
      value: { free: { deep: { er: 1 } }, known: { a: 1 } },
      unknown: ['known.b'],
    });
  });

  test('keeps the type and the metadata of an embedded resource, and prunes its metadata', () => {
    const schema = object({ pod: object({}, { 'x-kubernetes-embedded-resource': true }) });
    expect(
      pruned({ pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', color: 'red' }, spec: {} } }, schema),
    ).toEqual({
      value: { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } } },
      unknown: ['pod.metadata.color', 'pod.spec'],
    });
  });

  test('is not fooled by names that every JavaScript object has', () => {
    const draft = JSON.parse('{"constructor":1,"__proto__":{"x":1},"toString":2}') as Json;
    expect(prune(draft, object({}), { sorted: true })).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.keys(draft as object)).toEqual([]);
  });

  test('ends on a schema that contains itself', () => {
    const tree: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    tree.properties.child = tree;
    expect(prune({ child: { child: { x: 1 } } }, tree)).toEqual(['child.child.x']);
  });
});

test('a strict decoding error lists its problems', () => {
  expect(strictDecodingError(['spec.foo', 'spec.bar'].map(unknownField))).toBe(
    'strict decoding error: unknown field "spec.foo", unknown field "spec.bar"',
  );
});
