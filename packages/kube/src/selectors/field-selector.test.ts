import { describe, expect, it } from 'vitest';
import { oracle } from '../oracle.fixture.ts';
import { fieldMatcher, parseFieldSelector } from './field-selector.ts';
import { SelectorError } from './requirement.ts';

describe('field selectors', () => {
  it.each(oracle.fieldSelectors)('reads "$input" as Kubernetes does', ({ input, text, error }) => {
    if (error === undefined) expect(parseFieldSelector(input).toString()).toBe(text ?? '');
    else expect(() => parseFieldSelector(input)).toThrow(new SelectorError(error));
  });

  it('compares what the reader gives', () => {
    const fields: Record<string, string> = { 'metadata.name': 'a', 'status.phase': 'Running' };
    const read = (field: string): string => fields[field] ?? '';
    expect(parseFieldSelector('metadata.name=a,status.phase!=Failed').matches(read)).toBe(true);
    expect(parseFieldSelector('status.phase!=Running').matches(read)).toBe(false);
    expect(parseFieldSelector('spec.nodeName=').matches(read)).toBe(true);
  });

  it('escapes values given as an object', () => {
    expect(fieldMatcher({ 'metadata.name': 'a,b=c\\' }).toString()).toBe('metadata.name=a\\,b\\=c\\\\');
  });
});
