/** How Helm shows a release. */
import { computedValues, type Release, type ResourceTable } from '@capstan/helm';
import { ansiTime, withSortedKeys, yamlOf } from './output.ts';

export interface StatusOptions {
  readonly hideNotes?: boolean | undefined;
  /** The objects as they are in the cluster. */
  readonly resources?: readonly ResourceTable[] | undefined;
  /** With its values, hooks and manifest: `helm get all`. */
  readonly everything?: boolean | undefined;
}

export function statusText(release: Release, options: StatusOptions = {}): string {
  const { name, namespace, info, version, chart } = release;
  const lines = [`NAME: ${name}`];
  if (info.last_deployed) lines.push(`LAST DEPLOYED: ${ansiTime(info.last_deployed)}`);
  lines.push(`NAMESPACE: ${namespace}`, `STATUS: ${info.status}`, `REVISION: ${version}`);
  if (options.everything) {
    const { name: chartName, version: chartVersion, appVersion = '' } = chart?.metadata ?? {};
    lines.push(`CHART: ${chartName}`, `VERSION: ${chartVersion}`, `APP_VERSION: ${appVersion}`);
  }
  lines.push(`DESCRIPTION: ${info.description ?? ''}`);
  if (options.resources?.length) lines.push('RESOURCES:', ...options.resources.flatMap(resourceLines), '');
  lines.push(...testLines(release));
  let text = `${lines.join('\n')}\n`;
  if (options.everything) {
    text += `USER-SUPPLIED VALUES:\n${yamlOf(release.config ?? null)}\n`;
    text += `COMPUTED VALUES:\n${yamlOf(computedValues(release))}\n`;
  }
  if (options.everything || info.description === 'Dry run complete') {
    text += `HOOKS:\n${hooksText(release)}MANIFEST:\n${release.manifest ?? ''}\n`;
  }
  if (!options.hideNotes && info.notes) text += `NOTES:\n${info.notes.trim()}\n`;
  return text;
}

/** Columns as kubectl sets them: three spaces apart. */
function resourceLines({ kind, headers, rows }: ResourceTable): string[] {
  const all = [headers, ...rows];
  const widths = headers.map((_, at) => Math.max(...all.map(row => row[at]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]! + 3))).join('');
  return [`==> ${kind}`, ...all.map(line), ''];
}

function testLines({ hooks = [] }: Release): string[] {
  const tests = hooks.filter(({ events }) => events.includes('test'));
  if (tests.length === 0) return ['TEST SUITE: None'];
  return tests
    .filter(({ last_run }) => last_run.started_at)
    .flatMap(({ name, last_run }) => [
      `TEST SUITE:     ${name}`,
      `Last Started:   ${ansiTime(last_run.started_at ?? '')}`,
      `Last Completed: ${ansiTime(last_run.completed_at ?? '')}`,
      `Phase:          ${last_run.phase}`,
    ]);
}

export function hooksText({ hooks = [] }: Release): string {
  return hooks.map(({ path, manifest }) => `---\n# Source: ${path}\n${manifest}\n`).join('');
}

/** What `--output json` shows of it: the record without the chart. */
export function releaseJson({ chart: _, labels: __, config, ...rest }: Release): unknown {
  return config ? { ...rest, config: withSortedKeys(config) } : rest;
}
