/** The disruption controller: keeps the status of PodDisruptionBudgets, which evictions are decided by. */
import { done, type Reconcile, type Recorder, requeueAfter } from '@capstan/controller';
import {
  deepEqual,
  deployments,
  labelSelectorMatcher,
  type Pod,
  podDisruptionBudgets,
  pods,
  replicaSets,
  statefulSets,
} from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { expectedScale, NoScale } from './scale.ts';
import { type BudgetStatus, DELETION_TIMEOUT, failedStatus, needsScale, statusOf } from './status.ts';

export const disruptionController: BuiltinController = {
  name: 'disruption',
  setup(manager) {
    const { cache } = manager;
    for (const kind of [deployments, replicaSets, statefulSets]) cache.declare(kind as typeof deployments);
    const budgetsOf = (pod: Pod) =>
      cache
        .of(podDisruptionBudgets)
        .now.list({ namespace: pod.metadata.namespace })
        .filter(({ spec }) => labelSelectorMatcher(spec?.selector).matches(pod.metadata.labels))
        .map(({ metadata }) => metadata);
    manager.controller({
      name: 'disruption',
      for: podDisruptionBudgets,
      watches: [{ kind: pods, map: budgetsOf }],
      reconcile: reconcileBudget(manager.recorder('controllermanager')),
    });
  },
};

function reconcileBudget(recorder: Recorder): Reconcile {
  return async ({ namespace, name }, { client, cache, now }) => {
    const budget = await cache.get(podDisruptionBudgets, { namespace, name });
    if (budget === undefined) return done();
    const { selector } = budget.spec ?? {};
    const matching = labelSelectorMatcher(selector);
    const selected = (await cache.list(pods, { namespace })).filter(pod => matching.matches(pod.metadata.labels));
    if (selected.length === 0) {
      recorder.record(budget, { type: 'Normal', reason: 'NoPods', message: 'No matching pods found' });
    }
    let status: BudgetStatus;
    try {
      const scale = needsScale(budget) ? await expectedScale(selected, cache) : undefined;
      if (scale !== undefined && scale.unmanaged.length > 0) {
        const message = `Pods selected by this PodDisruptionBudget (selector: ${matching}) were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;
        recorder.record(budget, { type: 'Warning', reason: 'UnmanagedPods', message });
      }
      status = statusOf(budget, selected, scale?.scale, now);
    } catch (error) {
      if (!(error instanceof NoScale)) throw error;
      const message = `Failed to calculate the number of expected pods: ${error.message}`;
      recorder.record(budget, { type: 'Warning', reason: 'CalculateExpectedPodCountFailed', message });
      status = failedStatus(budget, error.message, now);
    }
    if (!deepEqual(budget.status, status)) await client.updateStatus(podDisruptionBudgets, { ...budget, status });
    const evicted = Object.values(status.disruptedPods ?? {}).map(at => Date.parse(at) + DELETION_TIMEOUT + 1000 - now);
    return evicted.length === 0 ? done() : requeueAfter(Math.max(0, Math.min(...evicted)));
  };
}
