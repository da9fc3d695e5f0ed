/** Where data stays: PersistentVolumes (`v1`) and the classes they come from (`storage.k8s.io/v1`). */
import type { KubeObject } from '../object.ts';
import { resource } from '../resource.ts';
import type { ObjectReferenceField } from './core.ts';

export interface PersistentVolume extends KubeObject {
  readonly spec?: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly accessModes?: readonly string[];
    readonly claimRef?: ObjectReferenceField;
    readonly persistentVolumeReclaimPolicy?: 'Retain' | 'Delete' | 'Recycle';
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly mountOptions?: readonly string[];
    readonly hostPath?: { readonly path: string; readonly type?: string };
    readonly local?: { readonly path: string; readonly fsType?: string };
    readonly nodeAffinity?: { readonly required?: NodeSelector };
  };
  readonly status?: {
    readonly phase?: 'Pending' | 'Available' | 'Bound' | 'Released' | 'Failed';
    readonly message?: string;
    readonly reason?: string;
    readonly lastPhaseTransitionTime?: string;
  };
}

/** Which nodes: one of the terms has to hold, and all of its requirements. */
export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

export const persistentVolumes = resource<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  namespaced: false,
});

export interface StorageClass extends KubeObject {
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: 'Retain' | 'Delete';
  readonly volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer';
  readonly allowVolumeExpansion?: boolean;
  readonly mountOptions?: readonly string[];
}

export const storageClasses = resource<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  namespaced: false,
});
