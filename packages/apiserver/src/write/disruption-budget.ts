/** How many Pods of an application may be taken away at once, and who keeps count. */
import { deepClone, type LabelSelector, labelSelectorMatcher, timestamp } from '@capstan/kube';
import type { Draft, Stored } from '../kind.ts';
import { failure, forbidden, type StatusError } from '../status.ts';
import { keyOf } from '../storage.ts';
import { HeadMoved } from '../store/store.ts';
import type { WriteContext } from './context.ts';

const TABLE = 'policy/poddisruptionbudgets';
const SUBJECT = { group: 'policy', plural: 'poddisruptionbudget', kind: 'PodDisruptionBudget' };
/** As many evictions may wait for the budget's controller to count them. */
const MOST_DISRUPTED_PODS = 2000;
/** A budget that its controller has not seen yet is worth asking again soon. */
const RETRY_SECONDS = 10;

/** Takes one disruption off the budget that covers the Pod, if one does, or refuses. */
export async function spendBudget(context: WriteContext, pod: Stored): Promise<void> {
  const [budget, another] = budgetsOf(context, pod);
  if (!budget) return;
  if (another) {
    throw failure(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (!isReady(pod) && mayLoseUnready(budget)) return;
  for (;;) {
    const head = context.store.head(TABLE, keyOf(context.namespace, budget.metadata.name!));
    if (!head) return;
    refuseOverdrawn(head.object);
    if (context.options.dryRun) return;
    try {
      await context.store.write(TABLE, head.key, head, spent(head.object, pod, context.clock.now()));
      return;
    } catch (error) {
      if (!(error instanceof HeadMoved)) throw error;
    }
  }
}

function budgetsOf({ store, namespace }: WriteContext, pod: Stored): Stored[] {
  return store
    .list(TABLE, `${namespace}/`)
    .map(entry => entry.object)
    .filter(budget => selects(budget['spec']?.selector, pod));
}

function selects(selector: LabelSelector | undefined, pod: Stored): boolean {
  try {
    return selector !== undefined && labelSelectorMatcher(selector).matches(pod.metadata.labels ?? {});
  } catch {
    return false; // a selector that cannot be read selects nothing
  }
}

function isReady(pod: Stored): boolean {
  const conditions: readonly { type: string; status: string }[] = pod['status']?.conditions ?? [];
  return conditions.some(condition => condition.type === 'Ready' && condition.status === 'True');
}

/** A Pod that is not ready is no loss where the budget says so, or where enough others are well. */
function mayLoseUnready({ spec, status }: Stored): boolean {
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function refuseOverdrawn({ metadata, status = {} }: Stored): void {
  const name = metadata.name!;
  const { observedGeneration = 0, disruptionsAllowed = 0, disruptedPods = {} } = status;
  if (observedGeneration < (metadata.generation ?? 0)) {
    throw tooManyRequests(`The disruption budget ${name} is still being processed by the server.`, RETRY_SECONDS);
  }
  if (disruptionsAllowed < 0) throw forbiddenBudget(name, 'pdb disruptions allowed is negative');
  if (Object.keys(disruptedPods).length > MOST_DISRUPTED_PODS) {
    throw forbiddenBudget(name, 'too many pending evictions not confirmed by PDB controller');
  }
  if (disruptionsAllowed === 0) throw tooManyRequests(whyNone(name, status));
}

interface BudgetStatus {
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
}

function whyNone(name: string, { currentHealthy = 0, desiredHealthy = 0, conditions = [] }: BudgetStatus): string {
  const condition = conditions.find(one => one.type === 'DisruptionAllowed' && one.status === 'False' && one.message);
  const refusal = `The disruption budget ${name} does not allow evicting pods currently`;
  if (condition?.reason === 'SyncFailed') return `${refusal} because it failed sync: ${condition.message}`;
  if (currentHealthy <= desiredHealthy) {
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  return condition ? `${refusal} (${condition.reason}): ${condition.message}` : refusal;
}

function tooManyRequests(why: string, retryAfterSeconds = 0): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget.";
  return failure(429, 'TooManyRequests', message, {
    causes: [{ reason: 'DisruptionBudget', message: why }],
    ...(retryAfterSeconds > 0 && { retryAfterSeconds }),
  });
}

function forbiddenBudget(name: string, why: string): StatusError {
  const cause = `The disruption budget ${name} does not allow evicting pods currently: ${why}`;
  return forbidden(SUBJECT, name, why, [{ reason: 'DisruptionBudget', message: cause }]);
}

/** One disruption less, and the Pod noted, so that the budget's controller does not count it as there. */
function spent(budget: Stored, pod: Stored, now: number): Draft {
  const draft = deepClone(budget) as Draft;
  const status = draft['status'];
  status.disruptionsAllowed--;
  status.disruptedPods = { ...status.disruptedPods, [pod.metadata.name!]: timestamp(now) };
  if (status.disruptionsAllowed > 0) return draft;
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: status.observedGeneration,
    lastTransitionTime: timestamp(now),
    reason: 'InsufficientPods',
    message: '',
  };
  const others = (status.conditions ?? []).filter((one: { type: string }) => one.type !== condition.type);
  status.conditions = [...others, condition];
  return draft;
}
