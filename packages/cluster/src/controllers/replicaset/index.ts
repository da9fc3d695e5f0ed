/** The ReplicaSet controller: so many Pods of one template, whatever happens to them. */
import { pods, replicaSets } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { createPodControl } from '../workload/pod-control.ts';
import { wakeClaimants } from '../workload/wake-claimants.ts';
import { reconcileReplicaSet } from './reconcile.ts';

export const replicaSetController: BuiltinController = {
  name: 'replicaset',
  setup(manager) {
    const recorder = manager.recorder('replicaset-controller');
    manager.controller({
      name: 'replicaset',
      for: replicaSets,
      owns: [pods],
      watches: [wakeClaimants(pods, replicaSets, manager.cache)],
      workers: 5,
      reconcile: reconcileReplicaSet(client => createPodControl(client, recorder)),
    });
  },
};
