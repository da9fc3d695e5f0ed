/**
 * Chooses the subcharts to use and brings their exported values up: the chart that comes out is the one that is rendered and
 * stored in the release.
 */

import type { Chart } from '../chart/chart.ts';
import type { Dependency } from '../chart/metadata.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { tableAt, valueAt } from '../values/path.ts';
import type { Values } from '../values/values.ts';
import type { HelmVersion } from '../version.ts';
import { isCompatible } from './compatible.ts';
import { importValues } from './import-values.ts';

export interface ProcessOptions {
  readonly helm: HelmVersion;
  readonly warn: (message: string) => void;
}

/** The chart with its disabled dependencies gone, aliases in place and values imported. */
export function processDependencies(chart: Chart, values: Values, options: ProcessOptions): Chart {
  return importValues(chooseDependencies(chart, values, '', options), options);
}

function chooseDependencies(chart: Chart, values: Values, path: string, options: ProcessOptions): Chart {
  const wanted = chart.metadata.dependencies;
  if (!wanted) return chart;
  const named = withChildren(chart, [...unlisted(chart), ...wanted.flatMap(entry => aliased(chart, entry))]);
  const renamed = wanted.map(entry => (entry.alias ? { ...entry, name: entry.alias } : entry));
  const coalesced = coalesceValues(named, values, options);
  const decided = renamed.map(entry => {
    const byTags = enabledByTags(entry, coalesced, options.warn);
    return { ...entry, enabled: enabledByCondition(entry, coalesced, path, options.warn) ?? byTags };
  });
  const off = new Set(decided.filter(entry => !entry.enabled).map(entry => entry.name));
  const children = named.dependencies
    .filter(child => !off.has(child.metadata.name))
    .map(child => chooseDependencies(child, coalesced, `${path}${child.metadata.name}.`, options));
  const { dependencies: _, ...metadata } = chart.metadata;
  const kept = decided.filter(entry => !off.has(entry.name));
  const stored = kept.length > 0 ? { ...metadata, dependencies: kept } : metadata;
  return { ...chart, metadata: stored, dependencies: children };
}

const withChildren = (chart: Chart, dependencies: readonly Chart[]): Chart => ({ ...chart, dependencies });

const fits = (child: Chart, entry: Dependency) =>
  child.metadata.name === entry.name && isCompatible(entry.version ?? '', child.metadata.version);

/** Charts that lie in `charts/` without Chart.yaml naming them are used too. */
function unlisted(chart: Chart): Chart[] {
  return chart.dependencies.filter(child => !chart.metadata.dependencies!.some(entry => fits(child, entry)));
}

function aliased(chart: Chart, entry: Dependency): Chart[] {
  const child = chart.dependencies.find(candidate => fits(candidate, entry));
  if (!child) return [];
  return [entry.alias ? { ...child, metadata: { ...child.metadata, name: entry.alias } } : child];
}

/** Off only if a tag says so and none says otherwise. */
function enabledByTags(entry: Dependency, values: Values, warn: ProcessOptions['warn']): boolean {
  const tags = tableAt(values, 'tags');
  if (!tags) return true;
  const said = (entry.tags ?? []).flatMap(tag => {
    if (!Object.hasOwn(tags, tag)) return [];
    const value = tags[tag];
    if (typeof value === 'boolean') return [value];
    warn(`Warning: Tag '${tag}' for chart ${entry.name} returned non-bool value`);
    return [];
  });
  return said.length === 0 || said.includes(true);
}

/** What the first path that holds a boolean says. */
function enabledByCondition(
  entry: Dependency,
  values: Values,
  path: string,
  warn: ProcessOptions['warn'],
): boolean | undefined {
  for (const condition of (entry.condition ?? '').trim().split(',')) {
    if (condition === '') continue;
    const value = valueAt(values, path + condition);
    if (typeof value === 'boolean') return value;
    if (value !== undefined) {
      warn(`Warning: Condition path '${condition}' for chart ${entry.name} returned non-bool value`);
    }
  }
  return undefined;
}
