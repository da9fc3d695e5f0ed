import type { ManagedFieldsEntry } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { migratedEntries } from './field-managers.ts';

const entry = (
  operation: 'Apply' | 'Update',
  fields: string[],
  manager = 'helm',
  subresource?: string,
): ManagedFieldsEntry => ({
  manager,
  operation,
  fieldsV1: { 'f:data': Object.fromEntries(fields.map(field => [`f:${field}`, {}])) },
  ...(subresource && { subresource }),
});

describe('the owners of fields', () => {
  it('become appliers, with all that they wrote', () => {
    const kubectl = entry('Update', ['x'], 'kubectl');
    expect(migratedEntries([entry('Apply', ['a']), kubectl, entry('Update', ['b'])], 'helm')).toEqual([
      entry('Apply', ['a', 'b']),
      kubectl,
    ]);
    expect(migratedEntries([entry('Update', ['b'])], 'helm')).toEqual([entry('Apply', ['b'])]);
  });

  it('stay as they are when there is nothing to turn', () => {
    expect(migratedEntries([entry('Apply', ['a']), entry('Update', ['s'], 'helm', 'status')], 'helm')).toBeUndefined();
  });
});
