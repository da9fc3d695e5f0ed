import { describe, expect, it } from 'vitest';
import {
  define,
  defineWith,
  emitYaml,
  fromHost,
  GoError,
  GoMap,
  GoSlice,
  go,
  method,
  parseYaml,
  sprig,
  sprintf,
  Template,
  toHost,
  types,
  yamlFunctions,
} from './index.ts';

describe('the examples of the manual', () => {
  it('render a page', () => {
    const page = new Template('page', { functions: { ...sprig(), ...yamlFunctions } }).parse(
      '{{ range $name, $port := .ports }}{{ $name | quote }}: {{ $port }}\n{{ end }}',
    );
    expect(page.execute({ ports: { http: 80, https: 443 } })).toBe('"http": 80\n"https": 443\n');
  });

  it('add functions', () => {
    const functions = {
      times: define('int, string', (count, text) => text.repeat(count)),
      port: define('any', value => {
        if (value === null) throw new GoError('a port is required');
        return value;
      }),
    };
    const set = new Template('set', { functions });
    set.functions({
      include: defineWith('string, any', (execution, name, data) => set.include(execution, name, data)),
    });
    set.new('part').parse('<{{ times 2 . }}>');
    set.parse('{{ include "part" "ab" }} {{ port .port }}');
    expect(set.execute({ port: 80 })).toBe('<abab> 80');
    expect(() => set.execute({})).toThrow(
      'template: set:1:29: executing "set" at <port .port>: error calling port: a port is required',
    );
  });

  it('hand over a value with methods', () => {
    const versions: types.GoType = {
      name: 'common.VersionSet',
      kind: 'slice',
      elem: types.STRING,
      named: true,
      methods: { Has: method('string', (set: GoSlice, name) => set.items.includes(name)) },
    };
    const template = new Template('t').parse(
      '{{ .APIVersions.Has "apps/v1" }} {{ .APIVersions.Has "batch/v1" }} {{ .APIVersions }}',
    );
    expect(template.execute({ APIVersions: new GoSlice(['v1', 'apps/v1'], versions) })).toBe('true false [v1 apps/v1]');
  });
});

describe('the border to JavaScript', () => {
  it('keeps Go kinds apart', () => {
    const template = new Template('t', { functions: sprig() }).parse('{{ range . }}{{ typeOf . }}={{ . }} {{ end }}');
    expect(template.execute([1, 1n, go.int64(1), 'x', true, null, [1], { a: 1 }, new Uint8Array([1]), 1_000_000])).toBe(
      'float64=1 int=1 int64=1 string=x bool=true <nil>=<no value> []interface {}=[1] map[string]interface {}=map[a:1] []uint8=[1] float64=1e+06 ',
    );
  });

  it('gives plain JSON back', () => {
    const data = { a: [1, 'x', null, { b: true }] };
    expect(JSON.stringify(toHost(fromHost(data)))).toBe(JSON.stringify(data));
    expect(toHost(parseYaml('a: {y: 1}\nb: 0x10'))).toEqual({ a: { true: 1 }, b: 16 });
  });

  it('takes Maps as well as objects', () => {
    const value = fromHost(new Map([['__proto__', 1]]));
    expect(value).toBeInstanceOf(GoMap);
    expect(emitYaml(value)).toBe('__proto__: 1\n');
  });

  it('offers fmt on its own', () => {
    expect(sprintf('%05.1f|%-4s|%v|%d', [2.25, 'ab', fromHost({ b: 1, a: [true] }), 'x'])).toBe(
      '002.2|ab  |map[a:[true] b:1]|%!d(string=x)',
    );
  });
});
