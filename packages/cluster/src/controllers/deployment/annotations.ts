/** What the controller notes on ReplicaSets: their revision, and how large the Deployment was when they were last scaled. */
import type { Deployment, ReplicaSet } from '@capstan/kube';
import { fencepostsOf } from './fenceposts.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
export const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
export const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
export const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** These belong to one object and mean nothing on another. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

/** About a hundred revisions. */
const LONGEST_HISTORY = 2000;

type Annotations = Readonly<Record<string, string>>;

export function revisionOf({ metadata }: Deployment | ReplicaSet): number {
  const revision = Number(metadata.annotations?.[REVISION] ?? 0);
  return Number.isSafeInteger(revision) ? revision : 0;
}

/** The revision that comes after those of the old ReplicaSets. */
export function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

/**
 * The annotations of the ReplicaSet with the Deployment's template: the Deployment's own, and the revision. One that is rolled back to
 * gets a new revision and remembers those that it had.
 */
export function currentAnnotations(deployment: Deployment, existing: Annotations, revision: number): Annotations {
  const wanted: Record<string, string> = { ...existing };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) {
    if (!NOT_COPIED.has(key)) wanted[key] = value;
  }
  const before = existing[REVISION];
  if (before !== undefined && before !== '' && !/^-?\d+$/.test(before)) return wanted;
  if (Number(before ?? 0) >= revision) return wanted;
  wanted[REVISION] = String(revision);
  if (before !== undefined) wanted[REVISION_HISTORY] = appended(existing[REVISION_HISTORY] ?? '', before);
  return wanted;
}

/** The oldest entries give way where it would become too long. */
function appended(history: string, revision: string): string {
  const entries = history === '' ? [revision] : [...history.split(','), revision];
  while (entries.length > 1 && entries.join(',').length > LONGEST_HISTORY) entries.shift();
  return entries.join(',');
}

/** How large the Deployment is: tells a change of its size from a change of its template, and the share of each ReplicaSet. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  const { replicas = 1 } = deployment.spec;
  return {
    [DESIRED_REPLICAS]: String(replicas),
    [MAX_REPLICAS]: String(replicas + fencepostsOf(deployment).maxSurge),
  };
}

export function hasSizeAnnotations(replicaSet: ReplicaSet, deployment: Deployment): boolean {
  return Object.entries(sizeAnnotations(deployment)).every(
    ([key, value]) => replicaSet.metadata.annotations?.[key] === value,
  );
}

/** A count that was noted, if it is one. */
export function notedCount({ metadata }: ReplicaSet, key: typeof DESIRED_REPLICAS | typeof MAX_REPLICAS) {
  const text = metadata.annotations?.[key];
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
