import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadChart, loadFiles } from '../chart/load.ts';
import { readSuite, runChartTest } from './chart-tests.ts';

describe('the runner of test files that charts carry', async () => {
  const chart = await loadFiles({
    'Chart.yaml': 'name: tiny\nversion: 1.0.0',
    'values.yaml': 'replicas: 1',
    'templates/a.yaml': 'kind: Deployment\nspec: {replicas: {{ .Values.replicas }}, args: [a, b]}',
  });
  const suite = readSuite('suite: tiny\ntemplates: [a.yaml]\ntests: []');
  const run = (asserts: string, set = '{}') =>
    runChartTest(chart, suite, readSuite(`tests: [{it: x, set: ${set}, asserts: ${asserts}}]`).tests[0]!);

  it('says nothing where all holds', () => {
    expect(run('[{isKind: {of: Deployment}}, {equal: {path: spec.replicas, value: 1}}]')).toEqual([]);
    expect(run('[{equal: {path: spec.replicas, value: 3}}]', '{replicas: 3}')).toEqual([]);
    expect(run('[{contains: {path: spec.args, content: b}}, {hasDocuments: {count: 1}}]')).toEqual([]);
  });

  it('says what does not', () => {
    expect(run('[{equal: {path: spec.replicas, value: 2}}]')).toEqual(['equal: spec.replicas is 1, not 2']);
    expect(run('[{notExists: {path: spec.args}}]')).toEqual(['notExists: spec.args is ["a","b"], not absent']);
    expect(run('[{unheardOf: {}}]')).toEqual(['unheardOf: an assertion this runner does not know']);
  });
});

const charts = process.env.CAPSTAN_CHARTS;
const folder = charts === undefined ? '' : join(charts, 'ingress-nginx');

describe.skipIf(!existsSync(join(folder, 'tests')))(
  'the tests of ingress-nginx (set CAPSTAN_CHARTS to a folder with the chart to run them)',
  () => {
    const chart = folder === '' ? undefined : loadChart(folder);
    for (const file of folder === '' ? [] : globSync('tests/**/*_test.yaml', { cwd: folder })) {
      const suite = readSuite(readFileSync(join(folder, file), 'utf8'));
      for (const test of suite.tests) {
        it(`${suite.suite}: ${test.it}`, async () => {
          expect(runChartTest((await chart)!, suite, test)).toEqual([]);
        });
      }
    }
  },
);
