/**
 * A release as Helm stores it. These types are Helm's JSON, name for name: what Helm 3 or 4 wrote is read, changed and written back
 * without loss, fields that we do not know included.
 */

import type { Json } from '@capstan/kube';
import type { HookEvent } from '../render/rendered.ts';

/** The nine words of Helm. */
export const RELEASE_STATUSES = [
  'unknown',
  'deployed',
  'uninstalled',
  'superseded',
  'failed',
  'uninstalling',
  'pending-install',
  'pending-upgrade',
  'pending-rollback',
] as const;

export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];

export interface Release {
  readonly name: string;
  readonly info: ReleaseInfo;
  readonly chart?: StoredChart;
  /** What the user gave on top of the chart's own values. */
  readonly config?: Readonly<Record<string, Json>>;
  /** All objects of the release but its hooks, in the order of installation. */
  readonly manifest?: string;
  readonly hooks?: readonly Hook[];
  /** The revision, counted from 1. */
  readonly version: number;
  readonly namespace: string;
  /** How its objects are written: `ssa` by server-side apply, `csa` (or nothing: Helm 3) by three-way merge. */
  readonly apply_method?: 'ssa' | 'csa';
  /** Labels of the user. They live on the Secret, not in the JSON. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ReleaseInfo {
  readonly first_deployed?: string;
  readonly last_deployed?: string;
  /** Helm 3 writes `""` where it was never deleted, Helm 4 leaves it out. */
  readonly deleted?: string;
  readonly description?: string;
  readonly status: ReleaseStatus;
  readonly rollback_revision?: number;
  readonly notes?: string;
}

/** The chart inside a release: subcharts are not stored, by Helm neither. */
export interface StoredChart {
  readonly metadata: ChartMetadata | null;
  readonly lock: Json;
  readonly templates: readonly StoredFile[] | null;
  readonly values: Readonly<Record<string, Json>> | null;
  /** Base64. */
  readonly schema: string | null;
  readonly files: readonly StoredFile[] | null;
}

export interface ChartMetadata {
  readonly name?: string;
  readonly version?: string;
  readonly appVersion?: string;
  readonly apiVersion?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly dependencies?: readonly { readonly name: string }[];
  readonly [field: string]: unknown;
}

export interface StoredFile {
  readonly name: string;
  /** Base64. */
  readonly data: string;
}

export type HookDeletePolicy = 'before-hook-creation' | 'hook-succeeded' | 'hook-failed';
export type HookPhase = 'Unknown' | 'Running' | 'Succeeded' | 'Failed';

export interface Hook {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly HookEvent[];
  readonly last_run: HookExecution;
  readonly weight?: number;
  readonly delete_policies?: readonly HookDeletePolicy[];
  readonly output_log_policies?: readonly string[];
}

export interface HookExecution {
  readonly started_at?: string;
  readonly completed_at?: string;
  /** Helm 3 writes `""` for a hook that never ran. */
  readonly phase: HookPhase | '';
}

/** An operation is under way, or was when whoever ran it died. */
export function isUnderWay(status: ReleaseStatus): boolean {
  return status.startsWith('pending-') || status === 'uninstalling';
}

/** `nginx-1.2.3`; `MISSING` where a record has lost its chart, as Helm says it. */
export function chartName({ chart }: Release): string {
  return chart?.metadata ? `${chart.metadata.name}-${chart.metadata.version}` : 'MISSING';
}

export function appVersion({ chart }: Release): string {
  return chart?.metadata ? (chart.metadata.appVersion ?? '') : 'MISSING';
}
