import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema/schema.ts';
import { applyConfiguration, managedFieldsProblem, trackUpdate } from './index.ts';
import type { JsonObject } from './json-value.ts';

/** Thousands of items fit into a body; anything quadratic would show. */
const MANY = 25_000;

const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const write = { schema, apiVersion: 'v1', subresource: '', time: '2000-01-01T00:00:01Z', kind: 'Widget', force: false };
const names = Array.from({ length: MANY }, (_, index) => `n${index}`);
const object = (fields: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Widget',
  metadata: { name: 'it', ...metadata },
  ...fields,
});

function create(fields: JsonObject, annotations: JsonObject = {}): JsonObject {
  const next = object(fields, { annotations });
  const managedFields = trackUpdate({ ...write, manager: 'bob', live: undefined, next });
  return object(fields, { annotations, uid: '1', managedFields });
}

describe('hostile input to apply ends in bounded time', () => {
  it('a list whose items all change places', () => {
    const config = object({ set: names.toReversed() });
    const result = applyConfiguration({ ...write, manager: 'alice', live: create({ set: names }), config });
    expect(result).toMatchObject({ outcome: 'applied', object: { set: names.toReversed() } });
  });

  it('a list of duplicates', () => {
    const config = object({ set: [...names, ...names] });
    const result = applyConfiguration({ ...write, manager: 'alice', live: undefined, config });
    expect(result).toMatchObject({ outcome: 'refused', code: 500 });
  });

  it('a conflict in every field, with a claim of kubectl to all of them', () => {
    const map = Object.fromEntries(names.map(name => [name, 'x']));
    const claim = JSON.stringify(object({ map: { ...map, n0: 'y' } }));
    const live = create({ map }, { 'kubectl.kubernetes.io/last-applied-configuration': claim });
    const config = object({ map: Object.fromEntries(names.map(name => [name, 'z'])) });
    const result = applyConfiguration({ ...write, manager: 'kubectl', live, config });
    expect(result).toMatchObject({ outcome: 'conflict', conflicts: [{ manager: 'bob', field: '.map.n0' }] });
  });

  it('a configuration that lets go of everything', () => {
    const map = Object.fromEntries(names.map(name => [name, 'x']));
    const first = applyConfiguration({
      ...write,
      manager: 'alice',
      live: undefined,
      config: object({ map, set: names }),
    });
    if (first.outcome !== 'applied') throw new Error(first.outcome);
    const result = applyConfiguration({ ...write, manager: 'alice', live: first.object, config: object({ any: 1 }) });
    expect(result).toMatchObject({ outcome: 'applied', object: { any: 1 } });
    expect(result).not.toHaveProperty('object.map');
  });

  it('managedFields of thousands of managers', () => {
    const fieldsV1 = { 'f:map': { 'f:a': {} } };
    const managedFields = names.map(manager => ({
      manager,
      operation: 'Update',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1,
    }));
    const entries = trackUpdate({
      ...write,
      manager: 'bob',
      live: create({ map: { a: 'x' } }),
      next: object({ map: { a: 'x' } }, { managedFields }),
    });
    expect(entries).toHaveLength(10);
  });

  it('nesting inside strings that hold JSON', () => {
    const deep = '['.repeat(MANY) + ']'.repeat(MANY);
    const entry = { manager: 'a', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
    expect(managedFieldsProblem([{ ...entry, fieldsV1: { [`v:${deep}`]: {} } }])).toContain('error decoding set');
    const claim = JSON.stringify(object({ map: { a: 'x' } })).replace(/}$/, `,"any":${deep}}`);
    const live = create({ map: { a: 'x' } }, { 'kubectl.kubernetes.io/last-applied-configuration': claim });
    const config = object({ map: { a: 'z' } });
    const result = applyConfiguration({ ...write, manager: 'kubectl', live, config });
    expect(result).toMatchObject({ outcome: 'conflict' });
  });
});
