import type { Job, Pod, PodFailurePolicyRule } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { consequenceOf } from './failure-policy.ts';

const job = (...rules: readonly PodFailurePolicyRule[]): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: { template: { spec: { containers: [] } }, podFailurePolicy: { rules } },
});

const pod = (exitCodes: Readonly<Record<string, number>>, condition?: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'default' },
  spec: { containers: [] },
  status: {
    phase: 'Failed',
    containerStatuses: Object.entries(exitCodes).map(([name, exitCode]) => ({
      ...{ name, ready: false, restartCount: 0, image: '', imageID: '' },
      state: { terminated: { exitCode } },
    })),
    ...(condition !== undefined && { conditions: [{ type: condition, status: 'True' }] }),
  },
});

const onCodes = (action: PodFailurePolicyRule['action'], operator: 'In' | 'NotIn', ...values: readonly number[]) => ({
  action,
  onExitCodes: { operator, values },
});

describe('a failed Pod', () => {
  it.each([
    ['counts where no rule matches', job(onCodes('Ignore', 'In', 3)), pod({ a: 1 }), 'Count'],
    [
      'is judged by the first rule that matches',
      job(onCodes('Ignore', 'In', 1), onCodes('Count', 'In', 1)),
      pod({ a: 1 }),
      'Ignore',
    ],
    ['fails its index', job(onCodes('FailIndex', 'In', 1)), pod({ a: 1 }), 'FailIndex'],
    ['is judged by codes that are not listed', job(onCodes('Ignore', 'NotIn', 2)), pod({ a: 1 }), 'Ignore'],
    ['is not judged by containers that ended well', job(onCodes('Ignore', 'NotIn', 2)), pod({ a: 0, b: 2 }), 'Count'],
    [
      'is judged by one container where the rule names one',
      job({ action: 'Ignore', onExitCodes: { containerName: 'b', operator: 'In', values: [1] } }),
      pod({ a: 1, b: 2 }),
      'Count',
    ],
    [
      'is judged by its conditions',
      job({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }),
      pod({ a: 137 }, 'DisruptionTarget'),
      'Ignore',
    ],
  ])('%s', (_, owner, failed, action) => expect(consequenceOf(failed, owner)).toEqual({ action }));

  it('fails the Job with words that say why', () => {
    const byCode = consequenceOf(pod({ a: 42 }), job(onCodes('Ignore', 'In', 1), onCodes('FailJob', 'In', 42)));
    expect(byCode).toEqual({
      action: 'FailJob',
      message: 'Container a for pod default/p failed with exit code 42 matching FailJob rule at index 1',
    });
    const rule = { action: 'FailJob', onPodConditions: [{ type: 'ConfigIssue' }] } as const;
    expect(consequenceOf(pod({}, 'ConfigIssue'), job(rule))).toEqual({
      action: 'FailJob',
      message: 'Pod default/p has condition ConfigIssue matching FailJob rule at index 0',
    });
  });
});
