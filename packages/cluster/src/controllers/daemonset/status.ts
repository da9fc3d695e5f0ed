import type { DaemonSet } from '@capstan/kube';
import { isAvailable, isReady } from '../workload/pod-state.ts';
import { wishFor } from './placement.ts';
import { isUpdated, type Observed, podsByNode } from './steps.ts';

export type DaemonSetStatus = NonNullable<DaemonSet['status']>;

/** Counts nodes, not Pods: where a node has two Pods, the older one speaks for it. */
export function statusOf({ set, nodes, pods, hash, now }: Observed, collisions: number): DaemonSetStatus {
  const byNode = podsByNode(pods);
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, updated: 0, available: 0 };
  for (const node of nodes) {
    const there = (byNode.get(node.metadata.name) ?? []).toSorted((left, right) =>
      (left.metadata.creationTimestamp ?? '').localeCompare(right.metadata.creationTimestamp ?? ''),
    );
    const [pod] = there;
    if (!wishFor(set, node).run) {
      if (pod !== undefined) counts.misscheduled++;
      continue;
    }
    counts.desired++;
    if (pod === undefined) continue;
    counts.current++;
    if (isReady(pod)) counts.ready++;
    if (isAvailable(pod, set.spec.minReadySeconds ?? 0, now)) counts.available++;
    if (isUpdated(pod, set, hash)) counts.updated++;
  }
  const { conditions } = set.status ?? {};
  return {
    observedGeneration: set.metadata.generation ?? 0,
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    ...unlessZero('updatedNumberScheduled', counts.updated),
    ...unlessZero('numberAvailable', counts.available),
    ...unlessZero('numberUnavailable', counts.desired - counts.available),
    ...unlessZero('collisionCount', collisions),
    ...(conditions !== undefined && { conditions }),
  };
}

function unlessZero(name: string, value: number): Record<string, number> {
  return value === 0 ? {} : { [name]: value };
}
