import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFiles } from '../chart/load.ts';
import { HelmError } from '../errors.ts';
import { render } from '../render/render.ts';
import { parseIndex } from '../repository/index-file.ts';
import { coalesceValues } from './coalesce.ts';
import { mergeValues } from './merge.ts';
import { parseValues } from './read.ts';
import { applySet, type SetKind } from './set-parser.ts';
import { copyValues, emptyValues, toJson, type Values } from './values.ts';

const kinds: readonly SetKind[] = ['set', 'set-string', 'set-json', 'set-file', 'set-literal'];

/** Texts that look like what the parser is for, and so get deeper into it than noise. */
const setText = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b.c', 'x[0]', '[', ']', '=', ',', '.', '{', '}', '\\', 'null', '1', '"', '[65535]', ' '),
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'é', '😀'),
      fc.string({ maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map(parts => parts.join(''));

const values: fc.Arbitrary<Values> = fc.dictionary(
  fc.constantFrom('a', 'b', 'child', 'global', '__proto__', 'constructor'),
  fc.letrec(tie => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'nested', '__proto__'), tie('node'), { maxKeys: 3 }),
    ),
  })).node as fc.Arbitrary<Values[string]>,
);

const chart = await loadFiles({
  'Chart.yaml': 'name: parent\nversion: 1.0.0',
  'values.yaml': 'a: {nested: 1, gone: null}\nb: [1]\nglobal: {a: 1}',
  'templates/a.yaml': 'values: {{ .Values | toJson | quote }}',
  'charts/child/Chart.yaml': 'name: child\nversion: 1.0.0',
  'charts/child/values.yaml': 'a: 1\nb: {nested: {a: null}}\nglobal: {b: 2}',
});

/** Every failure must be one of ours, with words. */
function attempted(step: () => unknown): void {
  try {
    step();
  } catch (error) {
    expect(error).toBeInstanceOf(HelmError);
  }
}

function unpolluted(): void {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

describe('any text', () => {
  it('as --set of every kind ends in values or an error of ours', () => {
    fc.assert(
      fc.property(setText, fc.constantFrom(...kinds), (text, kind) => {
        attempted(() => applySet(text, kind, emptyValues()));
        unpolluted();
      }),
      { numRuns: 3_000 },
    );
  });

  it('as an index ends in an index or an error of ours', () => {
    const line = fc.constantFrom(
      'apiVersion: v1',
      'entries:',
      '  a:',
      '  - name: a',
      '    version: 1.0.0',
      '    urls: [x]',
      '- ',
      '{',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string({ maxLength: 8 })), { maxLength: 12 }), lines => {
        attempted(() => parseIndex(lines.join('\n')));
      }),
    );
  });

  it('as Chart.yaml and values.yaml ends in a chart or an error of ours', async () => {
    const line = fc.constantFrom(
      'name: a',
      'version: 1.0.0',
      'dependencies:',
      '- name: x',
      '  alias: y',
      'a: &a [*a]',
      'type: 1',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(line, fc.string({ maxLength: 8 })), { maxLength: 8 }), async lines => {
        const text = lines.join('\n');
        const outcome = await loadFiles({ 'Chart.yaml': text, 'values.yaml': text }).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(HelmError);
      }),
    );
  });
});

describe('any values', () => {
  it('go over a chart without changing what was given, or end in an error of ours', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(3 as const, 4 as const), (given, helm) => {
        const before = JSON.stringify(given);
        attempted(() => render(chart, { values: given, helm }));
        expect(JSON.stringify(given)).toBe(before);
        unpolluted();
      }),
      { numRuns: 300 },
    );
  });

  it('give the same when they are coalesced again', () => {
    fc.assert(
      fc.property(values, given => {
        attempted(() => {
          const once = coalesceValues(chart, given, { helm: 4 });
          const settled = coalesceValues(chart, once, { helm: 4 });
          expect(toJson(coalesceValues(chart, settled, { helm: 4 }))).toEqual(toJson(settled));
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('values', () => {
  it('hold what other languages would take for the prototype as plain data', () => {
    const read = parseValues('__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 1}}');
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(copyValues(read))).toEqual(['__proto__', 'constructor']);
    mergeValues({ values: [read], set: ['__proto__.polluted=1', 'constructor.prototype.polluted=1'] });
    unpolluted();
  });

  it('of --set-file come from the files named', () => {
    const merged = mergeValues({ setFile: ['a=one.txt,b={two.txt}'], readFile: path => `contents of ${path}` });
    expect(toJson(merged)).toEqual({ a: 'contents of one.txt', b: ['contents of two.txt'] });
    expect(() => mergeValues({ setFile: ['a=x'] })).toThrow('failed parsing --set-file data: open x');
  });

  it('that refer to a schema elsewhere are refused, and nothing is fetched', async () => {
    const files = {
      'Chart.yaml': 'name: a\nversion: 1.0.0',
      'values.schema.json': '{"$ref": "https://example.com/x.json"}',
    };
    const remote = await loadFiles(files);
    expect(() => render(remote)).toThrow("can't resolve reference https://example.com/x.json");
  });

  it('are checked by patterns in linear time', async () => {
    const schema = '{"properties": {"a": {"pattern": "^(a+)+$"}}}';
    const slow = await loadFiles({ 'Chart.yaml': 'name: a\nversion: 1.0.0', 'values.schema.json': schema });
    expect(() => render(slow, { values: { a: `${'a'.repeat(5_000)}b` } })).toThrow('does not match pattern');
  });
});
