/** The Job controller: Pods that run to an end, each of them counted once. */
import { jobs, pods } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { createPodControl } from '../workload/pod-control.ts';
import { wakeClaimants } from '../workload/wake-claimants.ts';
import { isFinished } from './conditions.ts';
import { reconcileOrphan, trackedPodsOf } from './orphans.ts';
import { isTracked } from './pods.ts';
import { reconcileJob } from './reconcile.ts';
import { reconcileFinishedJob } from './ttl.ts';

export const jobController: BuiltinController = {
  name: 'job',
  setup(manager) {
    const recorder = manager.recorder('job-controller');
    manager.controller({
      name: 'job',
      for: jobs,
      owns: [pods],
      watches: [wakeClaimants(pods, jobs, manager.cache)],
      workers: 5,
      reconcile: reconcileJob(client => createPodControl(client, recorder), recorder),
    });
    manager.controller({
      name: 'job/orphans',
      for: { kind: pods, when: ({ object }) => isTracked(object) },
      watches: [
        {
          kind: jobs,
          map: job => trackedPodsOf(job, manager.cache),
          when: ({ type, object }) => type === 'deleted' || isFinished(object.status?.conditions),
        },
      ],
      reconcile: reconcileOrphan,
    });
  },
};

/** Deletes Jobs that have ended, when their `ttlSecondsAfterFinished` is over. */
export const ttlAfterFinishedController: BuiltinController = {
  name: 'ttl-after-finished',
  setup(manager) {
    manager.controller({
      name: 'ttl-after-finished',
      for: { kind: jobs, when: ({ object }) => object.spec.ttlSecondsAfterFinished !== undefined },
      reconcile: reconcileFinishedJob,
    });
  },
};
