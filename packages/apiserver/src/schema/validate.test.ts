import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import type { Schema } from './schema.ts';
import { VALUE_CASES } from './validate.cases.fixture.ts';
import { validate } from './validate.ts';

const messages = (value: Json, schema: Schema): string[] => validate(value, schema).map(errorMessage);

const inSpec = (field: Schema): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { x: field } } },
});
const spec = (x: Json): Json => ({ spec: { x } });

describe('what does not fit is said in the words of Kubernetes', () => {
  test.each(VALUE_CASES)('%s', (_name, value, schema, expected) => {
    expect(messages(spec(value), inSpec(schema))).toEqual(expected);
  });

  test('a part of an object names its fields from the part and reports them in full', () => {
    const schema: Schema = { type: 'object', properties: { replicas: { type: 'integer' } } };
    expect(validate({ replicas: 'x' }, schema, { path: 'status' }).map(errorMessage)).toEqual([
      'status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"',
    ]);
  });
});
