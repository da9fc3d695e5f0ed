/** Runs the test files that charts carry for the helm-unittest plugin, as far as charts we know use them. */

import { parseYaml, toHost } from '@capstan/gotemplate';
import type { Chart } from '../chart/chart.ts';
import { render } from '../render/render.ts';
import { emptyValues, isTable, type MutableValues, type Values, type ValuesNode } from '../values/values.ts';

interface Assertion {
  readonly [name: string]: { readonly path?: string; readonly value?: unknown; readonly content?: unknown } & {
    readonly count?: number;
    readonly of?: string;
    readonly pattern?: string;
  };
}

export interface ChartTest {
  readonly it: string;
  readonly set?: Readonly<Record<string, ValuesNode>>;
  readonly template?: string;
  readonly documentIndex?: number;
  readonly capabilities?: {
    readonly majorVersion?: number;
    readonly minorVersion?: number;
    readonly apiVersions?: string[];
  };
  readonly asserts: readonly Assertion[];
}

export interface ChartTestSuite {
  readonly suite: string;
  readonly templates?: readonly string[];
  readonly tests: readonly ChartTest[];
}

export function readSuite(text: string): ChartTestSuite {
  return toHost(parseYaml(text)) as unknown as ChartTestSuite;
}

/** What is wrong, a sentence for each assertion that does not hold. */
export function runChartTest(chart: Chart, suite: ChartTestSuite, test: ChartTest): string[] {
  const { majorVersion = 1, minorVersion, apiVersions } = test.capabilities ?? {};
  const rendered = render(chart, {
    values: expanded(test.set ?? {}),
    release: { name: 'RELEASE-NAME', namespace: 'NAMESPACE' },
    ...(minorVersion !== undefined && { kubeVersion: `${majorVersion}.${minorVersion}.0` }),
    ...(apiVersions && { extraApiVersions: apiVersions }),
  });
  const wanted = (test.template ? [test.template] : (suite.templates ?? [])).map(name => `templates/${name}`);
  const documents = [
    ...rendered.manifests.map(({ path, content }) => ({ path, content })),
    ...rendered.hooks.map(({ path, manifest }) => ({ path, content: manifest })),
  ]
    .filter(({ path }) => wanted.length === 0 || wanted.some(name => path.endsWith(`/${name}`)))
    .map(({ content }) => toHost(parseYaml(content)))
    // A document of nothing but comments is none.
    .filter(document => document !== null);
  const chosen = test.documentIndex === undefined ? documents : [documents[test.documentIndex]];
  return test.asserts.flatMap(assertion =>
    Object.entries(assertion).flatMap(([name, expected]) => {
      const problem = check(name, expected, chosen);
      return problem === undefined ? [] : [`${name}: ${problem}`];
    }),
  );
}

/** `a.b: 1` is `{ a: { b: 1 } }`. */
function expanded(set: Readonly<Record<string, ValuesNode>>): Values {
  const values = emptyValues();
  for (const [path, value] of Object.entries(set)) {
    const keys = keysOf(path);
    let table: MutableValues = values;
    for (const key of keys.slice(0, -1)) {
      const inner = table[key];
      const next = isTable(inner) ? inner : emptyValues();
      table[key] = next;
      table = next;
    }
    table[keys.at(-1)!] = value;
  }
  return values;
}

/** `a.b[0]["c.d"]` into its keys. */
function keysOf(path: string): string[] {
  return [...path.matchAll(/\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]|((?:\\.|[^.[\\])+)/g)].map(
    match => match[1] ?? match[2] ?? match[3] ?? match[4]!.replaceAll('\\', ''),
  );
}

function at(document: unknown, path: string): unknown {
  let node = document;
  for (const key of keysOf(path)) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

const text = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const same = (left: unknown, right: unknown): boolean => text(left) === text(right);

function check(name: string, expected: Assertion[string], documents: readonly unknown[]): string | undefined {
  const found = () => documents.map(document => at(document, expected.path ?? ''));
  const every = (holds: (value: unknown) => boolean, wanted: string) => {
    if (documents.length === 0) return 'there is no document';
    const wrong = found().find(value => !holds(value));
    return found().every(holds) ? undefined : `${expected.path} is ${text(wrong)}, not ${wanted}`;
  };
  const includes = (list: unknown) => Array.isArray(list) && list.some(item => same(item, expected.content));
  switch (name) {
    case 'hasDocuments':
      return documents.length === expected.count ? undefined : `${documents.length} documents, not ${expected.count}`;
    case 'isKind': {
      const kinds = documents.map(document => at(document, 'kind'));
      return kinds.every(kind => kind === expected.of) && kinds.length > 0
        ? undefined
        : `${text(kinds)}, not ${expected.of}`;
    }
    case 'equal':
      return every(value => same(value, expected.value), text(expected.value));
    case 'exists':
      return every(value => value !== undefined, 'there');
    case 'notExists':
      return every(value => value === undefined, 'absent');
    case 'contains':
      return every(includes, `with ${text(expected.content)}`);
    case 'notContains':
      return every(list => !includes(list), `without ${text(expected.content)}`);
    case 'matchRegex':
      return every(value => typeof value === 'string' && new RegExp(expected.pattern!).test(value), expected.pattern!);
    default:
      return 'an assertion this runner does not know';
  }
}
