import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema/schema.ts';
import { applyConfiguration, conflictStatus, managedFieldsProblem, trackUpdate } from './index.ts';
import type { JsonObject } from './json-value.ts';

const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    data: { type: 'object', additionalProperties: { type: 'string' } },
    list: { type: 'array', items: { type: 'object', properties: { deep: { type: 'string' } } } },
  },
};
const write = { schema, apiVersion: 'v1', subresource: '', time: '2000-01-01T00:00:01Z', manager: 'alice' };

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

function stored(data: Record<string, string>, manager = 'alice'): JsonObject {
  const next = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'it' }, data, list: [{ deep: 'x' }] };
  const managedFields = trackUpdate({ ...write, manager, live: undefined, next });
  return deepFreeze({ ...next, metadata: { name: 'it', uid: '1', managedFields } });
}

const configuration = (data: Record<string, string>): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'it' },
  data,
});

describe('trackUpdate', () => {
  it('gives the very same entries back when a write changes nothing', () => {
    const live = stored({ a: '1' });
    const next = structuredClone(live);
    const entries = trackUpdate({ ...write, live, next, manager: 'bob' });
    expect(entries).toBe((live['metadata'] as JsonObject)['managedFields']);
  });

  it('shares the entries of managers that a write does not concern', () => {
    const live = stored({ a: '1' });
    const next = { ...live, data: { a: '1', b: '2' } };
    const entries = trackUpdate({ ...write, live, next, manager: 'bob', time: '2000-01-01T00:00:02Z' });
    expect(entries?.[0]).toBe(((live['metadata'] as JsonObject)['managedFields'] as unknown[])[0]);
    expect(entries?.[1]).toMatchObject({ manager: 'bob', fieldsV1: { 'f:data': { 'f:b': {} } } });
  });

  it('takes a schema that contains itself', () => {
    const node: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    node.properties['child'] = node;
    const kind = { ...schema, properties: { ...schema.properties, tree: node } };
    const next = { apiVersion: 'v1', kind: 'Tree', metadata: { name: 'it' }, tree: { child: { child: {} } } };
    expect(trackUpdate({ ...write, schema: kind, live: undefined, next })).toMatchObject([
      { fieldsV1: { 'f:tree': { '.': {}, 'f:child': { '.': {}, 'f:child': {} } } } },
    ]);
  });

  it('takes a map of maps of itself', () => {
    const node: { type: 'object'; additionalProperties?: Schema } = { type: 'object' };
    node.additionalProperties = node;
    const kind = { ...schema, properties: { ...schema.properties, tree: node } };
    const next = { apiVersion: 'v1', kind: 'Tree', metadata: { name: 'it' }, tree: { a: { b: {} } } };
    expect(trackUpdate({ ...write, schema: kind, live: undefined, next })).toMatchObject([
      { fieldsV1: { 'f:tree': { '.': {}, 'f:a': { '.': {}, 'f:b': {} } } } },
    ]);
  });

  it("leaves ownership as it was when a manager's version cannot be reached", () => {
    const live = stored({ a: '1' });
    const next = { ...live, apiVersion: 'v2', data: { a: '2' } };
    const convert = () => {
      throw new Error('the webhook is down');
    };
    const entries = trackUpdate({ ...write, apiVersion: 'v2', schemaFor: () => schema, convert, live, next });
    expect(entries).toBe((live['metadata'] as JsonObject)['managedFields']);
  });
});

describe('applyConfiguration', () => {
  it("is refused when a manager's version cannot be reached", () => {
    const convert = () => {
      throw new Error('the webhook is down');
    };
    const live = { ...stored({ a: '1' }), apiVersion: 'v2' };
    const config = { ...configuration({ a: '2' }), apiVersion: 'v2' };
    const input = { ...write, apiVersion: 'v2', schemaFor: () => schema, convert, kind: 'ConfigMap', force: false };
    expect(applyConfiguration({ ...input, live, config })).toEqual({
      outcome: 'refused',
      code: 500,
      message: 'the webhook is down',
    });
  });

  it('gives a draft that may be edited down to the last leaf', () => {
    const live = stored({ a: '1' });
    const result = applyConfiguration({
      ...write,
      kind: 'ConfigMap',
      live,
      config: configuration({ b: '2' }),
      force: false,
    });
    if (result.outcome !== 'applied') throw new Error(result.outcome);
    result.object['data']['a'] = 'edited';
    result.object['list'][0].deep = 'edited';
    expect(live).toMatchObject({ data: { a: '1' }, list: [{ deep: 'x' }] });
  });

  it('does not share the configuration with the draft', () => {
    const config = configuration({ b: '2' });
    const result = applyConfiguration({ ...write, kind: 'ConfigMap', live: undefined, config, force: false });
    if (result.outcome !== 'applied') throw new Error(result.outcome);
    result.object['data']['b'] = 'edited';
    expect(config).toEqual(configuration({ b: '2' }));
  });

  it('says whether the object changed', () => {
    const live = stored({ a: '1' });
    const apply = (data: Record<string, string>) =>
      applyConfiguration({ ...write, kind: 'ConfigMap', live, config: configuration(data), force: false });
    expect(apply({ a: '1' })).toMatchObject({ outcome: 'applied', changed: false });
    expect(apply({ b: '1' })).toMatchObject({ outcome: 'applied', changed: true });
  });

  it('names everyone whose field it would change', () => {
    const live = stored({ a: '1', b: '2' }, 'bob');
    const config = configuration({ a: '9', b: '9' });
    const result = applyConfiguration({ ...write, kind: 'ConfigMap', live, config, force: false });
    if (result.outcome !== 'conflict') throw new Error(result.outcome);
    expect(result.conflicts).toEqual(
      ['.data.a', '.data.b'].map(field => ({
        manager: 'bob',
        operation: 'Update',
        apiVersion: 'v1',
        subresource: '',
        time: '2000-01-01T00:00:01Z',
        field,
      })),
    );
    expect(conflictStatus(result.conflicts).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "bob" using v1:\n- .data.a\n- .data.b',
    );
  });
});

describe('managedFields that a client sends', () => {
  const entry = {
    manager: 'a',
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': {} },
  };

  it('are fine as the server writes them', () => {
    expect(managedFieldsProblem([entry])).toBeUndefined();
  });

  it.each([
    [{ ...entry, operation: 'Delete' }, 'operation must be `Apply` or `Update`'],
    [{ ...entry, apiVersion: '' }, 'apiVersion must not be empty'],
    [{ ...entry, fieldsType: '' }, 'missing fieldsType in managed fields entry 0'],
    [{ ...entry, fieldsType: 'FieldsV2' }, 'invalid fieldsType "FieldsV2" in managed fields entry 0'],
    [{ ...entry, fieldsV1: { data: {} } }, 'error decoding set: missing colon: data'],
    [{ ...entry, time: 'noon' }, 'cannot parse "noon" as a time'],
  ])('are refused: %j', (broken, problem) => {
    expect(managedFieldsProblem([broken])).toBe(problem);
  });
});
