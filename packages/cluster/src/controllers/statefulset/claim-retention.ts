/** What becomes of the claims of a StatefulSet when it is deleted or scaled down: who owns a claim decides with whom it goes. */
import { ownerReference } from '@capstan/controller';
import type { OwnerReference, PersistentVolumeClaim, Pod, StatefulSet } from '@capstan/kube';
import { isInRange, namesOwner, ordinalOf } from './identity.ts';

/** The owner references that the claim should have, or `undefined` when they are right or not ours to change. */
export function retentionOwners(
  claim: PersistentVolumeClaim,
  set: StatefulSet,
  pod: Pod,
): readonly OwnerReference[] | undefined {
  const existing = claim.metadata.ownerReferences ?? [];
  // An owner of that name which is gone: the claim is about to be collected. Leave it to that.
  if (isStale(existing, set) || isStale(existing, pod)) return undefined;
  const others = existing.filter(reference => !namesOwner(reference, set) && !namesOwner(reference, pod));
  const foreign = others.some(({ controller }) => controller === true);
  const owner = foreign ? undefined : wantedOwner(set, pod);
  const wanted = owner === undefined ? others : [...others, ownerReference(owner)];
  return sameOwners(existing, wanted) ? undefined : wanted;
}

function wantedOwner(set: StatefulSet, pod: Pod): StatefulSet | Pod | undefined {
  const { whenScaled = 'Retain', whenDeleted = 'Retain' } = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const scaledDown = !isInRange(ordinalOf(pod, set), set);
  if (scaledDown && whenScaled === 'Delete') return pod;
  return whenDeleted === 'Delete' ? set : undefined;
}

function isStale(references: readonly OwnerReference[], owner: StatefulSet | Pod): boolean {
  return references.some(reference => namesOwner(reference, owner) && reference.uid !== owner.metadata.uid);
}

/** A claim that belongs to an earlier Pod of this name goes with it: a new Pod must wait for a new claim. */
export function isLeaving(claim: PersistentVolumeClaim, podName: string, set: StatefulSet): boolean {
  if ((set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled ?? 'Retain') === 'Retain') return false;
  return (claim.metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'Pod' && name === podName);
}

function sameOwners(left: readonly OwnerReference[], right: readonly OwnerReference[]): boolean {
  const text = (references: readonly OwnerReference[]): string =>
    references
      .map(({ uid, controller }) => `${uid} ${controller === true}`)
      .sort()
      .join();
  return text(left) === text(right);
}
