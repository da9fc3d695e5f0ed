/** What Kubernetes fills in for a HorizontalPodAutoscaler, in either version. */
import { deepClone } from '@capstan/kube';
import type { Draft } from '../../kind.ts';
import { DEFAULT_CPU_UTILIZATION, METRICS_ANNOTATION } from '../hpa-conversion.ts';
import { ensure, fill, type Tree } from '../tree.ts';

/** Growing is quick: by four Pods or to the double, whichever is more, every 15 seconds. */
const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
/** Shrinking may take all that is too much, after the controller's own wait. */
const SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

export function defaultAutoscalerV1(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'minReplicas', 1);
  // With other metrics, which version 1 keeps in an annotation, CPU is not looked at unless asked for.
  if (draft.metadata.annotations?.[METRICS_ANNOTATION] === undefined) {
    fill(spec, 'targetCPUUtilizationPercentage', DEFAULT_CPU_UTILIZATION);
  }
}

export function defaultAutoscalerV2(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  fill(spec, 'minReplicas', 1);
  fill(spec, 'metrics', [
    {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: DEFAULT_CPU_UTILIZATION } },
    },
  ]);
  const behavior = spec['behavior'] as Tree | undefined;
  if (behavior === undefined) return;
  behavior['scaleUp'] = { ...deepClone(SCALE_UP), ...behavior['scaleUp'] };
  behavior['scaleDown'] = { ...deepClone(SCALE_DOWN), ...behavior['scaleDown'] };
}
