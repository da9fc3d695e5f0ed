/** The DaemonSet controller: one Pod on each node that matches. */
import type { Predicate } from '@capstan/controller';
import { controllerRevisions, daemonSets, deepEqual, type Node, nodes, pods } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { wakeClaimants } from '../workload/wake-claimants.ts';
import { reconcileDaemonSet } from './reconcile.ts';

export const daemonSetController: BuiltinController = {
  name: 'daemonset',
  setup(manager) {
    const { cache } = manager;
    cache.declare(controllerRevisions);
    manager.controller({
      name: 'daemonset',
      for: daemonSets,
      owns: [pods],
      watches: [
        wakeClaimants(pods, daemonSets, cache),
        {
          kind: nodes,
          map: () =>
            cache
              .of(daemonSets)
              .now.list()
              .map(({ metadata }) => metadata),
          when: mattersToDaemons,
        },
      ],
      workers: 2,
      reconcile: reconcileDaemonSet(manager.recorder('daemonset-controller')),
    });
  },
};

/** Nodes report every few seconds that they are well; only their labels and taints decide who runs there. */
const mattersToDaemons: Predicate<Node> = change => {
  if (change.type !== 'updated') return true;
  const [before, after] = [change.previous, change.object];
  return !deepEqual([before.metadata.labels, before.spec], [after.metadata.labels, after.spec]);
};
