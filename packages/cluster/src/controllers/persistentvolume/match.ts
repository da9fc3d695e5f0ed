/** Which volume suits a claim. Pure. */
import {
  compareQuantities,
  type LabelSelector,
  labelSelectorMatcher,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from '@capstan/kube';
import { selectsNode } from '../scheduler/node-selector.ts';

/** The smallest volume that is free, or is kept for this claim, and has what the claim asks for. */
export function bestMatch(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  node?: Node,
): PersistentVolume | undefined {
  const kept = volumes.find(volume => isKeptFor(volume, claim) && whyUnsuitable(volume, claim) === undefined);
  if (kept !== undefined) return kept;
  const selector = claim.spec && 'selector' in claim.spec ? (claim.spec.selector as LabelSelector) : undefined;
  const selects = selector === undefined ? () => true : labelSelectorMatcher(selector).matches;
  return volumes
    .filter(volume => isFree(volume) && selects(volume.metadata.labels) && isReachable(volume, node))
    .filter(volume => whyUnsuitable(volume, claim) === undefined)
    .sort(bySize)[0];
}

/** Why a volume is not what a claim asks for; undefined if it is. */
export function whyUnsuitable({ spec }: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const wanted = claim.spec ?? {};
  if (compareQuantities(spec?.capacity?.['storage'] ?? '0', wanted.resources?.requests?.['storage'] ?? '0') < 0) {
    return 'requested PV is too small';
  }
  if ((spec?.storageClassName ?? '') !== (wanted.storageClassName ?? '')) {
    return 'storageClassName does not match';
  }
  if ((spec?.volumeMode ?? 'Filesystem') !== (wanted.volumeMode ?? 'Filesystem')) return 'incompatible volumeMode';
  const modes = spec?.accessModes ?? [];
  return (wanted.accessModes ?? []).every(mode => modes.includes(mode)) ? undefined : 'incompatible accessMode';
}

/** Whether a volume names this claim. One that names no uid was put aside for whatever claim has the name. */
export function isKeptFor({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const reference = spec?.claimRef;
  if (reference === undefined) return false;
  if (reference.name !== metadata.name || reference.namespace !== metadata.namespace) return false;
  return !reference.uid || reference.uid === metadata.uid;
}

function isFree({ metadata, spec, status }: PersistentVolume): boolean {
  if (metadata.deletionTimestamp !== undefined || spec?.claimRef !== undefined) return false;
  return status?.phase === undefined || status.phase === 'Available' || status.phase === 'Pending';
}

/** Without a node to go by, the Pod will have to follow the volume. */
function isReachable({ spec }: PersistentVolume, node: Node | undefined): boolean {
  const required = spec?.nodeAffinity?.required;
  return required === undefined || node === undefined || selectsNode(required, node);
}

const bySize = (left: PersistentVolume, right: PersistentVolume): number =>
  compareQuantities(left.spec?.capacity?.['storage'] ?? '0', right.spec?.capacity?.['storage'] ?? '0') ||
  (left.metadata.name < right.metadata.name ? -1 : 1);
