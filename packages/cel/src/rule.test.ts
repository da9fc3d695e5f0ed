import { describe, expect, test } from 'vitest';
import { CostBudget, compileRule, type StructuralSchema } from './index.ts';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    min: { type: 'integer' },
    max: { type: 'integer' },
    tags: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } },
  },
};

const evaluate = (expression: string, self: { [key: string]: number | string[] }) => {
  const compiled = compileRule(expression, { schema });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.rule.evaluate({ self }, new CostBudget());
};

const complaint = (expression: string): string => {
  const compiled = compileRule(expression, { schema });
  return compiled.ok ? 'compiled' : compiled.message;
};

describe('a rule', () => {
  test('holds or does not hold for an object', () => {
    expect(evaluate('self.min <= self.max', { min: 1, max: 2 })).toMatchObject({ kind: 'value', value: true });
    expect(evaluate('self.min <= self.max', { min: 3, max: 2 })).toMatchObject({ kind: 'value', value: false });
  });

  test('fails for a field that is not set', () => {
    expect(evaluate('self.min > 0', {})).toMatchObject({ kind: 'error', message: 'no such key: min' });
  });

  test('may ask first whether a field is set', () => {
    expect(evaluate('!has(self.min) || self.min > 0', {})).toMatchObject({ kind: 'value', value: true });
  });

  test('is refused for a field the schema does not have, with its place', () => {
    expect(complaint('self.mni > 0')).toBe(
      "compilation failed: ERROR: <input>:1:5: undefined field 'mni'\n | self.mni > 0\n | ....^",
    );
  });

  test('is refused for operands that do not fit', () => {
    expect(complaint("self.min + 'a' == 1")).toContain(
      "found no matching overload for '_+_' applied to '(int, string)'",
    );
  });

  test('is refused unless it evaluates to a bool', () => {
    expect(complaint('self.min')).toBe('cel expression must evaluate to a bool');
  });

  test('may not look at oldSelf where values cannot be told apart', () => {
    const compiled = compileRule('self.min >= oldSelf.min', { schema, uncorrelatableWithin: 'spec.list' });
    expect(compiled).toEqual({
      ok: false,
      message: 'oldSelf cannot be used on the uncorrelatable portion of the schema within spec.list',
    });
  });

  test('is a transition rule when it looks at oldSelf', () => {
    const compiled = compileRule('self.min >= oldSelf.min', { schema });
    expect(compiled.ok && compiled.rule.usesOldSelf).toBe(true);
  });
});
