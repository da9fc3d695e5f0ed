/** The Deployment controller: one ReplicaSet for each template, and the way from one to the next. */
import { controllerOf } from '@capstan/controller';
import { deployments, type Pod, pods, replicaSets } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { wakeClaimants } from '../workload/wake-claimants.ts';
import { reconcileDeployment } from './reconcile.ts';

export const deploymentController: BuiltinController = {
  name: 'deployment',
  setup(manager) {
    const { cache } = manager;
    /** The Deployment of a Pod's ReplicaSet. */
    const deploymentOf = (pod: Pod) => {
      const { namespace } = pod.metadata;
      const owner = controllerOf(pod);
      if (owner?.kind !== 'ReplicaSet') return [];
      const replicaSet = cache.of(replicaSets).now.get({ namespace, name: owner.name });
      const deployment = replicaSet && controllerOf(replicaSet);
      return deployment?.kind === 'Deployment' ? [{ namespace, name: deployment.name }] : [];
    };
    manager.controller({
      name: 'deployment',
      for: deployments,
      owns: [replicaSets],
      watches: [
        wakeClaimants(replicaSets, deployments, cache),
        // Only Recreate looks at Pods, and only at their end: everything else about them is in the ReplicaSets.
        {
          kind: pods,
          map: deploymentOf,
          when: ({ type, object }) =>
            type === 'deleted' || object.status?.phase === 'Failed' || object.status?.phase === 'Succeeded',
        },
      ],
      workers: 5,
      reconcile: reconcileDeployment(manager.recorder('deployment-controller')),
    });
  },
};
