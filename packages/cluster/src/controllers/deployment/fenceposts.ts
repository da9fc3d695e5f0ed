/** How far a rolling update may stray from the wanted number of Pods. */
import type { Deployment } from '@capstan/kube';
import { scaledValue } from '../workload/int-or-percent.ts';

export interface Fenceposts {
  /** Pods that there may be beyond the wanted number. */
  readonly maxSurge: number;
  /** Pods of the wanted number that may be unavailable. */
  readonly maxUnavailable: number;
}

export function fencepostsOf({ spec }: Deployment): Fenceposts {
  const { strategy, replicas = 1 } = spec;
  if (strategy?.type !== 'RollingUpdate') return { maxSurge: 0, maxUnavailable: 0 };
  const maxSurge = scaledValue(strategy.rollingUpdate?.maxSurge, replicas, 'up');
  const rounded = scaledValue(strategy.rollingUpdate?.maxUnavailable, replicas, 'down');
  // Both zero would never move. It comes about by rounding only: validation refuses it.
  const maxUnavailable = maxSurge === 0 && rounded === 0 ? 1 : rounded;
  return { maxSurge, maxUnavailable: Math.min(maxUnavailable, replicas) };
}
