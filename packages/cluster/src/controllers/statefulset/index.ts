/** The StatefulSet controller: Pods that keep their names and their volumes. */
import {
  controllerRevisions,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  pods,
  statefulSets,
} from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { wakeClaimants } from '../workload/wake-claimants.ts';
import { isClaimOf } from './identity.ts';
import { reconcileStatefulSet } from './reconcile.ts';

export const statefulSetController: BuiltinController = {
  name: 'statefulset',
  setup(manager) {
    const { cache } = manager;
    cache.declare(controllerRevisions);
    const setsOf = ({ metadata: { namespace, name } }: PersistentVolumeClaim) =>
      cache
        .of(statefulSets)
        .now.list({ namespace })
        .filter(set => isClaimOf(name, set))
        .map(({ metadata }) => metadata);
    manager.controller({
      name: 'statefulset',
      for: statefulSets,
      owns: [pods],
      watches: [
        wakeClaimants(pods, statefulSets, cache),
        // A Pod may wait for the claim of its predecessor to be gone.
        { kind: persistentVolumeClaims, map: setsOf, when: ({ type }) => type === 'deleted' },
      ],
      workers: 5,
      reconcile: reconcileStatefulSet(manager.recorder('statefulset-controller')),
    });
  },
};
