import { describe, expect, it } from 'vitest';
import { decodeFields, encodeFields } from './fields-v1.ts';

const keys = (value: object): string[] => Object.keys(value);

describe('FieldsV1', () => {
  it('is written in the order of Go: fields, keys, values, each by what it holds', () => {
    const set = {
      'v:2': {},
      'v:10': {},
      'k:{"port":443}': {},
      'k:{"port":80}': {},
      'f:b': {},
      'f:a': { 'f:x': {}, '.': {} },
    };
    const encoded = encodeFields(set);
    expect(keys(encoded)).toEqual(['f:a', 'f:b', 'k:{"port":80}', 'k:{"port":443}', 'v:2', 'v:10']);
    expect(keys(encoded['f:a']!)).toEqual(['.', 'f:x']);
  });

  it('sorts fields by their UTF-8 bytes, which is not the order of JavaScript', () => {
    expect(keys(encodeFields({ 'f:😀': {}, 'f:\uffee': {}, 'f:é': {}, 'f:z': {} }))).toEqual([
      'f:z',
      'f:é',
      'f:\uffee',
      'f:😀',
    ]);
  });

  it('is given back as it came when it is in order', () => {
    const set = Object.freeze({ 'f:a': Object.freeze({ '.': Object.freeze({}), 'f:b': Object.freeze({}) }) });
    expect(decodeFields(set)).toBe(set);
    expect(decodeFields(set)).toBe(set);
  });

  it('brings keys and values into one form', () => {
    expect(decodeFields({ 'k:{"protocol": "TCP", "port": 80.0}': {}, 'v: "x"': {}, 'v:1.50': {} })).toEqual({
      'k:{"port":80,"protocol":"TCP"}': {},
      'v:"x"': {},
      'v:1.5': {},
    });
  });

  it('drops steps of a kind that it does not know', () => {
    expect(decodeFields({ 'f:a': { 'x:y': {} }, 'x:z': {} })).toEqual({ 'f:a': {} });
  });

  it('never owns the whole object', () => {
    expect(decodeFields({ '.': {}, 'f:a': { '.': {} } })).toEqual({ 'f:a': {} });
  });

  it.each([
    [{ spec: {} }, 'missing colon: spec'],
    [{ f: {} }, 'key must be 2 characters long:'],
    [{ 'k:[]': {} }, 'expect { or n, but found ['],
    [{ 'v:{': {} }, 'invalid JSON: {'],
    [{ 'i:x': {} }, 'strconv.Atoi: parsing "x": invalid syntax'],
    [{ 'f:a': 1 }, 'expect { or n'],
    ['text', 'expect { or n'],
  ])('refuses %j', (fields, message) => {
    expect(() => decodeFields(fields)).toThrow(message);
  });
});
