/** What the claims of a Pod mean for where it can run. */
import type { Node, PersistentVolume, PersistentVolumeClaim, StorageClass } from '@capstan/kube';
import { bestMatch } from '../persistentvolume/match.ts';
import { selectsNode } from './node-selector.ts';
import type { PodInfo } from './pod-info.ts';

/** On a claim: the node for which its volume shall be made. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

/** How claims, volumes and classes are found. */
export interface VolumeLookup {
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  storageClass(name: string): StorageClass | undefined;
  allVolumes(): readonly PersistentVolume[];
}

export interface VolumeNeeds {
  /** A reason that holds for every node. */
  readonly refusal: string | undefined;
  /** Claims that wait to be told where their first consumer runs. */
  readonly unbound: readonly PersistentVolumeClaim[];
  whyNot(node: Node): readonly string[];
}

const NO_NEEDS: VolumeNeeds = { refusal: undefined, unbound: [], whyNot: () => [] };

export function volumeNeeds({ pod, claims }: PodInfo, lookup: VolumeLookup): VolumeNeeds {
  if (claims.length === 0) return NO_NEEDS;
  const unbound: PersistentVolumeClaim[] = [];
  const volumes: PersistentVolume[] = [];
  const nodes: string[] = [];
  for (const name of claims) {
    const claim = lookup.claim(pod.metadata.namespace ?? '', name);
    if (claim === undefined) return { ...NO_NEEDS, refusal: `persistentvolumeclaim "${name}" not found` };
    if (claim.metadata.deletionTimestamp !== undefined) {
      return { ...NO_NEEDS, refusal: `persistentvolumeclaim "${name}" is being deleted` };
    }
    const selected = claim.metadata.annotations?.[SELECTED_NODE];
    if (claim.status?.phase === 'Bound' && claim.spec?.volumeName) {
      const volume = lookup.volume(claim.spec.volumeName);
      const missing = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
      if (volume === undefined) return { ...NO_NEEDS, whyNot: () => [missing] };
      volumes.push(volume);
    } else if (waitsForConsumer(claim, lookup)) {
      unbound.push(claim);
      if (selected !== undefined) nodes.push(selected);
    } else {
      return { ...NO_NEEDS, refusal: 'pod has unbound immediate PersistentVolumeClaims' };
    }
  }
  const unmade = unbound.filter(claim => !isMadeOnDemand(claim, lookup));
  return {
    refusal: undefined,
    unbound,
    whyNot(node) {
      const reachable = volumes.every(({ spec }) => {
        const required = spec?.nodeAffinity?.required;
        return required === undefined || selectsNode(required, node);
      });
      if (!reachable) return ["node(s) didn't match PersistentVolume's node affinity"];
      // A volume is being made for that node already.
      const elsewhere = nodes.some(name => name !== node.metadata.name);
      const without = unmade.some(claim => bestMatch(claim, lookup.allVolumes(), node) === undefined);
      return elsewhere || without ? ["node(s) didn't find available persistent volumes to bind"] : [];
    },
  };
}

function waitsForConsumer({ spec }: PersistentVolumeClaim, lookup: VolumeLookup): boolean {
  if (spec?.volumeName) return false;
  return lookup.storageClass(spec?.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Volumes of a class without a provisioner have to be there already, where the Pod is to run. */
const isMadeOnDemand = ({ spec }: PersistentVolumeClaim, lookup: VolumeLookup): boolean =>
  lookup.storageClass(spec?.storageClassName ?? '')?.provisioner !== 'kubernetes.io/no-provisioner';
