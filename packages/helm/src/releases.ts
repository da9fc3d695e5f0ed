/** The half of the package that acts on a cluster: releases, their records, and what can be done with them. */
export type { ChangeOptions } from './action/change.ts';
export { createHelm, type Helm, type HelmOptions } from './action/context.ts';
export { type InstallOptions, install } from './action/install.ts';
export {
  computedValues,
  getRelease,
  history,
  type ListOptions as ListReleasesOptions,
  listReleases,
} from './action/queries.ts';
export type { Renderer, RenderRequest } from './action/rendering.ts';
export { type ResourceTable, resourceTables } from './action/resource-tables.ts';
export type { ValuesPolicy } from './action/reuse-values.ts';
export { type RollbackOptions, rollback } from './action/rollback.ts';
export { type TestOptions, type TestOutcome, testRelease } from './action/test-release.ts';
export { type Uninstalled, type UninstallOptions, uninstall } from './action/uninstall.ts';
export { type UpgradeOptions, upgrade } from './action/upgrade.ts';
export type { DefinitionPlan } from './plan/definitions.ts';
export type { FieldChange } from './plan/diff.ts';
export type { ObjectPlan } from './plan/objects.ts';
export type { MissingPermission } from './plan/permissions.ts';
export { type HookPlan, type Plan, type PlanOptions, plan } from './plan/plan.ts';
export type { ValueChange, ValuesLayer } from './plan/values.ts';
export { decodeRelease, encodeRelease } from './release/encode.ts';
export { ReleaseError, type ReleaseErrorCode } from './release/errors.ts';
export {
  appVersion,
  chartName,
  type Hook as ReleaseHook,
  type HookExecution,
  type Release,
  type ReleaseInfo as StoredReleaseInfo,
  type ReleaseStatus,
} from './release/release.ts';
export { createReleaseStore, type ReleaseStore, type StoredRelease } from './release/store.ts';
export type { Awaited, OnProgress, Progress } from './wait/progress.ts';
