/**
 * What to do next for a StatefulSet. With `OrderedReady` one Pod after the other: nothing happens to a Pod before all with lower
 * ordinals are available, nor to one beyond the wanted number before all above it are gone. With `Parallel` all at once.
 */
import type { Pod, StatefulSet } from '@capstan/kube';
import { scaledValue } from '../workload/int-or-percent.ts';
import { isAvailable, isReady } from '../workload/pod-state.ts';
import { isInRange, ordinalOf, revisionOf, sizeOf, startOf } from './identity.ts';

export type Step =
  | { readonly type: 'create'; readonly ordinal: number; readonly revision: 'current' | 'update' }
  | { readonly type: 'delete'; readonly pod: Pod }
  /** Its claims, labels or the owners of its claims may not be as they should: make them so. */
  | { readonly type: 'repair'; readonly pod: Pod };

export interface Observed {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** The name of the revision of the template as it is now. */
  readonly update: string;
  /** Whether a claim of the ordinal belongs to an earlier Pod and is about to go. */
  readonly claimsLeaving: (ordinal: number) => boolean;
  readonly now: number;
}

/** One place of the StatefulSet: the Pod that is there, or the revision of the one that should be. */
type Place = { readonly ordinal: number; readonly pod: Pod | undefined };

export function nextSteps(observed: Observed): readonly Step[] {
  const { set, pods } = observed;
  const byOrdinal = new Map(pods.map(pod => [ordinalOf(pod, set), pod]));
  const places: readonly Place[] = Array.from({ length: sizeOf(set) }, (_, index) => {
    const ordinal = startOf(set) + index;
    return { ordinal, pod: byOrdinal.get(ordinal) };
  });
  const condemned = pods
    .filter(pod => ordinalOf(pod, set) >= 0 && !isInRange(ordinalOf(pod, set), set))
    .toSorted((left, right) => ordinalOf(right, set) - ordinalOf(left, set));
  const walk = new Walk(observed);
  if (!walk.replicas(places)) return walk.steps;
  for (const pod of condemned) walk.steps.push({ type: 'repair', pod });
  if (!walk.condemned(condemned, places)) return walk.steps;
  if (set.spec.updateStrategy?.type !== 'OnDelete') walk.update(places);
  return walk.steps;
}

class Walk {
  readonly steps: Step[] = [];
  readonly #observed: Observed;
  readonly #ordered: boolean;

  constructor(observed: Observed) {
    this.#observed = observed;
    this.#ordered = observed.set.spec.podManagementPolicy !== 'Parallel';
  }

  /** Each of these walks gives whether to go on. */
  replicas(places: readonly Place[]): boolean {
    for (const place of places) if (!this.#replica(place) && this.#ordered) return false;
    return true;
  }

  #replica({ ordinal, pod }: Place): boolean {
    if (pod === undefined) {
      const revision = ordinal < startOf(this.#observed.set) + this.#partition() ? 'current' : 'update';
      if (!this.#observed.claimsLeaving(ordinal)) this.steps.push({ type: 'create', ordinal, revision });
      return false;
    }
    if (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') {
      if (!isLeaving(pod)) this.steps.push({ type: 'delete', pod });
      return false;
    }
    if (pod.status?.phase === 'Pending' || !this.#ordered) this.steps.push({ type: 'repair', pod });
    if (this.#isUnavailable(pod) || !isRunningAndReady(pod)) return false;
    if (this.#ordered) this.steps.push({ type: 'repair', pod });
    return true;
  }

  condemned(pods: readonly Pod[], places: readonly Place[]): boolean {
    const all = [...places.map(({ pod }) => pod), ...pods.toReversed()];
    const firstUnavailable = all.find(pod => pod === undefined || this.#isUnavailable(pod));
    for (const pod of pods) {
      const waits = isLeaving(pod) || (this.#isUnavailable(pod) && pod !== firstUnavailable);
      if (this.#ordered && waits) return false;
      if (isLeaving(pod)) continue;
      this.steps.push({ type: 'delete', pod });
      if (this.#ordered) return false;
    }
    return true;
  }

  /** From the highest ordinal down to the partition, no more of them unavailable at a time than allowed. */
  update(places: readonly Place[]): void {
    const { set } = this.#observed;
    const { maxUnavailable } = set.spec.updateStrategy?.rollingUpdate ?? {};
    const limit = Math.max(1, maxUnavailable === undefined ? 1 : scaledValue(maxUnavailable, sizeOf(set), 'down'));
    const unavailable = places.filter(({ pod }) => pod === undefined || this.#isUnavailable(pod)).length;
    const outdated = places
      .filter(({ ordinal }) => ordinal >= startOf(set) + this.#partition())
      .flatMap(({ pod }) => (pod === undefined ? [] : [pod]))
      .filter(pod => revisionOf(pod) !== this.#observed.update && !isLeaving(pod))
      .toReversed();
    if (this.#ordered) {
      this.#delete(outdated.slice(0, Math.max(0, limit - unavailable)));
      return;
    }
    // What serves nobody costs nothing to replace, and may be broken because it is outdated.
    this.#delete(outdated.filter(pod => this.#isUnavailable(pod)));
    const available = outdated.filter(pod => !this.#isUnavailable(pod));
    this.#delete(available.slice(0, Math.max(0, limit - unavailable)));
  }

  #delete(pods: readonly Pod[]): void {
    for (const pod of pods) this.steps.push({ type: 'delete', pod });
  }

  #partition(): number {
    return this.#observed.set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  }

  #isUnavailable(pod: Pod): boolean {
    const { set, now } = this.#observed;
    return isLeaving(pod) || !isAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  }
}

const isLeaving = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

const isRunningAndReady = (pod: Pod): boolean => pod.status?.phase === 'Running' && isReady(pod);
