import { describe, expect, test } from 'vitest';
import { CostBudget, compileSchemaRules, type StructuralSchema, type ValidationRule } from './index.ts';

const withSpec = (spec: StructuralSchema): StructuralSchema => ({ type: 'object', properties: { spec } });

const rules = (...list: readonly (string | ValidationRule)[]): Pick<StructuralSchema, 'x-kubernetes-validations'> => ({
  'x-kubernetes-validations': list.map(rule => (typeof rule === 'string' ? { rule } : rule)),
});

const problemsOf = (schema: StructuralSchema) =>
  compileSchemaRules(schema).problems.map(({ path, type, detail }) => `${path}: ${type}: ${detail}`);

const violationsOf = (schema: StructuralSchema, object: object, old?: object, budget = new CostBudget()) => {
  const { rules: compiled, problems } = compileSchemaRules(schema);
  expect(problems).toEqual([]);
  return compiled.validate(object as never, old as never, budget);
};

const replicas = withSpec({
  type: 'object',
  properties: { min: { type: 'integer' }, max: { type: 'integer' } },
  ...rules({ rule: 'self.min <= self.max', message: 'min must not exceed max' }),
});

describe('the rules of a schema', () => {
  test('hold silently', () => {
    expect(violationsOf(replicas, { spec: { min: 1, max: 2 } })).toEqual([]);
  });

  test('name the path, the message and no value of an object', () => {
    expect(violationsOf(replicas, { spec: { min: 3, max: 2 } })).toEqual([
      { path: 'spec', type: 'Invalid', value: undefined, detail: 'min must not exceed max', ratcheted: false },
    ]);
  });

  test('repeat the value of a scalar and the rule where there is no message', () => {
    const schema = withSpec({ type: 'integer', ...rules('self > 5') });
    expect(violationsOf(schema, { spec: 3 })).toMatchObject([
      { path: 'spec', value: 3, detail: 'failed rule: self > 5' },
    ]);
  });

  test('apply to every element and every entry, with its place', () => {
    const positive: StructuralSchema = { type: 'integer', ...rules('self > 0') };
    const schema: StructuralSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', maxItems: 5, items: positive },
        map: { type: 'object', maxProperties: 5, additionalProperties: positive },
      },
    };
    const found = violationsOf(schema, { list: [1, 0], map: { a: -1, b: 1 } });
    expect(found.map(({ path }) => path)).toEqual(['list[1]', 'map[a]']);
  });

  test('do not apply to null', () => {
    const schema = withSpec({ type: 'string', nullable: true, ...rules("self == 'x'") });
    expect(violationsOf(schema, { spec: null })).toEqual([]);
  });

  test('may compute their message', () => {
    const schema = withSpec({
      type: 'string',
      maxLength: 10,
      ...rules({ rule: 'self.size() > 5', messageExpression: "self + ' is too short'" }),
    });
    expect(violationsOf(schema, { spec: 'abc' })).toMatchObject([{ detail: 'abc is too short' }]);
  });

  test('fall back to their own words when the computed message fails', () => {
    const rule = { rule: 'self > 5', message: 'too small', messageExpression: 'string(1 / (self - self))' };
    expect(violationsOf(withSpec({ type: 'integer', ...rules(rule) }), { spec: 3 })).toMatchObject([
      { detail: 'too small' },
    ]);
  });

  test('may point at a field and give a reason', () => {
    const schema = withSpec({
      type: 'object',
      properties: { name: { type: 'string' } },
      ...rules({ rule: 'has(self.name)', message: 'name it', fieldPath: '.name', reason: 'FieldValueRequired' }),
    });
    expect(violationsOf(schema, { spec: {} })).toMatchObject([
      { path: 'spec.name', type: 'Required', detail: 'name it' },
    ]);
  });

  test('say why they could not be evaluated', () => {
    expect(violationsOf(replicas, { spec: { min: 1 } })).toMatchObject([
      { path: 'spec', value: 'object', detail: 'no such key: max evaluating rule: min must not exceed max' },
    ]);
  });

  test('see the resource fields at the root and nothing else of metadata', () => {
    const schema: StructuralSchema = { type: 'object', ...rules("self.metadata.name == 'x'") };
    expect(violationsOf(schema, { metadata: { name: 'x' } })).toEqual([]);
    expect(problemsOf({ type: 'object', ...rules('self.metadata.labels.a == 1') })[0]).toContain(
      "undefined field 'labels'",
    );
  });

  test('inside allOf are about the schema around it', () => {
    const schema = withSpec({ type: 'integer', allOf: [rules('self > 1')] });
    expect(violationsOf(schema, { spec: 1 })).toHaveLength(1);
  });
});

describe('transition rules', () => {
  const immutable = withSpec({
    type: 'string',
    maxLength: 10,
    ...rules({ rule: 'self == oldSelf', message: 'is immutable' }),
  });

  test('run only where there was a value before', () => {
    expect(violationsOf(immutable, { spec: 'a' })).toEqual([]);
    expect(violationsOf(immutable, { spec: 'a' }, { spec: 'a' })).toEqual([]);
    expect(violationsOf(immutable, { spec: 'b' }, { spec: 'a' })).toMatchObject([{ detail: 'is immutable' }]);
  });

  test('compare elements of a list of type map by their keys', () => {
    const item: StructuralSchema = {
      type: 'object',
      properties: { key: { type: 'string', maxLength: 5 }, value: { type: 'integer' } },
      ...rules('self.value >= oldSelf.value'),
    };
    const list: StructuralSchema = {
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key'],
      items: item,
    };
    const before = {
      spec: [
        { key: 'a', value: 1 },
        { key: 'b', value: 5 },
      ],
    };
    const after = {
      spec: [
        { key: 'b', value: 4 },
        { key: 'c', value: 0 },
        { key: 'a', value: 2 },
      ],
    };
    expect(violationsOf(withSpec(list), after, before).map(({ path }) => path)).toEqual(['spec[0]']);
  });

  test('are refused where elements cannot be told apart', () => {
    const list: StructuralSchema = {
      type: 'array',
      maxItems: 5,
      items: { type: 'integer', ...rules('self == oldSelf') },
    };
    expect(problemsOf(withSpec(list))).toEqual([
      'properties[spec].items.x-kubernetes-validations[0].rule: Invalid: oldSelf cannot be used on the uncorrelatable portion of the schema within properties[spec]',
    ]);
  });

  test('with optionalOldSelf run on creation too', () => {
    const rule = { rule: "oldSelf.hasValue() || self == 'new'", optionalOldSelf: true };
    const schema = withSpec({ type: 'string', ...rules(rule) });
    expect(violationsOf(schema, { spec: 'old' })).toHaveLength(1);
    expect(violationsOf(schema, { spec: 'other' }, { spec: 'old' })).toEqual([]);
  });

  test('need oldSelf to be optional about it', () => {
    const schema = withSpec({ type: 'string', ...rules({ rule: "self == 'a'", optionalOldSelf: true }) });
    expect(problemsOf(schema)).toEqual([
      'properties[spec].x-kubernetes-validations[0].optionalOldSelf: Invalid: may not be set if oldSelf is not used in rule',
    ]);
  });

  test('an unchanged value that broke a rule before is only a warning', () => {
    const bad = { spec: { min: 3, max: 2 } };
    expect(violationsOf(replicas, bad, bad)).toMatchObject([{ ratcheted: true }]);
    expect(violationsOf(replicas, bad, { spec: { min: 4, max: 2 } })).toMatchObject([{ ratcheted: false }]);
  });
});

describe('a schema is refused', () => {
  test('for a rule that costs too much, by how much', () => {
    const schema = withSpec({ type: 'array', items: { type: 'string' }, ...rules('self.all(x, self.all(y, x == y))') });
    expect(problemsOf(schema)[0]).toBe(
      'properties[spec].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    );
  });

  test('for a cheap rule that applies too often', () => {
    const cheap: StructuralSchema = { type: 'string', ...rules("self.contains('a')") };
    expect(problemsOf(withSpec({ type: 'array', items: cheap }))[0]).toContain(
      'exceeds budget by factor of more than 100x',
    );
    expect(problemsOf(withSpec({ type: 'array', maxItems: 10, items: { ...cheap, maxLength: 100 } }))).toEqual([]);
  });

  test('for all its rules together', () => {
    const expensive = rules(...new Array<string>(12).fill("self.all(x, x.contains('abcdefghij'))"));
    const schema = withSpec({ type: 'array', maxItems: 30, items: { type: 'string' }, ...expensive });
    const problems = problemsOf(schema);
    expect(problems.at(-1)).toContain(
      'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of',
    );
    expect(problems.filter(problem => problem.includes('contributed to estimated rule cost total'))).toHaveLength(4);
  });

  test.each([
    [{ rule: ' ' }, 'rule: Required: rule is not specified'],
    [{ rule: 'true', message: ' ' }, 'message: Invalid: must be non-empty if specified'],
    [{ rule: 'true', message: 'a\nb' }, 'message: Invalid: must not contain line breaks'],
    [{ rule: 'true\n&& true' }, 'message: Required: message must be specified if rule contains line breaks'],
    [{ rule: 'true', reason: 'Because' }, 'reason: NotSupported: supported values'],
    [{ rule: 'true', fieldPath: '.nope' }, 'fieldPath: Invalid: must be a valid path'],
    [{ rule: 'true', fieldPath: 'name' }, 'fieldPath: Invalid: must be a valid path'],
    [
      { rule: 'true', messageExpression: '1' },
      'messageExpression: Invalid: messageExpression must evaluate to a string',
    ],
    [
      { rule: 'true', messageExpression: 'nope' },
      "messageExpression: Invalid: messageExpression compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope'",
    ],
  ])('for %j', (rule, complaint) => {
    const schema = withSpec({ type: 'object', properties: { name: { type: 'string' } }, ...rules(rule) });
    expect(problemsOf(schema)[0]).toContain(`properties[spec].x-kubernetes-validations[0].${complaint}`);
  });
});

describe('the budget of a request', () => {
  test('is shared by all rules, and ends the evaluation when it is used up', () => {
    const schema = withSpec({ type: 'array', maxItems: 100, items: { type: 'integer', ...rules('self > 0') } });
    const budget = new CostBudget(20);
    const found = violationsOf(schema, { spec: new Array(50).fill(1) }, undefined, budget);
    expect(found).toMatchObject([
      { detail: 'validation failed due to running out of cost budget, no further validation rules will be run' },
    ]);
    expect(budget.isExhausted).toBe(true);
  });

  test('is left almost whole by a simple rule', () => {
    const budget = new CostBudget();
    const before = budget.remaining;
    violationsOf(replicas, { spec: { min: 1, max: 2 } }, undefined, budget);
    expect(before - budget.remaining).toBe(5);
  });
});
