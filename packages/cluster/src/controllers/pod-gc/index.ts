/** Pods that nobody looks after any more: of nodes that are gone, ended without a node, or ended too long ago among too many. */
import { done, type Manager, type ReconcileContext, type Result, requeueAfter } from '@capstan/controller';
import { isNotFound, nodes, type Pod, pods, timestamp } from '@capstan/kube';
import type { BuiltinController } from '../builtin-controller.ts';
import { patchStatus } from '../node-lifecycle/index.ts';
import { declarePodsByNode, podsOnNode } from '../pods-by-node.ts';
import { isOver } from '../scheduler/cluster-state.ts';
import { EndedPods } from './ended-pods.ts';

/** A node that was deleted may come back under its name: its Pods are given this long. */
const QUARANTINE = 40_000;
/** As many Pods that have ended are kept, for people to look at. */
const MOST_ENDED = 12_500;

export interface PodGcOptions {
  /** Default: 12,500. */
  readonly mostEnded?: number;
}

export function podGarbageCollector({ mostEnded = MOST_ENDED }: PodGcOptions = {}): BuiltinController {
  return {
    name: 'pod-gc',
    setup(manager: Manager): void {
      const { cache, clock } = manager;
      declarePodsByNode(cache);
      /** Since when, on our own clock, a node has not been there. */
      const missing = new Map<string, number>();
      const ended = new EndedPods(mostEnded);
      manager.controller({
        name: 'pod-gc',
        for: {
          kind: pods,
          when: change => {
            const surplus = ended.see(change);
            return surplus || isOrphanable(change.object);
          },
        },
        watches: [
          {
            kind: nodes,
            when: isComingOrGoing,
            map: ({ metadata }) => podsOnNode(cache, metadata.name).map(pod => pod.metadata),
          },
        ],
        async reconcile({ namespace, name }, context): Promise<Result> {
          const pod = await cache.get(pods, { namespace, name });
          if (pod === undefined) return done();
          const { nodeName } = pod.spec;
          if (!nodeName) {
            return pod.metadata.deletionTimestamp === undefined ? trim(ended, context) : remove(pod, context);
          }
          if ((await cache.get(nodes, { name: nodeName })) !== undefined) {
            missing.delete(nodeName);
            return trim(ended, context);
          }
          const since = missing.get(nodeName) ?? clock.monotonic();
          missing.set(nodeName, since);
          const left = since + QUARANTINE - clock.monotonic();
          if (left > 0) return requeueAfter(left);
          if (await exists(nodeName, context)) return requeueAfter(QUARANTINE);
          if (!isOver(pod)) await fail(pod, context);
          return remove(pod, context);
        },
      });
    },
  };
}

const isComingOrGoing = ({ type }: { readonly type: string }): boolean => type !== 'updated';

/** Only a Pod that has a node, or is ending without one, can be left behind. */
const isOrphanable = ({ metadata, spec }: Pod): boolean =>
  spec.nodeName !== undefined || metadata.deletionTimestamp !== undefined;

async function trim(ended: EndedPods, context: ReconcileContext): Promise<Result> {
  for (const oldest of ended.surplus()) await remove(oldest, context);
  return done();
}

/** The cache may be behind; before Pods are deleted for good, the API is asked. */
async function exists(name: string, { client }: ReconcileContext): Promise<boolean> {
  try {
    await client.get(nodes, { name });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function fail(pod: Pod, { client, now }: ReconcileContext): Promise<void> {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
    lastTransitionTime: timestamp(now),
  };
  return patchStatus(pod, { phase: 'Failed', conditions: [condition] }, client);
}

async function remove({ metadata }: Pod, { client }: ReconcileContext): Promise<Result> {
  const { namespace, name, uid } = metadata;
  try {
    await client.delete(pods, { namespace, name }, { grace: 0, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done();
}
