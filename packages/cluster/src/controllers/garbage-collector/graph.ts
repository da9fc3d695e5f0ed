/**
 * Who owns whom, as far as watches have shown it. Objects are known by uid: an owner that was made anew under the same name is
 * another one. Dependents are kept by the uid they name, whether or not such an owner was ever seen.
 */
import type { KubeObject, OwnerReference, Resource } from '@capstan/kube';

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/** What the graph keeps of an object. */
export interface Node {
  readonly uid: string;
  readonly resource: Resource;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  /** The three ways in which an object can be on its way out, and not being on it. */
  readonly deletion: 'none' | 'background' | 'foreground' | 'orphan';
}

/** Objects that need a look, by uid. */
export type Affected = Iterable<string>;

export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): Node | undefined {
    return this.#nodes.get(uid);
  }

  get size(): number {
    return this.#nodes.size;
  }

  *dependentsOf(uid: string): Generator<Node> {
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const node = this.#nodes.get(dependent);
      if (node !== undefined) yield node;
    }
  }

  /** Takes in an object as it is now; gives who has to be looked at because of the change. */
  put(resource: Resource, object: KubeObject): Affected {
    const node = nodeOf(resource, object);
    const before = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    const affected = new Set<string>();
    for (const { uid } of before?.owners ?? []) if (!namesOwner(node, uid)) this.#unlink(uid, node.uid);
    for (const { uid } of node.owners) this.#link(uid, node.uid);
    if (node.owners.some(owner => !this.isSound(node, owner))) affected.add(node.uid);
    // Owners that wait for their dependents may have one less to wait for.
    for (const { uid } of before?.owners ?? []) {
      if (blocks(before!, uid) && !blocks(node, uid)) affected.add(uid);
    }
    const known = before === undefined ? node.deletion !== 'none' : before.deletion !== node.deletion;
    if (known && node.deletion !== 'none') affected.add(node.uid);
    if (known && node.deletion === 'foreground') for (const { uid } of this.dependentsOf(node.uid)) affected.add(uid);
    if (before === undefined) {
      // What was seen before its owner may name it wrongly.
      for (const dependent of this.dependentsOf(node.uid)) {
        if (dependent.owners.some(owner => owner.uid === node.uid && !matches(node, dependent, owner))) {
          affected.add(dependent.uid);
        }
      }
    }
    return affected;
  }

  /** An object is gone: its dependents have one owner less, its owners one dependent. */
  remove(uid: string): Affected {
    const node = this.#nodes.get(uid);
    if (node === undefined) return [];
    this.#nodes.delete(uid);
    const affected = new Set<string>();
    for (const dependent of this.dependentsOf(uid)) affected.add(dependent.uid);
    for (const owner of node.owners) {
      this.#unlink(owner.uid, uid);
      if (this.#nodes.get(owner.uid)?.deletion === 'foreground') affected.add(owner.uid);
    }
    return affected;
  }

  /** Forgets all objects of a kind that is not watched any more. They may exist or not. */
  forget(resource: Resource): Affected {
    const affected = new Set<string>();
    for (const node of [...this.#nodes.values()]) {
      if (node.resource !== resource) continue;
      for (const uid of this.remove(node.uid)) affected.add(uid);
    }
    return affected;
  }

  /** Whether the graph itself shows that this owner is there, is the one that is meant, and does not wait for its dependents to go. */
  isSound(node: Node, owner: OwnerReference): boolean {
    const found = this.#nodes.get(owner.uid);
    return found !== undefined && matches(found, node, owner) && found.deletion !== 'foreground';
  }

  #link(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    if (dependents === undefined) this.#dependents.set(owner, new Set([dependent]));
    else dependents.add(dependent);
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    if (dependents?.delete(dependent) && dependents.size === 0) this.#dependents.delete(owner);
  }
}

/** Whether `owner`, as `dependent` names it, is this very object: of that kind and name, in the same namespace or in none. */
export function matches(object: Node, dependent: Node, owner: OwnerReference): boolean {
  return (
    object.kind === owner.kind &&
    object.apiVersion === owner.apiVersion &&
    object.name === owner.name &&
    (object.namespace === '' || object.namespace === dependent.namespace)
  );
}

/** Whether a foreground deletion of the owner waits for this dependent. */
export function blocks({ owners }: Node, owner: string): boolean {
  return owners.some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion === true);
}

const namesOwner = ({ owners }: Node, owner: string): boolean => owners.some(({ uid }) => uid === owner);

function nodeOf(resource: Resource, { apiVersion, kind, metadata }: KubeObject): Node {
  const { uid = '', namespace = '', name, ownerReferences: owners = [] } = metadata;
  return { uid, resource, apiVersion, kind, namespace, name, owners, deletion: deletionOf(metadata) };
}

export function deletionOf({ deletionTimestamp, finalizers }: KubeObject['metadata']): Node['deletion'] {
  if (deletionTimestamp === undefined) return 'none';
  if (finalizers?.includes(ORPHAN)) return 'orphan';
  return finalizers?.includes(FOREGROUND) ? 'foreground' : 'background';
}
