/** ClusterRoles whose rules are gathered from others by their labels: `admin`, `edit`, `view`, and what charts add to them. */
import { deepClone, deepEqual, type LabelSelector, labelSelectorMatcher, type PolicyRule } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import { HeadMoved, type Store } from '../store/store.ts';
import { CLUSTER_ROLES } from './authorizer.ts';

/** Selector by selector, the selected roles by name, each rule once. Undefined for a role that gathers nothing. */
export function gatheredRules(role: Stored, all: readonly Stored[]): readonly PolicyRule[] | undefined {
  const selectors: readonly LabelSelector[] | undefined = role['aggregationRule']?.clusterRoleSelectors;
  if (selectors === undefined) return undefined;
  const found: PolicyRule[] = [];
  for (const selector of selectors) {
    const matcher = labelSelectorMatcher(selector);
    const selected = all
      .filter(other => other.metadata.name !== role.metadata.name && matcher.matches(other.metadata.labels))
      .sort((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
    for (const rule of selected.flatMap(other => (other['rules'] ?? []) as readonly PolicyRule[])) {
      if (!found.some(known => deepEqual(known, rule))) found.push(rule);
    }
  }
  return found;
}

/** Keeps gathered rules current. Only what is stored counts in a decision, so that everyone sees what is in force. */
export class AggregatedRoles {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  readonly #unsubscribe: () => void;
  #due = false;
  #stopped = false;

  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
    this.#unsubscribe = store.watch(CLUSTER_ROLES, store.revision, () => this.#soon());
    this.#soon();
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
  }

  /** Not within the change itself: who else watches has to see that one first. Several changes make one round. */
  #soon(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      if (!this.#stopped) this.#settle().catch(this.#onError);
    });
  }

  async #settle(): Promise<void> {
    const entries = this.#store.list(CLUSTER_ROLES, '');
    const all = entries.map(({ object }) => object);
    for (const entry of entries) {
      const rules = gatheredRules(entry.object, all);
      if (rules === undefined || deepEqual(rules, entry.object['rules'] ?? [])) continue;
      if (entry.object.metadata.deletionTimestamp) continue;
      const draft = deepClone(entry.object) as Draft;
      draft['rules'] = deepClone(rules);
      try {
        await this.#store.write(CLUSTER_ROLES, entry.key, entry, draft);
      } catch (error) {
        if (!(error instanceof HeadMoved)) throw error; // who moved it brings another round
      }
    }
  }
}
