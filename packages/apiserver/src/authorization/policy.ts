/** The roles and bindings in force, found by who they are about. */
import type { RoleReference, Subject } from '@capstan/kube';
import type { Stored } from '../kind.ts';
import type { User } from '../request.ts';
import { serviceAccountUserName } from '../service-account-name.ts';
import { type CompiledRule, rulesOf } from './rule.ts';

/** A RoleBinding, or a ClusterRoleBinding where the namespace is empty. */
export interface Binding {
  readonly name: string;
  readonly namespace: string;
  readonly role: RoleReference;
  readonly subjects: readonly BoundSubject[];
}

export interface BoundSubject {
  readonly subject: Subject;
  /** What it is found by: `User a`, `Group b`. A ServiceAccount is the user that its tokens speak for. */
  readonly key: string;
}

/** Everything a decision is made from. */
export interface Policy {
  /** Those that name one of the keys, in one namespace or, where that is empty, in the whole cluster. */
  bindings(namespace: string, keys: readonly string[]): Iterable<Binding>;
  /** Undefined where there is no such role. */
  rules(role: RoleReference, namespace: string): readonly CompiledRule[] | undefined;
}

export const keysOf = ({ name, groups }: User): readonly string[] => [
  `User ${name}`,
  ...groups.map(group => `Group ${group}`),
];

const bindings = new WeakMap<Stored, Binding>();

/** A stored binding, read once. */
export function bindingOf(object: Stored): Binding {
  let binding = bindings.get(object);
  if (!binding) {
    const namespace = object.metadata.namespace ?? '';
    const subjects = ((object['subjects'] ?? []) as readonly Subject[]).flatMap(subject => {
      const key = keyOf(subject, namespace);
      return key === undefined ? [] : [{ subject, key }];
    });
    binding = { name: object.metadata.name!, namespace, role: object['roleRef'] as RoleReference, subjects };
    bindings.set(object, binding);
  }
  return binding;
}

function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  switch (kind) {
    case 'User':
    case 'Group':
      return `${kind} ${name}`;
    case 'ServiceAccount': {
      const own = namespace || bindingNamespace;
      return own === '' ? undefined : `User ${serviceAccountUserName(own, name)}`;
    }
    default:
      return undefined;
  }
}

/** Keeps bindings by subject and roles by name; fed by whoever follows the objects. */
export class PolicyIndex implements Policy {
  /** Namespace → subject → bindings. */
  readonly #bindings = new Map<string, Map<string, Set<Binding>>>();
  readonly #role: (table: 'roles' | 'clusterroles', namespace: string, name: string) => Stored | undefined;

  constructor(role: (table: 'roles' | 'clusterroles', namespace: string, name: string) => Stored | undefined) {
    this.#role = role;
  }

  add(object: Stored): void {
    const binding = bindingOf(object);
    let scope = this.#bindings.get(binding.namespace);
    if (!scope) this.#bindings.set(binding.namespace, (scope = new Map()));
    for (const { key } of binding.subjects) {
      const found = scope.get(key);
      if (found) found.add(binding);
      else scope.set(key, new Set([binding]));
    }
  }

  remove(object: Stored): void {
    const binding = bindingOf(object);
    const scope = this.#bindings.get(binding.namespace);
    if (!scope) return;
    for (const { key } of binding.subjects) {
      const found = scope.get(key);
      found?.delete(binding);
      if (found?.size === 0) scope.delete(key);
    }
    if (scope.size === 0) this.#bindings.delete(binding.namespace);
  }

  *bindings(namespace: string, keys: readonly string[]): Generator<Binding> {
    const scope = this.#bindings.get(namespace);
    if (!scope) return;
    for (const [index, key] of keys.entries()) {
      for (const binding of scope.get(key) ?? []) {
        const before = keys.slice(0, index);
        if (!binding.subjects.some(subject => before.includes(subject.key))) yield binding;
      }
    }
  }

  rules({ kind, name }: RoleReference, namespace: string): readonly CompiledRule[] | undefined {
    const role = kind === 'Role' ? this.#role('roles', namespace, name) : this.#role('clusterroles', '', name);
    return role && rulesOf(role);
  }
}
