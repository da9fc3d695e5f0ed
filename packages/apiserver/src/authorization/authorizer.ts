/** The decision, on the objects of a store. */
import type { PolicyRule, RoleReference } from '@capstan/kube';
import type { User } from '../request.ts';
import { keyOf } from '../storage.ts';
import type { Change, Store } from '../store/store.ts';
import type { Attributes } from './attributes.ts';
import { type Decision, decide, rulesFor } from './decision.ts';
import { PolicyIndex } from './policy.ts';

export interface Authorizer {
  authorize(user: User, attributes: Attributes): Decision;
  /** Everything a user may do in a namespace; `problem` says why the list may not be all. */
  rulesFor(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly problem?: string | undefined };
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** For tests and for programs that are their own only user. */
export const alwaysAllow: Authorizer = {
  authorize: () => ({ allowed: true, reason: '' }),
  rulesFor: () => ({ rules: EVERYTHING }),
};

/** Without any policy: administrators, and nobody else. */
export const onlyMasters: Authorizer = {
  authorize: (user, attributes) => decide(NO_POLICY, user, attributes),
  rulesFor: () => ({ rules: [] }),
};

const NO_POLICY = new PolicyIndex(() => undefined);

const GROUP = 'rbac.authorization.k8s.io';
export const CLUSTER_ROLES = `${GROUP}/clusterroles`;
export const ROLES = `${GROUP}/roles`;
export const CLUSTER_ROLE_BINDINGS = `${GROUP}/clusterrolebindings`;
export const ROLE_BINDINGS = `${GROUP}/rolebindings`;

/** Role-based access control: what the Roles, ClusterRoles and bindings of this store say at this moment. */
export class RoleAuthorizer implements Authorizer {
  readonly #index: PolicyIndex;
  readonly #stop: readonly (() => void)[];

  constructor(store: Store) {
    this.#index = new PolicyIndex(
      (table, namespace, name) =>
        store.get(`${GROUP}/${table}`, keyOf(namespace === '' ? undefined : namespace, name))?.object,
    );
    this.#stop = [CLUSTER_ROLE_BINDINGS, ROLE_BINDINGS].map(table => {
      for (const { object } of store.list(table, '')) this.#index.add(object);
      return store.watch(table, store.revision, change => this.#onChange(change));
    });
  }

  authorize(user: User, attributes: Attributes): Decision {
    return decide(this.#index, user, attributes);
  }

  rulesFor(user: User, namespace: string): ReturnType<typeof rulesFor> {
    return rulesFor(this.#index, user, namespace);
  }

  /** What a role allows, undefined where it is not there. */
  rulesOf(role: RoleReference, namespace: string): readonly PolicyRule[] | undefined {
    return this.#index.rules(role, namespace)?.map(({ rule }) => rule);
  }

  stop(): void {
    for (const stop of this.#stop) stop();
  }

  #onChange({ type, entry, previous }: Change): void {
    if (previous) this.#index.remove(previous.object);
    if (type !== 'DELETED') this.#index.add(entry.object);
  }
}
