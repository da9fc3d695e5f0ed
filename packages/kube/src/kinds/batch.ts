/** `batch/v1`: work that ends. */
import type { KubeObject } from '../object.ts';
import { resource } from '../resource.ts';
import type { LabelSelector } from '../selectors/label-selector.ts';
import type { ObjectReferenceField } from './core.ts';
import type { PodCondition, PodTemplate } from './pod-spec.ts';

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: 'NonIndexed' | 'Indexed';
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template: PodTemplate;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed';
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly podFailurePolicy?: { readonly rules: readonly PodFailurePolicyRule[] };
  readonly successPolicy?: {
    readonly rules: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[];
  };
  /** Who looks after the Job, if not the built-in controller. */
  readonly managedBy?: string;
}

export interface PodFailurePolicyRule {
  readonly action: 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';
  readonly onExitCodes?: {
    readonly containerName?: string;
    readonly operator: 'In' | 'NotIn';
    readonly values: readonly number[];
  };
  readonly onPodConditions?: readonly { readonly type: string; readonly status?: string }[];
}

export interface Job extends KubeObject {
  readonly spec: JobSpec;
  readonly status?: {
    /** `Complete`, `Failed`, `Suspended`, `SuccessCriteriaMet`, `FailureTarget`. */
    readonly conditions?: readonly PodCondition[];
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly active?: number;
    readonly ready?: number;
    readonly terminating?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly completedIndexes?: string;
    readonly failedIndexes?: string;
    /** Pods that have ended and still carry the finalizer: not yet in `succeeded` and `failed`. */
    readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] };
  };
}

export const jobs = resource<Job>({ group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true });

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace';
    readonly suspend?: boolean;
    readonly jobTemplate: { readonly metadata?: PodTemplate['metadata']; readonly spec: JobSpec };
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
  };
  readonly status?: {
    readonly active?: readonly ObjectReferenceField[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
}

export const cronJobs = resource<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  namespaced: true,
});
