import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DecodeError, parseJson, parseYaml } from './decode.ts';

const json = (text: string) => parseJson(Buffer.from(text));
const yaml = (text: string) => parseYaml(Buffer.from(text));

function reason(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return error.reason;
    throw error;
  }
  throw new Error('it was decoded');
}

describe('JSON', () => {
  test('keys that come twice are reported by path, and the last one counts', () => {
    expect(json('{"spec":{"replicas":1,"list":[{},{"a":1,"a":2}],"replicas":2,"replicas":3}}')).toEqual({
      value: { spec: { replicas: 3, list: [{}, { a: 2 }] } },
      problems: ['duplicate field "spec.list[1].a"', 'duplicate field "spec.replicas"'],
    });
  });

  test('colons and braces in text are text', () => {
    expect(json('{"a:{":"\\"}:","b":[":"]}')).toEqual({ value: { 'a:{': '"}:', b: [':'] }, problems: [] });
  });

  test('half a character becomes a replacement character, a whole one stays', () => {
    expect(json('{"a":"\\ud800","b":"\\ud83d\\ude00"}').value).toEqual({ a: '\ufffd', b: '😀' });
  });

  test('keys written differently are the same key', () => {
    expect(json('{"a":1,"\\u0061":2}').problems).toEqual(['duplicate field "a"']);
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
    ['x', `invalid character 'x' looking for beginning of value`],
    ['{a:1}', `invalid character 'a' looking for beginning of object key string`],
    ['{"a" 1}', `invalid character '1' after object key`],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', `invalid character '2' after array element`],
    ['{} {}', `invalid character '{' after top-level value`],
    ['{"a":nul}', `invalid character '}' in literal null (expecting 'l')`],
    ['{"a":-}', `invalid character '}' in numeric literal`],
    ['{"a":1.}', `invalid character '}' after decimal point in numeric literal`],
    ['"\\x"', `invalid character 'x' in string escape code`],
    ['"\n"', `invalid character '\\n' in string literal`],
  ])('%j is refused: %s', (text, expected) => {
    expect(reason(() => json(text))).toBe(expected);
  });

  test.each([
    ['{"a":[1,{"b":1e400}]}', '1e400'],
    ['{"1e999":"\\"1e999","a":2,"b":-1E+309}', '-1E+309'],
    [`{"a":"${'x'.repeat(3_000_000)}","b":1${'0'.repeat(309)}}`, `1${'0'.repeat(309)}`],
  ])('a number beyond all numbers is refused as it is written: %.40s', (text, literal) => {
    expect(reason(() => json(text))).toBe(`json: cannot unmarshal number ${literal} into Go value of type float64`);
  });

  test('a number that is nearly nothing is nothing', () => {
    expect(json('{"a":1e-400}').value).toEqual({ a: 0 });
  });

  test('a refusal shows the beginning of the body', () => {
    const message = (text: string): string => {
      try {
        return String(json(text));
      } catch (error) {
        return (error as Error).message;
      }
    };
    const prefix = `couldn't get version/kind; json parse error:`;
    expect(message('{"apiVersion":"example.com/v1",')).toBe(
      `${prefix} unexpected end of JSON input ({"apiVersion":"example.com/v1" ...)`,
    );
    expect(message('[')).toBe(`${prefix} unexpected end of JSON input (5b)`);
    expect(message('')).toBe(`${prefix} unexpected end of JSON input (<empty>)`);
  });

  test('what nests too deep is refused', () => {
    expect(reason(() => json('['.repeat(100_000)))).toBe('exceeded max depth');
    expect(json(`${'['.repeat(1000)}${']'.repeat(1000)}`).problems).toEqual([]);
  });

  test('any JSON comes back as it went in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(json(JSON.stringify(value))).toEqual({ value: JSON.parse(JSON.stringify(value)), problems: [] });
      }),
    );
  });

  test('any text is decoded or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:0-1.e\\u \n'.split('')) })),
        text => {
          try {
            json(text);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
            expect((error as DecodeError).reason).not.toBe('invalid JSON');
          }
        },
      ),
    );
  });
});

describe('YAML', () => {
  const cases: readonly [text: string, value: unknown][] = [
    ['a: 1\nb: [x, "2"]', { a: 1, b: ['x', '2'] }],
    ['a: yes\nb: off\nc: "yes"', { a: true, b: false, c: 'yes' }],
    ['a: 0777\nb: 0x10\nc: 1_000\nd: 1e3', { a: 511, b: 16, c: 1000, d: 1000 }],
    ['a: 2026-11-15\nb: 1:20', { a: '2026-11-15', b: '1:20' }],
    ['a: ~\nb:\nc: null', { a: null, b: null, c: null }],
    ['1: a\ntrue: b', { '1': 'a', true: 'b' }],
    ['a: !!str 1', { a: '1' }],
    ['a: |\n  x\n  y\nb: >-\n  x\n  y', { a: 'x\ny\n', b: 'x y' }],
    ['base: &b {x: 1, z: 2}\nc:\n  <<: *b\n  z: 3', { base: { x: 1, z: 2 }, c: { x: 1, z: 3 } }],
    ['{x: 1, y: 2}', { x: 1, true: 2 }],
    ['{"a": 1}', { a: 1 }],
    ['a: 1\n---\nb: 2', { a: 1 }],
    ['', null],
    ['cpu: 500m\nversion: 1.10', { cpu: '500m', version: 1.1 }],
    ['__proto__: 1', JSON.parse('{"__proto__":1}')],
  ];
  test.each(cases)('%j', (text, value) => {
    expect(yaml(text)).toEqual({ value, problems: [] });
  });

  test('a number beyond all numbers is text, also in JSON', () => {
    expect(yaml('a: 1e400').value).toEqual({ a: '1e400' });
    expect(yaml('{"a":-1e400}').value).toEqual({ a: '-1e400' });
  });

  test('keys that come twice are reported by line', () => {
    expect(yaml('spec:\n  a: 1\n  a: 2\n').problems).toEqual([
      'yaml: unmarshal errors:\n  line 3: key "a" already set in map',
    ]);
  });

  test('a few lines that stand for billions of nodes are refused', () => {
    const bomb = Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${Array(9).fill(i === 0 ? 'x' : `*a${i - 1}`)}]`);
    expect(reason(() => yaml(bomb.join('\n')))).toContain('document contains excessive aliasing');
  });

  test.each(['a: [1', 'a: b: c', '\ta: 1', 'a: *nowhere', 'a: .inf'])('%j is refused', text => {
    expect(reason(() => yaml(text))).toMatch(/^error converting YAML to JSON: yaml: /);
  });

  test('what nests too deep is refused', () => {
    expect(reason(() => yaml('['.repeat(20_000)))).toContain('error converting YAML to JSON');
    expect(reason(() => yaml(`a: ${'['.repeat(2_000)}${']'.repeat(2_000)}`))).toContain('exceeded max depth');
  });

  test('no text keeps it busy', () => {
    const hostile = [
      '&a '.repeat(20_000),
      'a: 1\n'.repeat(20_000),
      '- '.repeat(20_000),
      '---\n'.repeat(50_000),
      '#\n'.repeat(50_000),
    ];
    for (const text of hostile) expect(() => yaml(text)).not.toThrow(RangeError);
  });

  test('any text is decoded or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:-&*!|>a1 \n\t'.split('')) })),
        text => {
          try {
            yaml(text);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        },
      ),
    );
  });
});
