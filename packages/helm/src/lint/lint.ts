/** `helm lint`: looks for mistakes in a chart without installing it. */

import { readFile, stat } from 'node:fs/promises';
import { GoMap, parseYaml } from '@capstan/gotemplate';
import { Allowance, unpackArchive } from '../chart/archive.ts';
import { assembleChart, textOf } from '../chart/assemble.ts';
import { type Chart, type ChartFile, crdsOf } from '../chart/chart.ts';
import { readDirectory } from '../chart/directory.ts';
import { defaultChartLimits } from '../chart/limits.ts';
import { HelmError } from '../errors.ts';
import { parseKubeVersion } from '../render/capabilities.ts';
import { splitManifests } from '../render/manifests.ts';
import { fillTable } from '../values/coalesce.ts';
import { parseValues } from '../values/read.ts';
import { schemaViolations } from '../values/schema.ts';
import { copyValues, emptyValues, type Values } from '../values/values.ts';
import { defaultHelmVersion, type HelmVersion } from '../version.ts';
import { lintChartfile } from './chartfile-rules.ts';
import { type Finding, Report } from './report.ts';
import { lintTemplates, objectOf } from './template-rules.ts';

export interface LintOptions {
  readonly values?: Values;
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly skipSchemaValidation?: boolean;
  readonly helm?: HelmVersion;
}

/**
 * What is wrong with the chart in a folder or an archive, in Helm's words and order.
 *
 * ```ts
 * const findings = await lintChart('./shop');
 * const failed = findings.some(finding => finding.severity === 'ERROR');
 * ```
 */
export async function lintChart(path: string, options: LintOptions = {}): Promise<readonly Finding[]> {
  const allowance = new Allowance(defaultChartLimits);
  const folder = (await stat(path)).isDirectory();
  const files = folder ? await readDirectory(path, allowance) : await unpackArchive(await readFile(path), allowance);
  return lintFiles(files, path, allowance, options);
}

async function lintFiles(
  files: readonly ChartFile[],
  path: string,
  allowance: Allowance,
  options: LintOptions,
): Promise<readonly Finding[]> {
  const helm = options.helm ?? defaultHelmVersion;
  const chartfile = files.find(file => file.name === 'Chart.yaml');
  if (!chartfile) {
    throw new HelmError('ChartInvalid', 'unable to check Chart.yaml file in chart: Chart.yaml file is missing');
  }
  const report = new Report();
  lintChartfile(report, textOf(chartfile), helm);
  lintValues(report, files, options, helm);
  const loaded = await assembleChart(files, {
    helm,
    unpack: data => unpackArchive(data, allowance),
    depth: allowance.limits.depth,
  }).catch((error: Error) => error);
  if (!files.some(file => file.name.startsWith('templates/'))) {
    if (helm === 4) report.check('WARNING', 'templates/', 'directory does not exist');
    else if (loaded instanceof Error) report.check('ERROR', 'templates/', loaded.message);
  } else if (loaded instanceof Error) report.check('ERROR', 'templates/', loaded.message);
  else {
    lintTemplates(report, loaded, {
      helm,
      values: copyValues(options.values ?? {}),
      namespace: options.namespace ?? 'default',
      kubeVersion: options.kubeVersion === undefined ? undefined : parseKubeVersion(options.kubeVersion, helm),
      skipSchemaValidation: options.skipSchemaValidation ?? false,
    });
  }
  lintDependencies(report, loaded, path);
  if (helm === 4 && !(loaded instanceof Error)) lintCrds(report, loaded);
  return report.findings;
}

function lintValues(report: Report, files: readonly ChartFile[], options: LintOptions, helm: HelmVersion): void {
  const file = files.find(each => each.name === 'values.yaml');
  if (!file) {
    report.check('INFO', 'values.yaml', 'file does not exist');
    return;
  }
  let values: Values;
  try {
    values = parseValues(textOf(file), 3);
  } catch (error) {
    report.check('ERROR', 'values.yaml', `unable to parse YAML: ${(error as Error).message}`);
    return;
  }
  const schema = files.find(each => each.name === 'values.schema.json');
  if (!schema || (options.skipSchemaValidation && helm === 4)) return;
  const quiet = { merge: false, warn: () => {} };
  const all = fillTable(fillTable(emptyValues(), options.values ?? {}, quiet), values, quiet);
  report.check('ERROR', 'values.yaml', schemaViolations(schema.data, all) || undefined);
}

function lintDependencies(report: Report, loaded: Chart | Error, path: string): void {
  if (loaded instanceof Error) {
    report.check('ERROR', '', `unable to load chart\n\t${loaded.message}`);
    return;
  }
  const wanted = (loaded.metadata.dependencies ?? []).map(entry => entry.name);
  const present = loaded.dependencies.map(child => child.metadata.name);
  const unnamed = present.filter(name => !wanted.includes(name));
  const absent = wanted.filter(name => !present.includes(name));
  const names = (list: readonly string[], words: string) =>
    list.length > 0 ? `${words} ${list.join(',')}` : undefined;
  report.check('ERROR', path, names(unnamed, 'chart metadata is missing these dependencies:'));
  report.check('WARNING', path, names(absent, 'chart directory is missing these dependencies:'));
}

function lintCrds(report: Report, chart: Chart): void {
  const decoder = new TextDecoder();
  for (const crd of crdsOf(chart)) {
    for (const document of splitManifests(decoder.decode(crd.data), 4)) {
      try {
        const root = parseYaml(document);
        if (!(root instanceof GoMap)) continue;
        const { apiVersion, kind } = objectOf(root);
        if (!apiVersion.startsWith('apiextensions.k8s.io')) {
          report.check('ERROR', crd.name, "apiVersion is not in 'apiextensions.k8s.io'");
        }
        if (kind !== 'CustomResourceDefinition') {
          report.check('ERROR', crd.name, "object kind is not 'CustomResourceDefinition'");
        }
      } catch (error) {
        report.check('ERROR', crd.name, `unable to parse YAML: ${(error as Error).message}`);
        return;
      }
    }
  }
}
