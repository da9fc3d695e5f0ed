/** Rules for templates: they render, and what they give looks like Kubernetes objects. */

import { GoMap, GoSlice, parseYaml, type Value } from '@capstan/gotemplate';
import { textOf } from '../chart/assemble.ts';
import type { Chart, ChartFile } from '../chart/chart.ts';
import { processDependencies } from '../dependencies/process.ts';
import { defaultApiVersions } from '../render/api-versions.ts';
import { defaultKubeVersion, type KubeVersion } from '../render/capabilities.ts';
import { capabilitiesObject, releaseObject } from '../render/cluster-objects.ts';
import { runTemplates } from '../render/engine.ts';
import { splitManifests } from '../render/manifests.ts';
import { renderables } from '../render/scope.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { validateValues } from '../values/schema.ts';
import { templateMap } from '../values/template-value.ts';
import type { Values } from '../values/values.ts';
import type { HelmVersion } from '../version.ts';
import { deprecationRule, type LintedObject, nameRule, selectorRule } from './object-rules.ts';
import type { Report } from './report.ts';

export interface TemplateLintOptions {
  readonly helm: HelmVersion;
  readonly values: Values;
  readonly namespace: string;
  readonly kubeVersion: KubeVersion | undefined;
  readonly skipSchemaValidation: boolean;
}

const folder = 'templates/';

export function lintTemplates(report: Report, chart: Chart, options: TemplateLintOptions): void {
  let files: Map<string, string>;
  try {
    files = renderLeniently(chart, options);
  } catch (error) {
    report.check('ERROR', folder, (error as Error).message);
    return;
  }
  const minor = Number((options.kubeVersion ?? defaultKubeVersion).minor);
  for (const template of chart.templates) {
    report.check('ERROR', template.name, extensionRule(template.name));
    if (options.helm === 3) lintForThree(report, template);
    if (!/\.(yaml|yml)$/i.test(template.name)) continue;
    const content = files.get(`${chart.metadata.name}/${template.name}`) ?? '';
    if (content.trim() === '') continue;
    report.check('WARNING', template.name, indentRule(content));
    if (!lintContent(report, template.name, content, minor, options.helm)) return;
  }
}

/** As rendering, but `required` and `fail` do not stop it: values may be missing when a chart is looked at by itself. */
function renderLeniently(
  chart: Chart,
  { helm, values, namespace, kubeVersion, skipSchemaValidation }: TemplateLintOptions,
) {
  const quiet = { helm, warn: () => {} };
  const processed = processDependencies(chart, values, quiet);
  const coalesced = coalesceValues(processed, coalesceValues(processed, values, quiet), quiet);
  if (!skipSchemaValidation) validateValues(processed, coalesced);
  const release = { name: 'test-release', namespace, revision: 0, isUpgrade: false };
  const capabilities = { kubeVersion: kubeVersion ?? defaultKubeVersion, apiVersions: defaultApiVersions };
  const surroundings = {
    release: releaseObject(release, false),
    capabilities: capabilitiesObject(capabilities, helm),
    helm,
  };
  return runTemplates(renderables(processed, templateMap(coalesced), surroundings), { helm, tolerate: () => {} });
}

function extensionRule(name: string): string | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const extension = base.includes('.') ? base.slice(base.lastIndexOf('.')) : '';
  if (['.yaml', '.yml', '.tpl', '.txt'].includes(extension)) return undefined;
  return `file extension '${extension}' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt`;
}

/** What Helm 2 had and Helm 3 took away. */
function lintForThree(report: Report, file: ChartFile): void {
  const text = textOf(file);
  if (/"?helm\.sh\/hook"?:\s+crd-install/.test(text)) {
    const message =
      'manifest is a crd-install hook. This hook is no longer supported in v3 and all CRDs should also exist the crds/ directory at the top level of the chart';
    report.check('WARNING', file.name, message);
  }
  if (text.includes('.Release.Time')) {
    const message = '.Release.Time has been removed in v3, please replace with the `now` function in your templates';
    report.check('ERROR', file.name, message);
  }
}

function indentRule(content: string): string | undefined {
  const first = content.split('\n').find(line => line.trim() !== '');
  if (!first || !/^[ \t]/.test(first)) return undefined;
  return `document starts with an illegal indent: ${JSON.stringify(first)}, which may cause parsing problems`;
}

/** Stops at the first document that is no YAML. */
function lintContent(report: Report, file: string, content: string, minor: number, helm: HelmVersion): boolean {
  let first: GoMap | undefined;
  for (const document of splitManifests(content, 4)) {
    let root: Value;
    try {
      root = parseYaml(document);
    } catch (error) {
      return report.check('ERROR', file, `unable to parse YAML: ${(error as Error).message}`);
    }
    if (!(root instanceof GoMap)) continue;
    const object = objectOf(root);
    report.check('WARNING', file, nameRule(object));
    report.check('WARNING', file, deprecationRule(object, minor));
    report.check('ERROR', file, selectorRule(object, content));
    first ??= root;
    if (object.kind === 'List') report.check('ERROR', file, listRule(first, helm));
  }
  return true;
}

export function objectOf(root: GoMap): LintedObject {
  const metadata = root.get('metadata');
  const text = (value: Value) => (typeof value === 'string' ? value : '');
  return {
    apiVersion: text(root.get('apiVersion')),
    kind: text(root.get('kind')),
    name: metadata instanceof GoMap ? text(metadata.get('name')) : '',
  };
}

/** Helm looks only at the first document of a file here. */
function listRule(root: GoMap, helm: HelmVersion): string | undefined {
  const items = root.get('items');
  if (!(items instanceof GoSlice)) return undefined;
  const at = (value: Value, key: string): Value => (value instanceof GoMap ? value.get(key) : undefined);
  const kept = items.items.some(item => at(at(at(item, 'metadata'), 'annotations'), 'helm.sh/resource-policy'));
  if (!kept) return undefined;
  return `${helm === 3 ? 'A' : 'a'}nnotation 'helm.sh/resource-policy' within List objects are ignored`;
}
