/** `apps/v1`: workloads that keep Pods running. */
import type { KubeObject } from '../object.ts';
import { resource } from '../resource.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import type { PersistentVolumeClaim } from './core.ts';
import type { PodCondition, PodTemplate } from './pod-spec.ts';

export interface WorkloadCondition extends PodCondition {
  readonly lastUpdateTime?: string | null;
}

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate';
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly collisionCount?: number;
    readonly conditions?: readonly WorkloadCondition[];
  };
}

export const deployments = resource<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
});

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector: LabelSelector;
    readonly template?: PodTemplate;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas: number;
    readonly fullyLabeledReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly PodCondition[];
  };
}

export const replicaSets = resource<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
});

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly serviceName?: string;
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: number | string };
    };
    readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: 'Retain' | 'Delete';
      readonly whenScaled?: 'Retain' | 'Delete';
    };
    readonly ordinals?: { readonly start?: number };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly currentReplicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly collisionCount?: number;
    readonly conditions?: readonly PodCondition[];
  };
}

export const statefulSets = resource<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
});

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete';
      readonly rollingUpdate?: { readonly maxUnavailable?: number | string; readonly maxSurge?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentNumberScheduled: number;
    readonly numberMisscheduled: number;
    readonly desiredNumberScheduled: number;
    readonly numberReady: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly numberUnavailable?: number;
    readonly collisionCount?: number;
    readonly conditions?: readonly PodCondition[];
  };
}

export const daemonSets = resource<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  namespaced: true,
});

/** A state of a StatefulSet's or DaemonSet's template that was rolled out, or is to be rolled back to. */
export interface ControllerRevision extends KubeObject {
  readonly revision: number;
  /** A strategic merge patch of the owner: `{ spec: { template: { …, $patch: 'replace' } } }`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export const controllerRevisions = resource<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  namespaced: true,
});
