import type { OwnerReference } from '@capstan/kube';

/** Enough for the owners that are deleted at a time; a forgotten one costs a request. */
const MOST = 2_000;

/**
 * Owners that are known not to exist. A uid never comes back, so what is absent stays absent; a thousand Pods of one deleted owner
 * are then deleted without asking a thousand times for it.
 */
export class AbsentOwners {
  readonly #keys = new Set<string>();

  /** `namespace` is the owner's, empty for kinds without namespaces. */
  add(owner: OwnerReference, namespace: string): void {
    this.#keys.add(keyOf(owner, namespace));
    if (this.#keys.size <= MOST) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      break;
    }
  }

  /** `namespace` is the dependent's: the owner is there, or in none. */
  has(owner: OwnerReference, namespace: string): boolean {
    return this.#keys.has(keyOf(owner, namespace)) || this.#keys.has(keyOf(owner, ''));
  }
}

const keyOf = ({ apiVersion, kind, name, uid }: OwnerReference, namespace: string): string =>
  `${apiVersion}/${kind}/${namespace}/${name}/${uid}`;
