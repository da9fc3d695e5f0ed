import type { KubeObject, OwnerReference } from '@capstan/kube';

export interface OwnerReferenceOptions {
  /** The one owner that manages the object. Default: true. */
  readonly controller?: boolean;
  /** A foreground deletion of the owner waits for the object. Default: true. */
  readonly blockOwnerDeletion?: boolean;
}

/** What an object carries to be deleted with its owner. The owner must be stored (it needs a uid) and in the same namespace, or in none. */
export function ownerReference(
  owner: KubeObject,
  { controller = true, blockOwnerDeletion = true }: OwnerReferenceOptions = {},
): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  if (!metadata.uid) throw new TypeError(`${kind} ${metadata.name} has no uid: only a stored object can own others`);
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller, blockOwnerDeletion };
}

/** The owner that manages the object, if there is one. */
export function controllerOf({ metadata }: Pick<KubeObject, 'metadata'>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(owner => owner.controller === true);
}

/** By uid: an object of the same name that came later is another owner. */
export function isOwnedBy({ metadata }: KubeObject, owner: KubeObject): boolean {
  return owner.metadata.uid !== undefined && !!metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
}
