/** The life of a Pod as the API server sees it. */
import { timestamp } from '@capstan/kube';
import type { Draft, Stored } from '../../kind.ts';
import { defaultPod } from '../defaults/pod.ts';
import { qosClass } from '../qos-class.ts';
import type { StrategyRules } from '../strategy.ts';
import { take } from '../strategy.ts';
import { listOf, own, type Tree } from '../tree.ts';
import { validateNewPod, validatePod } from '../validation/pod.ts';
import { validatePodStatusUpdate, validatePodUpdate } from '../validation/pod-update.ts';
import { podWarnings } from '../validation/pod-warnings.ts';

export const podRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultPod,
  prepareForCreate(draft, { clock }) {
    addAffinityLabels(draft);
    draft['status'] = { phase: 'Pending', qosClass: qosClass(draft['spec']) };
    if (listOf(draft['spec'], 'schedulingGates').length > 0) {
      draft['status'].conditions = [schedulingGated(timestamp(clock.now()))];
    }
  },
  prepareForStatusUpdate: keepPodStatus,
  validateCreate: (pod, found) => [...found, ...validateNewPod(pod)],
  validate: validatePod,
  validateStatusUpdate: validatePodStatusUpdate,
  validateUpdate: validatePodUpdate,
  warnings: draft => podWarnings('spec', draft['spec']),
  gracePeriodSeconds,
  statusResetFields: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
};

const schedulingGated = (now: string) => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: now,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});

/** What the kubelet and the scheduler cannot take away by leaving it out. */
function keepPodStatus(draft: Draft, old: Stored): void {
  take(draft.metadata, old.metadata, 'ownerReferences');
  const status = (draft['status'] ??= {}) as Tree;
  const before = (old['status'] ?? {}) as Tree;
  for (const field of ['qosClass', 'resourceClaimStatuses']) {
    if (status[field] === undefined && before[field] !== undefined) status[field] = before[field];
  }
}

/** A Pod that runs nowhere, or no more, needs no time to end. */
export function gracePeriodSeconds(pod: Stored, requested: number | undefined): number {
  const { spec, status } = pod as Tree;
  if (!spec?.['nodeName'] || status?.['phase'] === 'Failed' || status?.['phase'] === 'Succeeded') return 0;
  const period = requested ?? (spec['terminationGracePeriodSeconds'] as number | undefined) ?? 0;
  return period < 0 ? 1 : period;
}

/** `matchLabelKeys` means: like this very Pod in these labels. The values are written into the selector. */
function addAffinityLabels(draft: Draft): void {
  const { podAffinity, podAntiAffinity } = (draft['spec']?.affinity ?? {}) as Tree;
  for (const affinity of [podAffinity, podAntiAffinity]) {
    const terms = [
      ...listOf(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...listOf(affinity, 'preferredDuringSchedulingIgnoredDuringExecution').map(
        weighted => weighted['podAffinityTerm'],
      ),
    ];
    for (const term of terms) addLabelRequirements(draft, term);
  }
}

function addLabelRequirements(draft: Draft, term: Tree): void {
  const selector = term['labelSelector'] as Tree | undefined;
  if (selector === undefined) return;
  const add = (operator: 'In' | 'NotIn', keys: readonly string[] = []): void => {
    for (const key of keys) {
      const value = own(draft.metadata.labels, key);
      if (value !== undefined) (selector['matchExpressions'] ??= []).push({ key, operator, values: [value] });
    }
  };
  add('In', term['matchLabelKeys']);
  add('NotIn', term['mismatchLabelKeys']);
}
