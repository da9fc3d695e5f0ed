import { expect, test } from 'vitest';
import { compactDefinition, referencesOf } from './compact.ts';

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('prose goes, structure and marks stay, references are names', () => {
  const schema = {
    type: 'object',
    description: 'A thing.',
    required: ['parts'],
    properties: {
      parts: { type: 'array', description: 'Its parts.', 'x-kubernetes-list-type': 'atomic', items: reference('Part') },
      owner: { description: 'Whose it is.', default: {}, allOf: [reference('Person')] },
    },
  };
  expect(compactDefinition('example.Thing', schema, { parts: '?[]v1.Part' })).toEqual({
    type: 'object',
    required: ['parts'],
    properties: {
      parts: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { $ref: 'Part' } },
      owner: { $ref: 'Person' },
    },
    'x-go-fields': { parts: '?[]v1.Part' },
  });
  expect(referencesOf(schema)).toEqual(['Part', 'Person']);
});

test('what OpenAPI says plainly is marked for what it is', () => {
  const either = { oneOf: [{ type: 'string' }, { type: 'number' }] };
  expect(compactDefinition('io.k8s.Quantity', either)).toEqual({ type: 'string', format: 'quantity' });
  expect(compactDefinition('io.k8s.IntOrString', { ...either, format: 'int-or-string' })).toEqual({
    'x-kubernetes-int-or-string': true,
  });
  expect(compactDefinition('io.k8s.RawExtension', { type: 'object' })).toEqual({
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
  });
});

test('the defaults of scalars are kept, for keys of lists that are absent', () => {
  const schema = {
    properties: { protocol: { type: 'string', default: 'TCP' }, name: { type: 'string', default: '' } },
  };
  expect(compactDefinition('Port', schema)).toMatchObject(schema);
});
