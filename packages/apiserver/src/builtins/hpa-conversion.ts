/**
 * HorizontalPodAutoscalers are stored as `autoscaling/v2`. Version 1 knows a target for CPU alone; all else of version 2
 * travels in annotations, so that a client of version 1 which reads and writes back loses nothing.
 */
import { deepClone } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import {
  behaviorFromAnnotation,
  behaviorToAnnotation,
  conditionsFromAnnotation,
  metricsFromAnnotation,
  metricsToAnnotation,
} from './hpa-annotations.ts';
import type { Tree } from './tree.ts';

export const METRICS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/metrics';
const CURRENT_METRICS = 'autoscaling.alpha.kubernetes.io/current-metrics';
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const ROUND_TRIP = [METRICS_ANNOTATION, CURRENT_METRICS, CONDITIONS, BEHAVIOR];

/** What version 1 meant all along when it named no target. */
export const DEFAULT_CPU_UTILIZATION = 80;

interface Metric {
  readonly type: string;
  readonly resource?: {
    readonly name: string;
    readonly target?: { readonly averageUtilization?: number };
    readonly current?: { readonly averageUtilization?: number };
  };
}

const isCpu = (metric: Metric): boolean => metric.type === 'Resource' && metric.resource?.name === 'cpu';
const isCpuTarget = (metric: Metric): boolean =>
  isCpu(metric) && metric.resource?.target?.averageUtilization !== undefined;
const cpuTarget = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** v2 → v1. */
export function hpaFromStorage(stored: Stored): Draft {
  const { spec = {}, status = {}, ...rest } = deepClone(stored) as Draft;
  const { metrics = [], behavior, ...specRest } = spec as { metrics?: Metric[]; behavior?: Tree };
  const {
    currentMetrics: current,
    conditions: found,
    ...statusRest
  } = status as {
    currentMetrics?: Metric[] | null;
    conditions?: unknown[] | null;
  };
  // A new autoscaler has neither, which Go writes as null.
  const currentMetrics = current ?? [];
  const conditions = found ?? [];
  const cpu = metrics.find(isCpuTarget)?.resource?.target?.averageUtilization;
  const currentCpu = currentMetrics.findLast(isCpu)?.resource?.current?.averageUtilization;
  const draft: Draft = {
    ...rest,
    apiVersion: 'autoscaling/v1',
    spec: { ...specRest, ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }) },
    status: { ...statusRest, ...(currentCpu !== undefined && { currentCPUUtilizationPercentage: currentCpu }) },
  };
  dropRoundTripAnnotations(draft);
  const otherMetrics = metrics.filter(metric => !isCpuTarget(metric));
  if (otherMetrics.length > 0) annotate(draft, METRICS_ANNOTATION, metricsToAnnotation(otherMetrics, 'target'));
  if (currentMetrics.length > 0) annotate(draft, CURRENT_METRICS, metricsToAnnotation(currentMetrics, 'current'));
  if (behavior !== undefined) annotate(draft, BEHAVIOR, behaviorToAnnotation(behavior));
  if (conditions.length > 0) annotate(draft, CONDITIONS, JSON.stringify(conditions));
  return draft;
}

/** v1 → v2. */
export function hpaToStorage(draft: Draft): Draft {
  const { spec = {}, status = {}, ...rest } = draft;
  const { targetCPUUtilizationPercentage: cpu, ...specRest } = spec;
  const { currentCPUUtilizationPercentage: currentCpu, ...statusRest } = status;
  const annotations = draft.metadata.annotations ?? {};
  const others = metricsFromAnnotation(annotations[METRICS_ANNOTATION], 'target') ?? [];
  const metrics = [...others, ...(cpu === undefined ? [] : [cpuTarget(cpu)])];
  const behavior = behaviorFromAnnotation(annotations[BEHAVIOR]);
  const conditions = conditionsFromAnnotation(annotations[CONDITIONS]);
  const currentMetrics =
    metricsFromAnnotation(annotations[CURRENT_METRICS], 'current') ??
    (currentCpu === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentCpu } } }]);
  const stored: Draft = {
    ...rest,
    apiVersion: 'autoscaling/v2',
    spec: {
      ...specRest,
      metrics: metrics.length > 0 ? metrics : [cpuTarget(DEFAULT_CPU_UTILIZATION)],
      ...(behavior !== undefined && { behavior }),
    },
    status: {
      ...statusRest,
      ...(currentMetrics !== undefined && { currentMetrics }),
      ...(conditions !== undefined && { conditions }),
    },
  };
  dropRoundTripAnnotations(stored);
  return stored;
}

function annotate(draft: Draft, name: string, text: string): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [name]: text };
}

function dropRoundTripAnnotations(draft: Draft): void {
  if (draft.metadata.annotations === undefined) return;
  const kept = Object.entries(draft.metadata.annotations).filter(([name]) => !ROUND_TRIP.includes(name));
  const { annotations: _all, ...metadata } = draft.metadata;
  draft.metadata = kept.length > 0 ? { ...metadata, annotations: Object.fromEntries(kept) } : metadata;
}
