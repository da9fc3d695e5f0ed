import { describe, expect, it } from 'vitest';
import { oracle, oracleDocument } from '../oracle.fixture.ts';
import { jsonPathExpression, parseJsonPath } from './jsonpath.ts';
import { JsonPathError } from './nodes.ts';

describe('JSONPath', () => {
  it.each(oracle.jsonPaths)('prints $input as kubectl does', ({ input, text, error }) => {
    if (error === undefined) expect(parseJsonPath(input).print(oracleDocument)).toBe(text ?? '');
    else expect(() => parseJsonPath(input).print(oracleDocument)).toThrow(new JsonPathError(error));
  });

  // kubectl goes through the body of a range over nothing once, and then complains of what it does not find there.
  const strict = oracle.strictJsonPaths.filter(({ input }) => !input.startsWith('{range .empty'));
  it.each(strict)('prints $input as kubectl does, missing fields refused', ({ input, text, error }) => {
    if (error === undefined) expect(parseJsonPath(input).print(oracleDocument, 'refuse')).toBe(text ?? '');
    else expect(() => parseJsonPath(input).print(oracleDocument, 'refuse')).toThrow(new JsonPathError(error));
  });

  it('finds values as they are', () => {
    const path = parseJsonPath('{.items[*].port}');
    expect(path.find(oracleDocument)).toEqual([[80, 443, 8080]]);
    expect(parseJsonPath('{.nope}').find(oracleDocument)).toEqual([[]]);
  });

  it('walks maps in the order of their keys', () => {
    expect(parseJsonPath('{.metadata.*}').print({ metadata: { b: 1, a: 2 } })).toBe('2 1');
    expect(parseJsonPath('{..name}').print({ b: { name: 1 }, a: { name: 2 } })).toBe('2 1');
  });

  it('does not find what every object of JavaScript has', () => {
    expect(parseJsonPath('{.constructor}{.items.length}{.__proto__}').print({ items: [] })).toBe('');
  });

  it.each([
    ['a.b', '{.a.b}'],
    ['.a.b', '{.a.b}'],
    ['{a.b}', '{.a.b}'],
    ['{.a.b}', '{.a.b}'],
    ['', ''],
  ])('makes a template of %s', (path, template) => {
    expect(jsonPathExpression(path)).toBe(template);
  });

  it('refuses to make a template of two', () => {
    expect(() => jsonPathExpression('{.a}{.b}')).toThrow(JsonPathError);
  });
});
