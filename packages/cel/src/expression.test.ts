import type { Json } from '@capstan/kube';
import { describe, expect, test } from 'vitest';
import { compile } from './index.ts';

const evaluate = (expression: string, variables: { [name: string]: Json }) => {
  const types = Object.fromEntries(Object.keys(variables).map(name => [name, 'dyn']));
  const compiled = compile(expression, { variables: types });
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.expression.evaluate(variables);
};

const result = (expression: string, variables: { [name: string]: Json } = {}): Json => {
  const outcome = evaluate(expression, variables);
  if (outcome.kind !== 'value') throw new Error(JSON.stringify(outcome));
  return outcome.value;
};

describe('an expression over plain JSON', () => {
  test('reads fields, elements and entries', () => {
    const response = { status: 200, headers: { 'content-type': 'text/plain' }, items: [{ id: 1 }, { id: 2 }] };
    expect(result("response.status == 200 && response.headers['content-type'].startsWith('text/')", { response })).toBe(
      true,
    );
    expect(result('response.items.map(i, i.id)', { response })).toEqual([1, 2]);
  });

  test('takes whole numbers for ints and others for doubles', () => {
    expect(result('[type(a) == int, type(b) == double]', { a: 1, b: 1.5 })).toEqual([true, true]);
    expect(result('a / 2', { a: 7 })).toBe(3);
  });

  test('gives JSON back', () => {
    expect(result("{'list': [dyn(1), dyn(2.5), dyn('x'), dyn(null)]}")).toEqual({ list: [1, 2.5, 'x', null] });
    expect(result("timestamp('2024-01-01T00:00:00Z')")).toBe('2024-01-01T00:00:00Z');
    expect(result("b'hi'")).toBe('aGk=');
    expect(result('9223372036854775807')).toBe('9223372036854775807');
    expect(result('optional.none()')).toBeNull();
  });

  test('fails where the data does not fit', () => {
    expect(evaluate('a + 1', { a: 'text' })).toMatchObject({ kind: 'error', message: 'no such overload' });
    expect(evaluate('a.b', { a: {} })).toMatchObject({ kind: 'error', message: 'no such key: b' });
  });

  test('is checked before it runs where types are given', () => {
    const compiled = compile('n + 1', { variables: { n: 'string' } });
    expect(compiled).toMatchObject({ ok: false });
    expect(compile("tags.exists(t, t == 'a')", { variables: { tags: 'list(string)' } })).toMatchObject({ ok: true });
  });

  test('knows only the variables it was given', () => {
    const compiled = compile('other == 1', { variables: { known: 'dyn' } });
    expect(compiled.ok ? '' : compiled.message).toContain("undeclared reference to 'other'");
  });

  test('says which variables it needs and what it gives', () => {
    const compiled = compile('a + size(b) > 1', { variables: { a: 'int', b: 'dyn', c: 'dyn' } });
    expect(compiled.ok && [[...compiled.expression.references], compiled.expression.type]).toEqual([
      ['a', 'b'],
      'bool',
    ]);
  });

  test('does not reach into the language below', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(evaluate(`a['${name}']`, { a: {} }).kind).toBe('error');
    }
  });
});
