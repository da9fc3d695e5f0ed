/** The strategies of apps and batch beyond what all kinds share. */
import { deepEqual } from '@capstan/kube';
import type { Draft } from '../../kind.ts';
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
} from '../defaults/workload.ts';
import { type StrategyRules, take } from '../strategy.ts';
import { ensure } from '../tree.ts';
import {
  cronJobNameProblems,
  validateCronJob,
  validateGeneratedSelector,
  validateJob,
  validateJobUpdate,
} from '../validation/job.ts';
import { podWarnings } from '../validation/pod-warnings.ts';
import {
  validateDaemonSet,
  validateDeployment,
  validateReplicaSet,
  validateSelectorUpdate,
  validateStatefulSet,
  validateStatefulSetUpdate,
} from '../validation/workload.ts';
import { validateCounters, validateReplicaCounts } from '../validation/workload-status.ts';

export const deploymentRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultDeployment,
  prepareForUpdate(draft, old) {
    // Annotations of a Deployment end up on its ReplicaSets, so a change of them is one that the controller has to act on.
    if (!deepEqual(draft.metadata.annotations ?? {}, old.metadata.annotations ?? {})) {
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  prepareForStatusUpdate: (draft, old) => take(draft.metadata, old.metadata, 'labels'),
  validate: validateDeployment,
  validateUpdate: validateSelectorUpdate,
  validateStatusUpdate: validateReplicaCounts(['updatedReplicas', 'readyReplicas', 'availableReplicas']),
  warnings: templateWarnings,
  statusResetFields: [['spec'], ['metadata', 'labels']],
};

export const replicaSetRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultReplicaSet,
  validate: validateReplicaSet,
  validateUpdate: validateSelectorUpdate,
  validateStatusUpdate: validateReplicaCounts(['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  warnings: templateWarnings,
};

export const statefulSetRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultStatefulSet,
  validate: validateStatefulSet,
  validateUpdate: validateStatefulSetUpdate,
  validateStatusUpdate: validateReplicaCounts([
    'readyReplicas',
    'currentReplicas',
    'updatedReplicas',
    'availableReplicas',
  ]),
  warnings: templateWarnings,
};

export const daemonSetRules: StrategyRules = {
  tracksGeneration: true,
  default(draft) {
    defaultDaemonSet(draft);
    // Whoever writes the DaemonSet owns the count, whatever it comes to.
    if (draft.metadata.annotations?.[TEMPLATE_GENERATION] === undefined) countTemplate(draft, 0);
  },
  validate: validateDaemonSet,
  validateUpdate: validateSelectorUpdate,
  validateStatusUpdate: validateCounters([
    'currentNumberScheduled',
    'numberMisscheduled',
    'desiredNumberScheduled',
    'numberReady',
    'observedGeneration',
    'updatedNumberScheduled',
    'numberAvailable',
    'numberUnavailable',
  ]),
  warnings: templateWarnings,
  prepareForCreate: draft => countTemplate(draft, 1),
  prepareForUpdate(draft, old) {
    const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 1);
    countTemplate(draft, deepEqual(draft['spec']?.template, old['spec']?.template) ? before : before + 1);
  },
};

/** An old field of the spec that lives on as an annotation. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function countTemplate(draft: Draft, generation: number): void {
  draft.metadata.annotations = { ...draft.metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

export const jobRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultJob,
  prepareForCreate: generateSelector,
  validateCreate: (job, found) => [...validateGeneratedSelector(job), ...found],
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateCounters(['active', 'succeeded', 'failed', 'ready', 'terminating']),
  warnings: templateWarnings,
};

export const cronJobRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultCronJob,
  validateName: cronJobNameProblems,
  validate: validateCronJob,
  warnings: draft =>
    podWarnings('spec.jobTemplate.spec.template.spec', draft['spec']?.jobTemplate?.spec?.template?.spec),
};

function templateWarnings(draft: Draft): string[] {
  return podWarnings('spec.template.spec', draft['spec']?.template?.spec);
}

/** Makes the Pods of a Job its own by its uid, unless the user has taken that on (`manualSelector`). */
function generateSelector(draft: Draft): void {
  const spec = ensure(draft, 'spec');
  if (spec['manualSelector'] === true) return;
  const { name = '', uid = '' } = draft.metadata;
  const metadata = ensure(ensure(spec, 'template'), 'metadata');
  // A Job without labels has those of its Pods, the generated ones included.
  const isUnlabelled = deepEqual(draft.metadata.labels ?? {}, metadata['labels'] ?? {});
  metadata['labels'] = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    ...metadata['labels'],
  };
  if (isUnlabelled) draft.metadata.labels = { ...metadata['labels'] };
  const selector = ensure(spec, 'selector');
  selector['matchLabels'] = { ...selector['matchLabels'] };
  selector['matchLabels']['batch.kubernetes.io/controller-uid'] ??= uid;
}
