/**
 * A loaded chart: plain, read-only data. Processing (dependencies, values) gives a new chart and never changes one, so that a
 * chart can be loaded once and rendered many times.
 *
 * The fields follow Helm's `chart.Chart`, because a release stores them: `metadata`, `lock`, `templates`, `values`, `schema` and
 * `files` go into its JSON (bytes as base64); `raw` and `dependencies` do not.
 */

import type { Values } from '../values/values.ts';
import type { Metadata } from './metadata.ts';

/** One file of a chart; the name is its path inside the chart, with `/`. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** RFC 3339, where the source knows it. Helm 4 stores it with the file. */
  readonly modTime?: string;
}

/** `Chart.lock` (or `requirements.lock`): the exact versions the dependencies were resolved to. */
export interface Lock {
  /** RFC 3339. */
  readonly generated: string;
  readonly digest: string;
  readonly dependencies: readonly LockedDependency[];
}

export interface LockedDependency {
  readonly name: string;
  readonly version?: string;
  readonly repository: string;
}

export interface Chart {
  readonly metadata: Metadata;
  readonly lock: Lock | null;
  /** Everything below `templates/`, partials and NOTES.txt included. */
  readonly templates: readonly ChartFile[];
  /** The chart's defaults, from `values.yaml`. */
  readonly values: Values;
  /** `values.schema.json`, as it is. */
  readonly schema: Uint8Array | null;
  /** Everything that has no meaning of its own: README, LICENSE, `crds/`, what templates read through `.Files`. */
  readonly files: readonly ChartFile[];
  /** Every file as it was loaded, in order. */
  readonly raw: readonly ChartFile[];
  /** The charts below `charts/`. */
  readonly dependencies: readonly Chart[];
  /** When `Chart.yaml` and the schema were last changed, where the source knows it. */
  readonly modTime?: string;
  readonly schemaModTime?: string;
}

/** A file below `crds/`, of the chart or of one of its dependencies. */
export interface Crd {
  /** The name inside its own chart: `crds/database.yaml`. */
  readonly name: string;
  /** The name from the root chart: `shop/charts/database/crds/database.yaml`. */
  readonly filename: string;
  readonly data: Uint8Array;
}

const manifestExtension = /\.(yaml|yml|json)$/i;

/** The files below `crds/` of a chart and its dependencies, which are installed as they are, before anything is rendered. */
export function crdsOf(chart: Chart, path: string = chart.metadata.name): Crd[] {
  const own = chart.files
    .filter(file => file.name.startsWith('crds/') && manifestExtension.test(file.name))
    .map(file => ({ name: file.name, filename: `${path}/${file.name}`, data: file.data }));
  return [...own, ...chart.dependencies.flatMap(child => crdsOf(child, `${path}/charts/${child.metadata.name}`))];
}

/** Library charts hold partials for others and cannot be installed. */
export function isLibrary(chart: Chart): boolean {
  return chart.metadata.type?.toLowerCase() === 'library';
}
