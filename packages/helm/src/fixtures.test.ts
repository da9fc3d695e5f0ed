import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadChart } from './chart/load.ts';
import { HelmError } from './errors.ts';
import { lintChart } from './lint/lint.ts';
import { lintText } from './lint/report.ts';
import { render } from './render/render.ts';
import { templateText } from './render/template-text.ts';
import type { Answer, AnsweredSuite, Case, ChartFiles } from './testing/cases.ts';
import { mergeValues } from './values/merge.ts';
import type { HelmVersion } from './version.ts';

/** Recorded by `oracle/`: what Helm 3 and Helm 4 print for charts of our own. */
const fixtures = new URL('../fixtures/', import.meta.url);
const suites = readdirSync(fixtures).map(file => ({
  name: file.replace('.json', ''),
  suite: JSON.parse(readFileSync(new URL(file, fixtures), 'utf8')) as AnsweredSuite,
}));

const work = mkdtempSync(join(tmpdir(), 'capstan-helm-'));
afterAll(() => rmSync(work, { recursive: true }));

/** The folder of a chart, written where it is not there yet. */
function folderOf(name: string, files: ChartFiles): string {
  const chart = join(work, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(chart, file)), { recursive: true });
    writeFileSync(join(chart, file), text);
  }
  return chart;
}

async function answer(chart: string, test: Case, helm: HelmVersion): Promise<Answer> {
  try {
    const values = mergeValues({
      helm,
      files: (test.values ?? []).map((text, index) => ({ name: `values-${index}.yaml`, text })),
      ...pick(test, ['set', 'setString', 'setJson', 'setLiteral']),
    });
    if (test.lint)
      return {
        output: lintText(await lintChart(chart, { helm, values }))
          .replaceAll(chart, '/chart')
          .trimEnd(),
      };
    const rendered = render(await loadChart(chart, { helm }), {
      helm,
      values,
      release: { name: 'rel', namespace: 'ns', isUpgrade: test.isUpgrade ?? false },
      extraApiVersions: test.apiVersions ?? [],
      ...pick(test, ['kubeVersion', 'includeCrds']),
    });
    return { output: templateText(rendered, { helm, ...pick(test, ['noHooks', 'skipTests', 'showOnly']) }) };
  } catch (error) {
    if (error instanceof HelmError) return { error: error.message.trimEnd() };
    throw error;
  }
}

function pick<K extends keyof Case>(test: Case, keys: readonly K[]): Pick<Case, K> {
  return Object.fromEntries(keys.filter(key => key in test).map(key => [key, test[key]])) as Pick<Case, K>;
}

for (const { name, suite } of suites) {
  describe(`${name}, as Helm answers it`, () => {
    for (const test of suite.cases) {
      const folder = folderOf(`${name}-${test.chart}`, suite.charts[test.chart]!);
      it(`${test.name} (3)`, async () => expect(await answer(folder, test, 3)).toEqual(test.helm3));
      it(`${test.name} (4)`, async () => expect(await answer(folder, test, 4)).toEqual(test.helm4));
    }
  });
}
