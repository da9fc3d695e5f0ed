import type { CacheChange } from '@capstan/controller';
import type { Pod } from '@capstan/kube';
import { isOver } from '../scheduler/cluster-state.ts';

/** Counts the Pods that have ended, and says which are too many: the oldest. */
export class EndedPods {
  readonly #most: number;
  readonly #ended = new Map<string, Pod>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes in a change. True when there are too many now. */
  see({ type, object }: CacheChange<Pod>): boolean {
    const uid = object.metadata.uid ?? '';
    if (type === 'deleted' || !isOver(object) || object.metadata.deletionTimestamp !== undefined) {
      this.#ended.delete(uid);
      return false;
    }
    this.#ended.set(uid, object);
    return this.#ended.size > this.#most;
  }

  surplus(): readonly Pod[] {
    const count = this.#ended.size - this.#most;
    if (count <= 0) return [];
    return [...this.#ended.values()].sort((left, right) => (age(left) < age(right) ? -1 : 1)).slice(0, count);
  }
}

const age = ({ metadata }: Pod): string => `${metadata.creationTimestamp} ${metadata.name}`;
