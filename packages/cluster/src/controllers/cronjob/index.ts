/** The CronJob controller: a Job at each time that a schedule names. */
import { cronJobs, jobs } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { reconcileCronJob } from './reconcile.ts';

export const cronJobController: BuiltinController = {
  name: 'cronjob',
  setup(manager) {
    manager.controller({
      name: 'cronjob',
      for: cronJobs,
      owns: [jobs],
      workers: 5,
      reconcile: reconcileCronJob(manager.recorder('cronjob-controller')),
    });
  },
};
