/** Pods leave nodes whose taints they do not tolerate, or not any longer. */
import { done, type Manager, type Result, requeueAfter } from '@capstan/controller';
import { deepEqual, isNotFound, type Node, nodes, type Pod, pods, timestamp } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { declarePodsByNode, podsOnNode } from '../pods-by-node.ts';
import { evictionTime } from './eviction.ts';
import { patchStatus } from './index.ts';

export const taintEvictionController: BuiltinController = {
  name: 'taint-eviction',
  setup(manager: Manager): void {
    const { cache } = manager;
    declarePodsByNode(cache);
    const recorder = manager.recorder('taint-eviction-controller');
    manager.controller({
      name: 'taint-eviction',
      for: {
        kind: pods,
        when: change =>
          change.type !== 'updated' ||
          change.previous.spec.nodeName !== change.object.spec.nodeName ||
          !deepEqual(change.previous.spec.tolerations, change.object.spec.tolerations),
      },
      watches: [
        {
          kind: nodes,
          when: change => change.type !== 'updated' || !deepEqual(evicting(change.previous), evicting(change.object)),
          map: ({ metadata }) => podsOnNode(cache, metadata.name).map(pod => pod.metadata),
        },
      ],
      async reconcile({ namespace, name }, { client, now }): Promise<Result> {
        const pod = await cache.get(pods, { namespace, name });
        if (pod?.spec.nodeName === undefined || pod.metadata.deletionTimestamp !== undefined) return done();
        const node = await cache.get(nodes, { name: pod.spec.nodeName });
        const taints = node === undefined ? [] : evicting(node);
        if (taints.length === 0) return done();
        const at = evictionTime(taints, pod.spec.tolerations ?? [], now);
        if (at === 'never') return done();
        if (at > now) return requeueAfter(at - now);
        const message = `Marking for deletion Pod ${namespace}/${name}`;
        recorder.record(pod, { type: 'Normal', reason: 'TaintManagerEviction', message });
        await patchStatus(pod, { conditions: [disruption(pod, now)] }, client);
        await client.delete(pods, { namespace, name }, { preconditions: { uid: pod.metadata.uid } }).catch(ignoreGone);
        return done();
      },
    });
  },
};

const evicting = ({ spec }: Node) => (spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

const disruption = ({ metadata }: Pod, now: number) => ({
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
  lastTransitionTime: timestamp(now),
  ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
});

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
