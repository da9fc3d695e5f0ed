import type { Deployment, ReplicaSet } from '@capstan/kube';
import { revisionOf } from './annotations.ts';
import { byCreation, sizeOf } from './replica-sets.ts';

const EVERYTHING = 2 ** 31 - 1;

/** The old ReplicaSets that are not worth keeping: the lowest revisions beyond the limit, as soon as they are empty. */
export function outdated({ spec }: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const { revisionHistoryLimit } = spec;
  if (revisionHistoryLimit === undefined || revisionHistoryLimit === EVERYTHING) return [];
  const alive = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return alive
    .toSorted((left, right) => revisionOf(left) - revisionOf(right) || byCreation(left, right))
    .slice(0, Math.max(0, alive.length - revisionHistoryLimit))
    .filter(isEmpty);
}

function isEmpty(replicaSet: ReplicaSet): boolean {
  const { status, metadata } = replicaSet;
  const observed = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return observed && sizeOf(replicaSet) === 0 && (status?.replicas ?? 0) === 0;
}
