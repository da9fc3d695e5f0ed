import { CostBudget } from '@capstan/cel';
import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { errorMessage } from '../field-error.ts';
import { RATCHETING_CASES } from './ratcheting.cases.fixture.ts';
import { RULE_CASES } from './rules.cases.fixture.ts';
import { validateRules } from './rules.ts';
import type { Schema } from './schema.ts';
import { validate } from './validate.ts';

const inSpec = (x: Schema): Schema => ({ type: 'object', properties: { spec: { type: 'object', properties: { x } } } });
const spec = (x: Json): Json => ({ spec: { x } });

describe('rules and what is said when they do not hold', () => {
  test.each([...RULE_CASES, ...RATCHETING_CASES])('$name', ({ schema, value, old, messages }) => {
    // Something else changes too: an update that changes nothing at all is valid whatever it holds.
    const options = old === undefined ? {} : { old: { spec: { x: old }, metadata: { generation: 1 } } };
    expect(validate(spec(value), inSpec(schema), options).map(errorMessage).sort()).toEqual([...messages].sort());
  });
});

describe('what rules may cost', () => {
  const expensive: Schema = {
    type: 'array',
    items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self.matches("^(a+)+$")' }] },
  };

  test('when the budget of a request is used up, no further rule runs', () => {
    const list = Array.from({ length: 1000 }, () => 'a'.repeat(30));
    const errors = validateRules(list, expensive, { budget: new CostBudget(100), isResourceRoot: false, path: 'spec' });
    expect(errors.map(errorMessage)).toEqual([
      expect.stringMatching(
        /^spec\[\d+\]: Invalid value: "string": validation failed due to running out of cost budget, no further validation rules will be run$/,
      ),
    ]);
  });

  test('a rule over a large object ends in bounded time', () => {
    const schema: Schema = {
      type: 'array',
      items: { type: 'integer' },
      'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, self.all(c, a + b + c > 0)))' }],
    };
    const list = Array.from({ length: 10_000 }, (_, i) => i + 1);
    const errors = validateRules(list, schema, { isResourceRoot: false, path: 'spec' });
    expect(errors.map(errorMessage)).toEqual([
      `spec: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, self.all(c, a + b + c > 0)))`,
    ]);
  });
});

test('a rule at the root sees the type and the name of the object, and reports on no field', () => {
  const schema: Schema = {
    type: 'object',
    'x-kubernetes-validations': [{ rule: 'self.metadata.name.startsWith("a") && self.kind == "Widget"' }],
  };
  const widget = (name: string): Json => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });
  expect(validateRules(widget('abc'), schema)).toEqual([]);
  expect(validateRules(widget('xyz'), schema).map(errorMessage)).toEqual([
    '<nil>: Invalid value: failed rule: self.metadata.name.startsWith("a") && self.kind == "Widget"',
  ]);
});
