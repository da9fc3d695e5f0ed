/** The strategies of the smaller groups beyond what all kinds share. */
import { deepEqual, timestamp } from '@capstan/kube';
import { defaultAutoscalerV1, defaultAutoscalerV2 } from '../defaults/autoscaler.ts';
import {
  defaultApiService,
  defaultEndpointSlice,
  defaultMutatingWebhooks,
  defaultNetworkPolicy,
  defaultPriorityClass,
  defaultRoleBinding,
  defaultStorageClass,
  defaultValidatingWebhooks,
} from '../defaults/cluster-services.ts';
import type { StrategyRules } from '../strategy.ts';
import { validateAutoscaler, validateAutoscalerV1 } from '../validation/autoscaler.ts';
import {
  validateControllerRevision,
  validateControllerRevisionUpdate,
  validatePriorityClass,
  validatePriorityClassUpdate,
} from '../validation/cluster.ts';
import { validateBudget } from '../validation/disruption-budget.ts';
import { validateEndpointSlice, validateEndpointSliceUpdate, validateLease } from '../validation/endpoints.ts';
import { validateCoreEvent, validateEvent, validateEventUpdate, validateNewEvent } from '../validation/event.ts';
import { validateIngress, validateIngressStatus, validateNetworkPolicy } from '../validation/network.ts';
import {
  pathSegmentProblems,
  validateBindingUpdate,
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
} from '../validation/rbac.ts';
import { validateStorageClass, validateStorageClassUpdate } from '../validation/storage.ts';
import { validateApiService, validateMutatingWebhooks, validateValidatingWebhooks } from '../validation/webhook.ts';
import { validateCounters } from '../validation/workload-status.ts';

export const leaseRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  validate: validateLease,
};

export const coreEventRules: StrategyRules = { allowsCreateOnUpdate: true, validate: validateCoreEvent };

export const eventRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  validateCreate: (event, found) => [...found, ...validateNewEvent(event)],
  validate: validateEvent,
  validateUpdate: validateEventUpdate,
};

export const endpointSliceRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultEndpointSlice,
  validate: validateEndpointSlice,
  validateUpdate: validateEndpointSliceUpdate,
  prepareForUpdate(draft, old) {
    // Labels say which Service a slice belongs to, so they count like its contents.
    if (!deepEqual(draft.metadata.labels ?? {}, old.metadata.labels ?? {})) {
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
};

export const ingressRules: StrategyRules = {
  tracksGeneration: true,
  validate: validateIngress,
  validateStatusUpdate: validateIngressStatus,
};

export const networkPolicyRules: StrategyRules = {
  tracksGeneration: true,
  default: defaultNetworkPolicy,
  validate: validateNetworkPolicy,
};

export const storageClassRules: StrategyRules = {
  default: defaultStorageClass,
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
};

export const priorityClassRules: StrategyRules = {
  default: defaultPriorityClass,
  validateCreate: (priorityClass, found) => [...found, ...validatePriorityClass(priorityClass)],
  validateUpdate: validatePriorityClassUpdate,
  prepareForCreate(draft) {
    // Set once and never counted: nothing of a PriorityClass that matters can change.
    draft.metadata.generation = 1;
  },
};

export const podDisruptionBudgetRules: StrategyRules = {
  tracksGeneration: true,
  allowsUnconditionalUpdate: false,
  validate: validateBudget,
  validateStatusUpdate: validateCounters(['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']),
};

const validateAutoscalerStatus = validateCounters(['currentReplicas', 'desiredReplicas']);

export const autoscalerV1Rules: StrategyRules = {
  tracksGeneration: true,
  default: defaultAutoscalerV1,
  validate: validateAutoscalerV1,
  validateStatusUpdate: validateAutoscalerStatus,
};

export const autoscalerV2Rules: StrategyRules = {
  tracksGeneration: true,
  default: defaultAutoscalerV2,
  validate: validateAutoscaler,
  validateStatusUpdate: validateAutoscalerStatus,
};

export const controllerRevisionRules: StrategyRules = {
  validate: validateControllerRevision,
  validateUpdate: validateControllerRevisionUpdate,
};

export const roleRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  validateName: pathSegmentProblems,
  validate: validateRole,
};

export const clusterRoleRules: StrategyRules = { ...roleRules, validate: validateClusterRole };

export const roleBindingRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  validateName: pathSegmentProblems,
  default: defaultRoleBinding,
  validate: validateRoleBinding,
  validateUpdate: validateBindingUpdate,
};

export const clusterRoleBindingRules: StrategyRules = { ...roleBindingRules, validate: validateClusterRoleBinding };

export const validatingWebhookRules: StrategyRules = {
  tracksGeneration: true,
  allowsUnconditionalUpdate: false,
  default: defaultValidatingWebhooks,
  validate: validateValidatingWebhooks,
};

export const mutatingWebhookRules: StrategyRules = {
  tracksGeneration: true,
  allowsUnconditionalUpdate: false,
  default: defaultMutatingWebhooks,
  validate: validateMutatingWebhooks,
};

const localAvailable = (now: string) => ({
  type: 'Available',
  status: 'True',
  lastTransitionTime: now,
  reason: 'Local',
  message: 'Local APIServices are always available',
});

export const apiServiceRules: StrategyRules = {
  allowsUnconditionalUpdate: false,
  validateName: pathSegmentProblems,
  default: defaultApiService,
  prepareForCreate(draft, { clock }) {
    // What this very server serves is there; what another one serves is for a controller to find out.
    if (draft['spec']?.service === undefined)
      draft['status'] = { conditions: [localAvailable(timestamp(clock.now()))] };
  },
  validate: validateApiService,
};
