/**
 * `/scale` shows an object as an `autoscaling/v1` Scale with a field of its own for the replicas. Whoever sets them there owns
 * the object's field, wherever that is in each version of its kind.
 */
import type { ManagedFieldsEntry } from '@capstan/kube';
import { difference, has, isEmpty, setOf } from './fieldset.ts';
import { decodeManagers, encodeManagers, type Manager } from './managers.ts';
import { fieldElement } from './path-element.ts';

/**
 * Where the replicas are, by the apiVersion of the object: `['spec', 'replicas']`. Null for a version without /scale, absent for
 * one that is not served.
 */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | null>>;

const SCALE_VERSION = 'autoscaling/v1';
const REPLICAS = setOf(['f:spec', 'f:replicas']);

type Entries = readonly ManagedFieldsEntry[] | undefined;

/** The managedFields of the Scale of an object: those who own its replicas. Throws ManagedFieldsError. */
export function managedFieldsOfScale(parent: Entries, paths: ReplicasPaths): ManagedFieldsEntry[] | undefined {
  const owners = new Map<string, Manager>();
  for (const [key, manager] of decodeManagers(parent ?? [])) {
    const path = paths[manager.apiVersion];
    if (path == null || !has(manager.set, path.map(fieldElement))) continue;
    owners.set(key, { ...manager, apiVersion: SCALE_VERSION, set: REPLICAS });
  }
  return encodeManagers(owners);
}

/** The managedFields of an object after a write to its Scale left these. Throws ManagedFieldsError. */
export function managedFieldsOfScaled(
  parent: Entries,
  scale: Entries,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const before = decodeManagers(parent ?? []);
  const owners = decodeManagers(scale ?? []);
  const after = new Map<string, Manager>();
  for (const [key, manager] of before) {
    const path = paths[manager.apiVersion];
    if (path === undefined) continue;
    const elements = path?.map(fieldElement) ?? [];
    if (!has(manager.set, elements) || owners.delete(key)) after.set(key, manager);
    else {
      const set = difference(manager.set, setOf(elements));
      if (!isEmpty(set)) after.set(key, { ...manager, set });
    }
  }
  for (const [key, owner] of owners) {
    if (!has(owner.set, ['f:spec', 'f:replicas'])) continue;
    const set = setOf((paths[apiVersion] ?? []).map(fieldElement));
    // Only a manager of the object has a time: Kubernetes loses that of a write to the Scale.
    after.set(key, { ...owner, apiVersion, set, time: before.get(key)?.time });
  }
  return encodeManagers(after);
}
