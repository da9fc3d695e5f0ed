import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExecError, LimitError, ParseError } from './errors.ts';
import { Template } from './template.ts';
import { functions } from './testing/functions.ts';
import { defineWith } from './value/function.ts';
import { toHost } from './value/host.ts';
import { GoMap } from './value/values.ts';

const all = functions();
const make = (text: string) => new Template('test', { functions: all }).parse(text);
const run = (text: string, data: object | null = {}) => make(text).execute(data as never);

describe('a set of templates', () => {
  it('shares definitions between associated templates', () => {
    const root = new Template('root').parse('{{ define "greet" }}Hello {{ . }}{{ end }}');
    root.new('page').parse('{{ template "greet" .name }}!');
    expect(root.executeTemplate('page', { name: 'Ada' })).toBe('Hello Ada!');
    expect(root.templates().sort()).toEqual(['greet', 'page', 'root']);
  });

  it('lets the later definition win, unless it is empty', () => {
    const root = new Template('root').parse('{{ template "x" }}');
    root.new('one').parse('{{ define "x" }}one{{ end }}');
    root.new('two').parse('{{ define "x" }}two{{ end }}');
    root.new('three').parse('{{ define "x" }}  {{/* nothing */}}{{ end }}');
    expect(root.execute(null)).toBe('two');
  });

  it('keeps a clone apart from its original', () => {
    const root = new Template('root').parse('{{ template "x" }}');
    root.new('one').parse('{{ define "x" }}one{{ end }}');
    const clone = root.clone();
    clone.new('two').parse('{{ define "x" }}two{{ end }}');
    expect([root.execute(null), clone.execute(null)]).toEqual(['one', 'two']);
  });

  it('runs what it was given to parse, even where the set has another template of its name', () => {
    const root = new Template('root').parse('first');
    const again = root.new('root').parse('second');
    const blank = root.new('root').parse('  ');
    expect([root.execute(null), again.execute(null), blank.execute(null)]).toEqual(['first', 'second', '  ']);
    expect(root.executeTemplate('root', null)).toBe('second');
  });

  it('runs a text made up while rendering, as tpl does', () => {
    const root = new Template('root', { functions: all });
    root.functions({
      tpl: defineWith('string, any', (execution, text, data) =>
        root.clone().new('tpl').parse(text).executeIn(execution, data),
      ),
    });
    root.new('part').parse('[{{ . }}]');
    root
      .new('page')
      .parse(
        '{{ tpl "{{ template \\"part\\" .x }}{{ define \\"part\\" }}({{ . }}){{ end }}" . }}{{ template "part" .x }}',
      );
    expect(root.executeTemplate('page', { x: 1 })).toBe('(1)[1]');
  });

  it('names a template that is not there', () => {
    expect(() => new Template('a').executeTemplate('b', null)).toThrow(
      'template: no template "b" associated with template "a"',
    );
    expect(() => new Template('a').execute(null)).toThrow('template: a: "a" is an incomplete or empty template');
  });

  it('finds out that a cached text names a function this set does not have', () => {
    const text = '{{ upper "cached" }}';
    expect(new Template('cache', { functions: all }).parse(text).execute(null)).toBe('CACHED');
    expect(() => new Template('cache').parse(text)).toThrow(
      new ParseError('template: cache:1: function "upper" not defined'),
    );
  });

  it('reports a failure inside include as the failure of include', () => {
    const root = new Template('root', { functions: all });
    root.functions({
      include: defineWith('string, any', (execution, name, data) => root.include(execution, name, data)),
    });
    root.new('inner').parse('\n  {{ .a.b.c }}');
    root.new('outer').parse('{{ include "inner" . }}');
    expect(() => root.executeTemplate('outer', { a: { b: 'text' } })).toThrow(
      new ExecError(
        'outer',
        'template: outer:1:3: executing "outer" at <include "inner" .>: error calling include: ' +
          `template: inner:2:7: executing "inner" at <.a.b.c>: can't evaluate field c in type interface {}`,
      ),
    );
  });

  it('changes the data of its host only through maps the host handed over', () => {
    const shared = new GoMap([['n', 1]]);
    run('{{ $_ := set .shared "n" 2 }}', { shared });
    expect(toHost(shared)).toEqual({ n: 2 });
  });
});

describe('data from the host', () => {
  it('has no prototype to reach for', () => {
    const data = JSON.parse('{"__proto__": {"polluted": true}, "constructor": "c"}');
    expect(run('{{ .__proto__.polluted }} {{ .constructor }} {{ .toString }} {{ .valueOf }}', data)).toBe(
      'true c <no value> <no value>',
    );
    expect(run('{{ $d := dict "__proto__" (dict "x" 1) }}{{ toJson $d }} {{ $d.x }}')).toBe(
      '{"__proto__":{"x":1}} <no value>',
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('offers no method that Go would not have', () => {
    expect(() => run('{{ .list.push 1 }}', { list: [1] })).toThrow(`can't evaluate field push in type interface {}`);
    expect(() => run('{{ "x".length }}')).toThrow('unexpected . after term');
  });
});

describe('a hostile template ends in a LimitError', () => {
  const recursive = '{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}';
  const doubling = (levels: number) => `{{ $x := "0123456789" }}${`{{ $x = print $x $x }}`.repeat(levels)}{{ len $x }}`;
  const laughs = (use: string) =>
    `{{ $x := list 1 2 3 4 5 6 7 8 9 10 }}${'{{ $x = list $x $x $x $x $x $x $x $x $x $x }}'.repeat(12)}{{ ${use} }}`;
  const cycle = (use: string) => `{{ $d := dict }}{{ $_ := set $d "self" $d }}{{ ${use} }}`;

  it.each([
    ['that recurses', recursive],
    [
      'that recurses through if and range',
      '{{ define "r" }}{{ range . }}{{ if . }}{{ template "r" $ }}{{ end }}{{ end }}{{ end }}{{ template "r" (list 1) }}',
    ],
    ['that loops', '{{ range 100000000 }}{{ end }}'],
    ['that loops in loops', '{{ range 100000 }}{{ range 100000 }}{{ end }}{{ end }}'],
    ['that writes without end', '{{ range 100000000 }}0123456789012345678901234567890123456789{{ end }}'],
    ['that repeats text', '{{ repeat 1000000000 "x" }}'],
    ['that doubles text', doubling(60)],
    ['that replaces nothing with much', '{{ $x := repeat 1000000 "a" }}{{ replace "a" $x $x }}'],
    ['that indents far', '{{ indent 1000000000 "x" }}'],
    ['that makes long lists', '{{ until 1000000000 }}'],
    ['that counts far', '{{ seq 1 1000000000 }}'],
    ['that steps far', '{{ untilStep 0 1000000000 1 }}'],
    ['that asks for random text', '{{ randAlphaNum 1000000000 }}'],
    ['that asks for random bytes', '{{ randBytes 1000000000 }}'],
    ['that hashes passwords', '{{ range 1000000 }}{{ bcrypt "x" }}{{ end }}'],
    ['that makes keys', '{{ range 1000000 }}{{ genPrivateKey "rsa" }}{{ end }}'],
    ['that prints a value within itself', cycle('print $d')],
    ['that encodes a value within itself', cycle('toJson $d')],
    ['that copies a value within itself', cycle('deepCopy $d')],
    [
      'that compares values within themselves',
      `{{ $e := dict }}{{ $_ := set $e "self" $e }}${cycle('deepEqual $d $e')}`,
    ],
    ['that prints a small value of endless size', laughs('print $x')],
    ['that encodes a small value of endless size', laughs('toJson $x')],
    ['that writes YAML of endless size', laughs('toYaml $x')],
    ['that copies a small value of endless size', laughs('deepCopy $x')],
    ['that searches lists of lists', '{{ $l := until 30000 }}{{ range 100 }}{{ uniq $l }}{{ end }}'],
  ])('%s', (_, text) => {
    const template = make(text);
    const limits = { steps: 500_000, memory: 64 * 1024 * 1024, output: 1024 * 1024 };
    expect(() => template.execute({}, { limits })).toThrow(/exceeded|nested too deeply|too large/);
  });

  it('that nests parentheses or lists too deep to parse', () => {
    const deep = `{{ ${'('.repeat(50_000)}1${')'.repeat(50_000)} }}`;
    expect(() => make(deep)).toThrow(/max expression depth exceeded|nested too deeply/);
    expect(() => make('{{ if 1 }}'.repeat(50_000))).toThrow(/unexpected EOF|nested too deeply/);
  });

  it.each([
    ['slashes', '{{ base .x }} {{ dir .x }}', `${'/'.repeat(300_000)}x`],
    ['digits', '{{ float64 .x }} {{ int64 .x }} {{ atoi .x }} {{ toYaml .x | len }}', `${'1'.repeat(300_000)}x`],
    ['zeros', '{{ int64 .x }} {{ duration .x }} {{ durationRound .x }}', `1.${'0'.repeat(300_000)}x`],
    ['dollars', '{{ expandenv .x | len }}', '${'.repeat(150_000)],
    ['PEM starts', '{{ buildCustomCert (b64enc .x) (b64enc .x) }}', '-----BEGIN A-----\n'.repeat(20_000)],
    [
      'spaces',
      '{{ trim .x | len }} {{ nospace .x | len }} {{ toYaml .x | len }} {{ fromYaml .x | len }}',
      `${' '.repeat(300_000)}x`,
    ],
    [
      'a bad pattern for backtracking',
      '{{ regexMatch "^(a+)+$" .x }} {{ regexReplaceAll "(a|aa)+$" .x "" | len }}',
      `${'a'.repeat(30_000)}b`,
    ],
  ])('or is merely slow to tempt: %s take linear time', (_, text, x) => {
    const template = make(text);
    try {
      template.execute({ x });
    } catch (error) {
      if (!(error instanceof ExecError || error instanceof LimitError)) throw error;
    }
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{{-',
    '-}}',
    ' ',
    '\n',
    '.',
    '.a',
    '$',
    '$x',
    ':=',
    '=',
    '|',
    '(',
    ')',
    ',',
    '"s"',
    '`r`',
    "'c'",
    '1',
    '1.5',
    '1i',
    'nil',
    'true',
    'if ',
    'else',
    'else if ',
    'end',
    'range ',
    'with ',
    'define "d"',
    'template "d"',
    'block "b" .',
    'break',
    'continue',
    'print ',
    'len ',
    'index ',
    'upper ',
    'list ',
    'dict ',
    'toYaml ',
    '/*',
    '*/',
    'é',
    '"',
    '\\',
    'x',
  );

  it('is refused or rendered, never more than that', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), pieces => {
        try {
          new Template('fuzz', { functions: all })
            .parse(pieces.join(''))
            .execute({ a: { a: [1, 'x', null] } }, { limits: { steps: 10_000 } });
        } catch (error) {
          if (!(error instanceof ParseError || error instanceof ExecError || error instanceof LimitError)) throw error;
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('without delimiters is its own rendering', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }).filter(text => !text.includes('{{')),
        text => {
          expect(run(text.toWellFormed())).toBe(text.toWellFormed());
        },
      ),
    );
  });
});
