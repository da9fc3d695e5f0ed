/** The half of the package that acts on a cluster: releases, their records, and what can be done with them. */
export { createHelm, type Helm, type HelmOptions } from './action/context.ts';
export { type InstallOptions, install } from './action/install.ts';
export type { Renderer, RenderRequest } from './action/rendering.ts';
export { type Uninstalled, type UninstallOptions, uninstall } from './action/uninstall.ts';
export { decodeRelease, encodeRelease } from './release/encode.ts';
export { ReleaseError, type ReleaseErrorCode } from './release/errors.ts';
export {
  appVersion,
  chartName,
  type Hook,
  type Release,
  type ReleaseInfo,
  type ReleaseStatus,
} from './release/release.ts';
export { createReleaseStore, type ReleaseStore, type StoredRelease } from './release/store.ts';
export type { Awaited, OnProgress, Progress } from './wait/progress.ts';
