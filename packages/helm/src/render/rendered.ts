/** What rendering a chart gives: plain data, ready to be shown, stored in a release or applied. */

import type { Chart, Crd } from '../chart/chart.ts';
import type { Values } from '../values/values.ts';

/** The moments a hook may run at. `test-success` is Helm 2's word for `test`. */
export const hookEvents = [
  'pre-install',
  'post-install',
  'pre-delete',
  'post-delete',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'test',
] as const;

export type HookEvent = (typeof hookEvents)[number];

/** A document taken out of the manifest because it is annotated as a hook. The names are those of Helm's release JSON. */
export interface Hook {
  readonly name: string;
  readonly kind: string;
  /** The template it came from: `shop/templates/migrate.yaml`. */
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly HookEvent[];
  readonly weight: number;
  /** As written (`before-hook-creation`, `hook-succeeded`, `hook-failed`); empty means the default. */
  readonly deletePolicies: readonly string[];
  readonly outputLogPolicies: readonly string[];
}

/** One document of the release, in the order of installation. */
export interface Manifest {
  readonly path: string;
  readonly content: string;
  /** Empty where the document does not say. */
  readonly kind: string;
  readonly name: string;
}

export interface Rendered {
  /** The chart after its dependencies were chosen and renamed and their values imported: what a release stores. */
  readonly chart: Chart;
  /** What templates saw as `.Values`. */
  readonly values: Values;
  /** In order of kind, not of weight: an action sorts the ones it runs. */
  readonly hooks: readonly Hook[];
  readonly manifests: readonly Manifest[];
  /** All manifests as one text, as a release stores it: `---\n# Source: …\n…` for each. */
  readonly manifest: string;
  /** What NOTES.txt says. */
  readonly notes: string;
  /** The files of `crds/`, to be applied as they are before the manifest. */
  readonly crds: readonly Crd[];
  /** What Helm would log while it renders: values of the wrong shape, deprecated charts, missing imports. */
  readonly warnings: readonly string[];
}
