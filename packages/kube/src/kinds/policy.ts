/** How many Pods may be missing (`policy/v1`), how many there shall be (`autoscaling/v2`), and what is told about them. */
import type { Condition, KubeObject } from '../object.ts';
import { resource } from '../resource.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import type { ObjectReferenceField } from './core.ts';
import type { PodCondition } from './pod-spec.ts';

export interface PodDisruptionBudget extends KubeObject {
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    /** Pods whose eviction was allowed and that are not gone yet, with the time of it. */
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly disruptionsAllowed: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly expectedPods: number;
    readonly conditions?: readonly Condition[];
  };
}

export const podDisruptionBudgets = resource<PodDisruptionBudget>({
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  namespaced: true,
});

/** What `client.subresource(pods, 'eviction').create` takes. */
export interface Eviction extends KubeObject {
  readonly deleteOptions?: Readonly<Record<string, unknown>>;
}

export interface HorizontalPodAutoscaler extends KubeObject {
  readonly spec: {
    readonly scaleTargetRef: { readonly apiVersion?: string; readonly kind: string; readonly name: string };
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly Readonly<Record<string, unknown>>[];
    readonly behavior?: Readonly<Record<string, unknown>>;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentReplicas?: number;
    readonly desiredReplicas: number;
    readonly conditions?: readonly PodCondition[];
  };
}

export const horizontalPodAutoscalers = resource<HorizontalPodAutoscaler>({
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  namespaced: true,
});

/** `events.k8s.io/v1`: the newer form of `CoreEvent`; the server shows each as the other. */
export interface StructuredEvent extends KubeObject {
  readonly eventTime: string | null;
  readonly regarding?: ObjectReferenceField;
  readonly related?: ObjectReferenceField;
  readonly type?: 'Normal' | 'Warning';
  readonly reason?: string;
  readonly action?: string;
  readonly note?: string;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
  readonly deprecatedCount?: number;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly deprecatedSource?: { readonly component?: string; readonly host?: string };
}

export const structuredEvents = resource<StructuredEvent>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
});
