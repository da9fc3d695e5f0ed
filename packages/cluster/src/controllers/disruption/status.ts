/** How many Pods of a PodDisruptionBudget may be evicted now. */
import { setCondition } from '@capstan/controller';
import type { Pod, PodDisruptionBudget } from '@capstan/kube';
import { scaledValue } from '../workload/int-or-percent.ts';
import { isReady } from '../workload/pod-state.ts';

export type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

/** An eviction that was allowed and did not lead to a deletion within this is forgotten. */
export const DELETION_TIMEOUT = 120_000;

/** Whether the budget is a share of what there should be, rather than a number: then the workloads' sizes are needed. */
export function needsScale({ spec }: PodDisruptionBudget): boolean {
  return spec?.maxUnavailable !== undefined || typeof spec?.minAvailable === 'string';
}

/** `scale`: how many Pods the workloads behind these Pods ask for, where it is needed. */
export function statusOf(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  scale: number | undefined,
  now: number,
): BudgetStatus {
  const expectedPods = scale ?? pods.length;
  const desiredHealthy = desiredOf(budget, expectedPods);
  const disruptedPods = stillDisrupted(budget, pods, now);
  const currentHealthy = pods.filter(
    pod => pod.metadata.deletionTimestamp === undefined && !(pod.metadata.name in disruptedPods) && isReady(pod),
  ).length;
  // No Pods at all allow nothing: those that appear are not looked at yet.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = budget.metadata.generation ?? 0;
  return {
    observedGeneration,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    conditions: setCondition(
      budget.status?.conditions,
      disruptionsAllowed > 0
        ? { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods', message: '', observedGeneration }
        : { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '', observedGeneration },
      now,
    ),
  };
}

function desiredOf({ spec }: PodDisruptionBudget, expected: number): number {
  if (spec?.maxUnavailable !== undefined) {
    return Math.max(0, expected - scaledValue(spec.maxUnavailable, expected, 'up'));
  }
  return scaledValue(spec?.minAvailable, expected, 'up');
}

/** Pods whose eviction was allowed and that are not being deleted yet. */
function stillDisrupted({ status }: PodDisruptionBudget, pods: readonly Pod[], now: number): Record<string, string> {
  const waiting = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const names = new Set(waiting.map(({ metadata }) => metadata.name));
  return Object.fromEntries(
    Object.entries(status?.disruptedPods ?? {}).filter(
      ([name, at]) => names.has(name) && Date.parse(at) + DELETION_TIMEOUT >= now,
    ),
  );
}

/** When the calculation fails nothing may be evicted, and the condition says why. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: number): BudgetStatus {
  const { status } = budget;
  const { observedGeneration = 0 } = status ?? {};
  return {
    ...{ currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    ...status,
    disruptionsAllowed: 0,
    conditions: setCondition(
      status?.conditions,
      { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message, observedGeneration },
      now,
    ),
  };
}
