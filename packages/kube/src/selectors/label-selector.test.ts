import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oracle } from '../oracle.fixture.ts';
import {
  labelMatcher,
  labelSelectorMatcher,
  labelSelectorText,
  parseLabelSelector,
  toLabelSelector,
} from './label-selector.ts';
import { SelectorError } from './requirement.ts';

describe('label selectors', () => {
  it.each(oracle.labelSelectors)('reads "$input" as Kubernetes does', ({ input, text, error }) => {
    if (error === undefined) expect(parseLabelSelector(input).toString()).toBe(text ?? '');
    else expect(() => parseLabelSelector(input)).toThrow(new SelectorError(error));
  });

  it.each([
    ['app=web', { app: 'web' }, true],
    ['app=web', { app: 'api' }, false],
    ['app=web', {}, false],
    ['app!=web', {}, true],
    ['app!=web', { app: 'web' }, false],
    ['app in (web,api)', { app: 'api' }, true],
    ['app notin (web,api)', { app: 'api' }, false],
    ['app notin (web,api)', {}, true],
    ['app', { app: '' }, true],
    ['!app', { app: '' }, false],
    ['app=', { app: '' }, true],
    ['size>3', { size: '10' }, true],
    ['size>3', { size: '3' }, false],
    ['size<3', { size: 'big' }, false],
    ['size>3', {}, false],
    ['toString', {}, false],
    ['', { anything: 'goes' }, true],
  ])('"%s" on %o gives %s', (selector, labels, expected) => {
    expect(parseLabelSelector(selector).matches(labels)).toBe(expected);
  });

  it('takes an object without labels as one with none', () => {
    expect(parseLabelSelector('!app').matches(undefined)).toBe(true);
  });

  it('selects everything with an empty LabelSelector and nothing without one', () => {
    expect(labelSelectorMatcher({}).matches({ app: 'web' })).toBe(true);
    expect(labelSelectorMatcher(undefined).matches({ app: 'web' })).toBe(false);
    expect(labelSelectorMatcher(null).matches({})).toBe(false);
  });

  it('reads expressions', () => {
    const matcher = labelSelectorMatcher({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front', 'back'] },
        { key: 'legacy', operator: 'DoesNotExist' },
      ],
    });
    expect(matcher.toString()).toBe('app=web,!legacy,tier in (back,front)');
    expect(matcher.matches({ app: 'web', tier: 'back' })).toBe(true);
    expect(matcher.matches({ app: 'web', tier: 'back', legacy: 'yes' })).toBe(false);
  });

  it('names the field of a bad expression', () => {
    expect(() => labelSelectorMatcher({ matchExpressions: [{ key: 'tier', operator: 'In', values: [] }] })).toThrow(
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    );
    const operator = 'Near' as 'In';
    expect(() => labelSelectorMatcher({ matchExpressions: [{ key: 'tier', operator }] })).toThrow(
      '"Near" is not a valid label selector operator',
    );
  });

  it('accepts the string syntax, plain equalities and a LabelSelector alike', () => {
    expect(labelSelectorText('b,a=1')).toBe('a=1,b');
    expect(labelSelectorText({ b: '2', a: '1' })).toBe('a=1,b=2');
    expect(labelSelectorText({ matchLabels: { a: '1' } })).toBe('a=1');
    expect(labelSelectorText({ matchLabels: 'is-a-label' })).toBe('matchLabels=is-a-label');
  });

  it('turns a string into a LabelSelector object that selects the same', () => {
    expect(toLabelSelector('a=1,b!=2,c,!d,e in (x,y)')).toEqual({
      matchLabels: { a: '1' },
      matchExpressions: [
        { key: 'b', operator: 'NotIn', values: ['2'] },
        { key: 'c', operator: 'Exists' },
        { key: 'd', operator: 'DoesNotExist' },
        { key: 'e', operator: 'In', values: ['x', 'y'] },
      ],
    });
    expect(() => toLabelSelector('size>3')).toThrow('"gt" isn\'t supported in label selectors');
  });

  const key = fc.constantFrom('app', 'tier', 'example.com/zone');
  const value = fc.constantFrom('', 'a', 'b', '3', 'in');
  const selector = fc
    .array(
      fc.oneof(
        fc.tuple(key, fc.constantFrom('=', '==', '!='), value).map(parts => parts.join('')),
        fc
          .tuple(key, fc.constantFrom(' in ', ' notin '), fc.array(value, { minLength: 1 }))
          .map(([k, o, v]) => `${k}${o}(${v})`),
        key,
        key.map(name => `!${name}`),
      ),
    )
    .map(parts => parts.join(','));

  it('means the same after a round trip through its canonical form', () => {
    fc.assert(
      fc.property(selector, fc.dictionary(key, value), (text, labels) => {
        const matcher = labelMatcher(text);
        const again = labelMatcher(matcher.toString());
        expect(again.toString()).toBe(matcher.toString());
        expect(again.matches(labels)).toBe(matcher.matches(labels));
      }),
    );
  });
});
