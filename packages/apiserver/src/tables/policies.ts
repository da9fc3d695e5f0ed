import type { HorizontalPodAutoscaler, PodDisruptionBudget } from '@capstan/kube';
import { type Metric, metricsText } from './autoscaler-metrics.ts';
import { AGE, fieldOf, NAME, type Printer } from './printer.ts';

export const podDisruptionBudgetPrinter: Printer<PodDisruptionBudget> = {
  columns: [
    NAME,
    {
      name: 'Min Available',
      description: 'The minimum number of pods that must be available.',
      cell: ({ spec }) => String(spec?.minAvailable ?? 'N/A'),
    },
    {
      name: 'Max Unavailable',
      description: 'The maximum number of pods that may be unavailable.',
      cell: ({ spec }) => String(spec?.maxUnavailable ?? 'N/A'),
    },
    {
      name: 'Allowed Disruptions',
      type: 'integer',
      description: 'Calculated number of pods that may be disrupted at this time.',
      cell: ({ status }) => status?.disruptionsAllowed ?? 0,
    },
    AGE,
  ],
};

export const autoscalerPrinter: Printer<HorizontalPodAutoscaler> = {
  columns: [
    NAME,
    {
      name: 'Reference',
      description: fieldOf('autoscaling.v2.HorizontalPodAutoscalerSpec', 'scaleTargetRef'),
      cell: ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`,
    },
    {
      name: 'Targets',
      description: fieldOf('autoscaling.v2.HorizontalPodAutoscalerSpec', 'metrics'),
      cell({ spec, status }) {
        const { currentMetrics } = (status ?? {}) as { currentMetrics?: readonly Metric[] | null };
        return metricsText((spec?.metrics ?? []) as readonly Metric[], currentMetrics ?? []);
      },
    },
    {
      name: 'MinPods',
      description: fieldOf('autoscaling.v2.HorizontalPodAutoscalerSpec', 'minReplicas'),
      cell: ({ spec }) => String(spec?.minReplicas ?? '<unset>'),
    },
    {
      name: 'MaxPods',
      description: fieldOf('autoscaling.v2.HorizontalPodAutoscalerSpec', 'maxReplicas'),
      cell: ({ spec }) => spec?.maxReplicas ?? 0,
    },
    {
      name: 'Replicas',
      description: fieldOf('autoscaling.v2.HorizontalPodAutoscalerStatus', 'currentReplicas'),
      cell: ({ status }) => status?.currentReplicas ?? 0,
    },
    AGE,
  ],
};
