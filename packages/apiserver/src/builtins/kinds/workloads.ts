/** The kinds of `apps/v1`, `batch/v1`, `autoscaling` and `policy/v1`: what runs Pods and how many. */
import type { ScaleSubresource } from '../../kind.ts';
import { defineKinds } from '../define-kind.ts';
import { hpaFromStorage, hpaToStorage } from '../hpa-conversion.ts';
import {
  autoscalerV1Rules,
  autoscalerV2Rules,
  controllerRevisionRules,
  podDisruptionBudgetRules,
} from '../rules/cluster-services.ts';
import {
  cronJobRules,
  daemonSetRules,
  deploymentRules,
  jobRules,
  replicaSetRules,
  statefulSetRules,
} from '../rules/workload.ts';

const scale: ScaleSubresource = {
  specReplicasPath: 'spec.replicas',
  statusReplicasPath: 'status.replicas',
  labelSelectorPath: 'spec.selector',
};

export const appsKinds = defineKinds({ group: 'apps', version: 'v1', definitions: 'io.k8s.api.apps.v1' }, [
  {
    kind: 'Deployment',
    plural: 'deployments',
    shortNames: ['deploy'],
    categories: ['all'],
    status: true,
    scale,
    rules: deploymentRules,
  },
  {
    kind: 'ReplicaSet',
    plural: 'replicasets',
    shortNames: ['rs'],
    categories: ['all'],
    status: true,
    scale,
    rules: replicaSetRules,
  },
  {
    kind: 'StatefulSet',
    plural: 'statefulsets',
    shortNames: ['sts'],
    categories: ['all'],
    status: true,
    scale,
    rules: statefulSetRules,
  },
  {
    kind: 'DaemonSet',
    plural: 'daemonsets',
    shortNames: ['ds'],
    categories: ['all'],
    status: true,
    rules: daemonSetRules,
  },
  { kind: 'ControllerRevision', plural: 'controllerrevisions', rules: controllerRevisionRules },
]);

export const batchKinds = defineKinds({ group: 'batch', version: 'v1', definitions: 'io.k8s.api.batch.v1' }, [
  {
    kind: 'Job',
    plural: 'jobs',
    categories: ['all'],
    status: true,
    selectableFields: { 'status.successful': object => String(object['status']?.succeeded ?? 0) },
    rules: jobRules,
  },
  {
    kind: 'CronJob',
    plural: 'cronjobs',
    shortNames: ['cj'],
    categories: ['all'],
    status: true,
    rules: cronJobRules,
  },
]);

const autoscaler = {
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  status: true,
};

export const autoscalingKinds = [
  ...defineKinds({ group: 'autoscaling', version: 'v2', definitions: 'io.k8s.api.autoscaling.v2' }, [
    { ...autoscaler, rules: autoscalerV2Rules },
  ]),
  ...defineKinds({ group: 'autoscaling', version: 'v1', definitions: 'io.k8s.api.autoscaling.v1' }, [
    {
      ...autoscaler,
      rules: autoscalerV1Rules,
      storage: { group: 'autoscaling', plural: autoscaler.plural, version: 'v2' },
      fromStorage: hpaFromStorage,
      toStorage: hpaToStorage,
    },
  ]),
];

export const policyKinds = defineKinds({ group: 'policy', version: 'v1', definitions: 'io.k8s.api.policy.v1' }, [
  {
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    shortNames: ['pdb'],
    status: true,
    rules: podDisruptionBudgetRules,
  },
]);
