import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GoError } from '../errors.ts';
import { encodeJson } from '../json/encode.ts';
import { deepEqual } from '../value/equal.ts';
import { fromHost, type HostValue } from '../value/host.ts';
import { parseYaml } from './decode.ts';
import { emitYaml } from './encode.ts';
import { emitYamlPretty } from './pretty.ts';

interface YamlCase {
  readonly yaml: string;
  readonly json?: string;
  readonly remarshal?: string;
  readonly pretty?: string;
  readonly error?: string;
}

/** Recorded by `oracle/`: what sigs.k8s.io/yaml and go-yaml v3 make of texts of our own. */
const cases = ['yaml', 'generated-yaml'].flatMap(name => {
  const fixture = readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8');
  return (JSON.parse(fixture) as { groups: { cases: YamlCase[] }[] }).groups.flatMap(group => group.cases);
});

function read(text: string): { json: string; remarshal?: string; pretty: string } | { error: string } {
  try {
    const value = parseYaml(text);
    return { json: encodeJson(value), ...written(value), pretty: emitYamlPretty(value).replace(/\n$/, '') };
  } catch (error) {
    if (error instanceof GoError) return { error: error.message };
    throw error;
  }
}

function written(value: ReturnType<typeof parseYaml>): { remarshal?: string } {
  try {
    return { remarshal: emitYaml(value) };
  } catch (error) {
    if (error instanceof GoError) return {};
    throw error;
  }
}

describe('YAML is read and written as Go does it', () => {
  it.each(
    cases.map(
      ({ yaml, json, remarshal, pretty, error }) =>
        [JSON.stringify(yaml), yaml, { json, remarshal, pretty, error }] as const,
    ),
  )('%s', (_, yaml, expected) => {
    expect({ json: undefined, remarshal: undefined, pretty: undefined, error: undefined, ...read(yaml) }).toEqual(
      expected,
    );
  });
});

describe('what is written can be read again', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme-composite' }).filter(text => !/[\u007f-\u009f\ufeff\ufffe\uffff]/.test(text)),
    fc.constantFrom(
      'yes',
      'no',
      '~',
      '1',
      '1.5',
      '0x1',
      '',
      ' ',
      '- a',
      'a: b',
      '#',
      'a #b',
      '|',
      '2020-01-01',
      'a\nb\n',
      '\n',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0),
    fc.boolean(),
    fc.constant(null),
  );
  const data = fc.letrec<{ node: HostValue }>(tie => ({
    node: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 8, unit: 'grapheme-ascii' }), tie('node'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    ),
  })).node;

  it('for any JSON value', () => {
    fc.assert(
      fc.property(data, host => {
        const value = fromHost(host);
        expect(deepEqual(parseYaml(emitYaml(value)), value)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('hostile YAML ends in an error', () => {
  it('when aliases multiply', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
        : `a${level}: &a${level} [${Array(9)
            .fill(`*a${level - 1}`)
            .join(',')}]`,
    );
    expect(() => parseYaml(levels.join('\n'))).toThrow('document contains excessive aliasing');
  });

  it('when brackets never end', () => {
    expect(() => parseYaml('['.repeat(100_000))).toThrow(/exceeded max depth|did not find expected/);
  });

  it('and never in anything else, for any text', () => {
    const piece = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&a',
      '*a',
      '!',
      '|',
      '>',
      "'",
      '"',
      '#',
      '\t',
      '  ',
      '---',
      '%',
      '\\',
      '1',
      '<<',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), pieces => {
        try {
          parseYaml(pieces.join(''));
        } catch (error) {
          if (!(error instanceof GoError)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });
});
