/** Which of the nodes that a Pod can run on it should run on: a higher score is better. */
import type { NodeState } from './cluster-state.ts';
import { holds } from './node-selector.ts';
import type { PodInfo } from './pod-info.ts';
import { isTolerated } from './tolerations.ts';

/** What a Pod that asks for nothing is taken to use, so that such Pods are spread too. */
const ASSUMED = { cpu: 0.1, memory: 200 * 2 ** 20 } as const;
const MOST = 100;

export function score(pod: PodInfo, node: NodeState): number {
  return free(pod, node) + 2 * apart(pod, node) + preferred(pod, node) - discouraged(pod, node);
}

/** The share of the node that would still be free. */
function free({ requests }: PodInfo, { allocatable, requested, pods }: NodeState): number {
  let sum = 0;
  for (const name of ['cpu', 'memory'] as const) {
    const total = allocatable[name] ?? 0;
    if (total <= 0) continue;
    const used = Math.max(requested[name] ?? 0, pods.size * ASSUMED[name]);
    sum += Math.max(0, (total - used - (requests[name] ?? ASSUMED[name])) / total);
  }
  return (sum / 2) * MOST;
}

/** The fewer Pods of the same controller are there, the better. */
function apart({ owner }: PodInfo, { owners }: NodeState): number {
  return owner === undefined ? 0 : MOST / (1 + (owners.get(owner) ?? 0));
}

function preferred({ preferredNodes }: PodInfo, { node }: NodeState): number {
  let sum = 0;
  for (const { weight, preference } of preferredNodes) if (holds(preference, node)) sum += 2 * weight;
  return sum;
}

function discouraged({ tolerations }: PodInfo, { taints }: NodeState): number {
  const unwanted = taints.filter(taint => taint.effect === 'PreferNoSchedule' && !isTolerated(tolerations, taint));
  return unwanted.length * 3 * MOST;
}
