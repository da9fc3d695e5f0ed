/**
 * What sizes the ReplicaSets of a Deployment should have next. Each function gives one step: the next is decided when the Pods of this one are
 * there.
 */
import type { Deployment, ReplicaSet } from '@capstan/kube';
import { DESIRED_REPLICAS, hasSizeAnnotations, MAX_REPLICAS, notedCount } from './annotations.ts';
import { fencepostsOf } from './fenceposts.ts';
import { activeOnes, allOf, byCreation, type Rollout, sizeOf, totalSize } from './replica-sets.ts';

export interface Scaling {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** The size at which a ReplicaSet for a new template starts: what fits under the surge. */
export function initialSize(deployment: Deployment, old: readonly ReplicaSet[]): number {
  return grownSize(deployment, 0, totalSize(old));
}

function grownSize(deployment: Deployment, size: number, total: number): number {
  const { replicas = 1, strategy } = deployment.spec;
  if (strategy?.type === 'Recreate') return replicas;
  const room = replicas + fencepostsOf(deployment).maxSurge - total;
  return room <= 0 ? size : size + Math.min(room, replicas - size);
}

/** One step of a rolling update: the new ReplicaSet grows as far as the surge allows, or old ones shrink as far as availability allows. */
export function rollingStep(deployment: Deployment, rollout: Rollout): readonly Scaling[] {
  const { current, old } = rollout;
  const { replicas = 1 } = deployment.spec;
  if (current === undefined) return [];
  const size = sizeOf(current);
  const wanted = size > replicas ? replicas : grownSize(deployment, size, totalSize(allOf(rollout)));
  if (wanted !== size) return [{ replicaSet: current, replicas: wanted }];
  return shrinkOld(deployment, current, activeOnes(old));
}

function shrinkOld(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): readonly Scaling[] {
  const { replicas = 1 } = deployment.spec;
  const minAvailable = replicas - fencepostsOf(deployment).maxUnavailable;
  const unavailable = sizeOf(current) - available(current);
  // New Pods that are not available yet must not be made up for by taking old ones away.
  const most = totalSize([...old, current]) - minAvailable - unavailable;
  if (most <= 0) return [];
  const sorted = old.toSorted(byCreation);
  const sizes = new Map(sorted.map(each => [each, sizeOf(each)]));
  const take = (from: ReplicaSet, count: number): number => {
    sizes.set(from, sizes.get(from)! - count);
    return count;
  };
  // Pods that serve nobody go first: they would only hold up the update.
  let budget = most;
  for (const each of sorted) budget -= take(each, Math.max(0, Math.min(budget, sizeOf(each) - available(each))));
  const serving = [...old, current].reduce((sum, each) => sum + available(each), 0);
  let surplus = serving - minAvailable;
  for (const each of sorted) surplus -= take(each, Math.max(0, Math.min(surplus, sizes.get(each)!)));
  return changed(sorted, sizes);
}

/** Recreate: everything old goes at once. */
export function recreateStep({ old }: Rollout): readonly Scaling[] {
  return activeOnes(old).map(replicaSet => ({ replicaSet, replicas: 0 }));
}

/** Whether the Deployment's size was changed since its ReplicaSets were last scaled. */
export function isScalingEvent({ spec }: Deployment, rollout: Rollout): boolean {
  return activeOnes(allOf(rollout)).some(each => {
    const noted = notedCount(each, DESIRED_REPLICAS);
    return noted !== undefined && noted !== (spec.replicas ?? 1);
  });
}

/**
 * Follows a change of size. In the middle of a rollout all ReplicaSets grow or shrink in proportion: else scaling would speed the
 * rollout up, and with it whatever is wrong with the new template.
 */
export function resizeStep(deployment: Deployment, rollout: Rollout): readonly Scaling[] {
  const { replicas = 1, strategy } = deployment.spec;
  const { current, old } = rollout;
  const active = activeOnes(allOf(rollout));
  if (active.length <= 1) {
    const only = active[0] ?? current ?? old.at(-1);
    return only === undefined || sizeOf(only) === replicas ? [] : [{ replicaSet: only, replicas }];
  }
  if (isSaturated(deployment, current)) return recreateStep(rollout);
  return strategy?.type === 'RollingUpdate' ? proportional(deployment, active) : [];
}

/** The new ReplicaSet has all the Pods there should be, and they are available. */
function isSaturated({ spec }: Deployment, current: ReplicaSet | undefined): boolean {
  const { replicas = 1 } = spec;
  if (current === undefined || notedCount(current, DESIRED_REPLICAS) !== replicas) return false;
  return sizeOf(current) === replicas && available(current) === replicas;
}

function proportional(deployment: Deployment, active: readonly ReplicaSet[]): readonly Scaling[] {
  const { replicas = 1 } = deployment.spec;
  const allowed = replicas > 0 ? replicas + fencepostsOf(deployment).maxSurge : 0;
  const toAdd = allowed - totalSize(active);
  // The largest first; of two alike the newer grows first, and the older shrinks first.
  const age = toAdd > 0 ? -1 : 1;
  const sorted = active.toSorted((left, right) => sizeOf(right) - sizeOf(left) || age * byCreation(left, right));
  let added = 0;
  const sizes = new Map<ReplicaSet, number>();
  for (const each of sorted) {
    const share = toAdd === 0 || toAdd === added ? 0 : fraction(deployment, each);
    const rest = toAdd - added;
    const part = toAdd > 0 ? Math.min(share, rest) : Math.max(share, rest);
    sizes.set(each, sizeOf(each) + part);
    added += part;
  }
  // What rounding left over goes to the largest.
  const largest = sorted[0]!;
  sizes.set(largest, Math.max(0, sizes.get(largest)! + toAdd - added));
  return sorted
    .map(replicaSet => ({ replicaSet, replicas: sizes.get(replicaSet)! }))
    .filter(({ replicaSet, replicas: size }) => {
      // The annotations are brought up to date even where the size stays: they tell that the change was followed.
      return size !== sizeOf(replicaSet) || !hasSizeAnnotations(replicaSet, deployment);
    });
}

function fraction(deployment: Deployment, replicaSet: ReplicaSet): number {
  const { replicas = 1 } = deployment.spec;
  const size = sizeOf(replicaSet);
  if (replicas === 0) return -size;
  const before = notedCount(replicaSet, MAX_REPLICAS) || deployment.status?.replicas;
  if (!before) return 0;
  const after = replicas + fencepostsOf(deployment).maxSurge;
  return Math.round((size * after) / before) - size;
}

function changed(sorted: readonly ReplicaSet[], sizes: ReadonlyMap<ReplicaSet, number>): readonly Scaling[] {
  return sorted
    .map(replicaSet => ({ replicaSet, replicas: sizes.get(replicaSet)! }))
    .filter(({ replicaSet, replicas }) => replicas !== sizeOf(replicaSet));
}

const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;
