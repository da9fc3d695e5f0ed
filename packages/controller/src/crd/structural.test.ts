import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isControllerError } from '../errors.ts';
import { structuralSchema } from './structural.ts';

/** The schema of one field. */
const field = (schema: z.ZodType) => structuralSchema(z.object({ a: schema })).properties!['a'];

describe('a structural schema says in the words of Kubernetes', () => {
  it.each<[string, z.ZodType, object]>([
    [
      'integers, with their size',
      z.int32().min(0).default(1),
      { type: 'integer', format: 'int32', minimum: 0, default: 1 },
    ],
    ['large integers', z.int(), { type: 'integer', format: 'int64' }],
    ['numbers', z.number().min(0.5), { type: 'number', minimum: 0.5 }],
    [
      'texts',
      z
        .string()
        .min(1)
        .max(63)
        .regex(/^[a-z]+$/),
      { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z]+$' },
    ],
    ['formats that the API server checks', z.email({ pattern: /^(?!x).*$/ }), { type: 'string', format: 'email' }],
    ['enums and literals', z.enum(['A', 'B']), { type: 'string', enum: ['A', 'B'] }],
    ['values that may be null', z.boolean().nullable(), { type: 'boolean', nullable: true }],
    [
      'maps',
      z.record(z.string(), z.int32()),
      { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
    ],
    ['anything', z.unknown(), { 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'open objects',
      z.looseObject({ b: z.string() }),
      {
        type: 'object',
        properties: { b: { type: 'string' } },
        required: ['b'],
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    ['closed objects: others are pruned', z.strictObject({}), { type: 'object', properties: {} }],
    ['ports', z.union([z.int(), z.string()]), { 'x-kubernetes-int-or-string': true }],
    [
      'alternatives of one type',
      z.union([z.literal('x'), z.string().min(3)]),
      { type: 'string', anyOf: [{ enum: ['x'] }, { minLength: 3 }] },
    ],
    [
      'lists with keys',
      z
        .array(z.object({ name: z.string() }))
        .max(9)
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
      {
        type: 'array',
        maxItems: 9,
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
    ],
    [
      'rules',
      z.object({ n: z.int32() }).meta({ 'x-kubernetes-validations': [{ rule: 'self.n > 0' }] }),
      {
        type: 'object',
        properties: { n: { type: 'integer', format: 'int32' } },
        required: ['n'],
        'x-kubernetes-validations': [{ rule: 'self.n > 0' }],
      },
    ],
    [
      'several patterns',
      z.string().startsWith('x').endsWith('y'),
      { type: 'string', allOf: [{ pattern: '^x.*' }, { pattern: '.*y$' }] },
    ],
  ])('%s', (_, schema, expected) => expect(field(schema)).toEqual(expected));

  it('one of several objects', () => {
    const exec = z.object({ type: z.literal('Exec'), command: z.array(z.string()) });
    const http = z.object({ type: z.literal('Http'), url: z.url(), port: z.int32().optional() });
    expect(field(z.discriminatedUnion('type', [exec, http]))).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['Exec', 'Http'] },
        command: { type: 'array', items: { type: 'string' } },
        url: { type: 'string', format: 'uri' },
        port: { type: 'integer', format: 'int32' },
      },
      required: ['type'],
      oneOf: [
        { properties: { type: { enum: ['Exec'] } }, required: ['type', 'command'] },
        { properties: { type: { enum: ['Http'] } }, required: ['type', 'url'] },
      ],
    });
  });
});

describe('what cannot be a structural schema is refused, with the place and a way out', () => {
  const cyclic: z.ZodType = z.object({
    get next() {
      return cyclic.optional();
    },
  });
  it.each<[string, z.ZodType, string]>([
    ['dates', z.date(), '.a cannot be part of a CRD schema: JSON has no date'],
    ['deep down', z.object({ list: z.array(z.object({ when: z.date() })) }), '.a.list[].when cannot be part'],
    [
      'transforms',
      z.string().transform(text => text.length),
      '.a cannot be part of a CRD schema: what is stored is the value before the transform',
    ],
    ['tuples', z.tuple([z.string(), z.int()]), 'a list has one schema for all its items; use z.array()'],
    [
      'unions of types',
      z.union([z.string(), z.array(z.string())]),
      'a value is of one type, not string or array; use z.unknown() and a CEL rule',
    ],
    ['restricted ports', z.union([z.int().min(1), z.string()]), 'cannot be restricted here; use a CEL rule'],
    ['restricted keys', z.record(z.enum(['x']), z.string()), 'the keys of a record cannot be restricted'],
    ['patterns with look-ahead', z.string().regex(/^(?!x)/), 'Kubernetes reads patterns as RE2, and ^(?!x) is not'],
    ['ISO durations', z.iso.duration(), 'Kubernetes reads patterns as RE2'],
    ['references', z.string().meta({ id: 'Name' }), 'remove .meta({ id })'],
    ['cycles', cyclic, 'it contains itself; use z.unknown() where it does'],
    ['mixed enums', z.literal(['x', 1]), 'the values of an enum must be of one type'],
    [
      'list keys that may be missing',
      z
        .array(z.object({ name: z.string().optional() }))
        .meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }),
      '.a cannot be part of a CRD schema: its key "name" must be required or have a default',
    ],
    [
      'list keys that are no fields',
      z.array(z.object({})).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] }),
      'its key "id" is not a field of its items',
    ],
    [
      'one field in two ways',
      z.union([z.object({ x: z.string() }), z.object({ x: z.int() })]),
      '.a.x cannot be part of a CRD schema: the alternatives of the union describe this field in different ways',
    ],
  ])('%s', (_, schema, message) => {
    const error = (() => {
      try {
        field(schema);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(isControllerError(error, 'NotStructural')).toBe(true);
    expect((error as Error).message).toContain(message);
  });
});
