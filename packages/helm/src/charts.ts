/** Charts, values and rendering: what needs no cluster. */

export {
  type Chart,
  type ChartFile,
  type Crd,
  crdsOf,
  isLibrary,
  type Lock,
  type LockedDependency,
} from './chart/chart.ts';
export { type ChartLimits, defaultChartLimits } from './chart/limits.ts';
export { type LoadOptions, loadArchive, loadChart, loadFiles } from './chart/load.ts';
export type { Dependency, Maintainer, Metadata } from './chart/metadata.ts';
export { checkDependencies } from './dependencies/check.ts';
export { HelmError, type HelmErrorCode } from './errors.ts';
export { type LintOptions, lintChart } from './lint/lint.ts';
export { type Finding, lintText, type Severity } from './lint/report.ts';
export type { ReleaseContext } from './render/cluster-objects.ts';
export type { LookupFunction } from './render/engine.ts';
export { compareForInstall, compareForUninstall } from './render/kinds.ts';
export type { PostRenderer } from './render/post-render.ts';
export { type RenderOptions, render } from './render/render.ts';
export { type HookEvent, hookEvents, type Manifest, type Rendered } from './render/rendered.ts';
export { type TemplateTextOptions, templateText } from './render/template-text.ts';
export type { Credentials } from './repository/credentials.ts';
export { fetchIndex } from './repository/http-repository.ts';
export { type IndexEntry, parseIndex, type RepositoryIndex } from './repository/index-file.ts';
export { findChart, type Pulled, type PullOptions, pullChart } from './repository/pull.ts';
export type { HttpAnswer, HttpQuestion, Transport } from './repository/transport.ts';
export { coalesceValues } from './values/coalesce.ts';
export { mergeValues, type ValuesFile, type ValuesSources } from './values/merge.ts';
export { parseValues } from './values/read.ts';
export { applySet, type SetKind } from './values/set-parser.ts';
export { toJson, type Values, type ValuesNode } from './values/values.ts';
export { defaultHelmVersion, type HelmVersion } from './version.ts';
