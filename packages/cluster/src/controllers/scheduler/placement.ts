/** Where a Pod goes: pure, on the state of the cluster as it is known. */
import type { ClusterState, NodeState } from './cluster-state.ts';
import { whyNot } from './filters.ts';
import { podDomains } from './pod-affinity.ts';
import type { PodInfo } from './pod-info.ts';
import { score } from './score.ts';
import { type VolumeLookup, type VolumeNeeds, volumeNeeds } from './volumes.ts';

export type Placement =
  | { readonly type: 'node'; readonly node: string; readonly volumes: VolumeNeeds }
  /** Nowhere, for a reason that a person can act on. */
  | { readonly type: 'nowhere'; readonly message: string };

/** `random` in [0, 1) decides between equals. */
export function place(pod: PodInfo, state: ClusterState, lookup: VolumeLookup, random: number): Placement {
  const total = state.nodes.size;
  if (total === 0) return { type: 'nowhere', message: 'no nodes available to schedule pods' };
  const volumes = volumeNeeds(pod, lookup);
  if (volumes.refusal !== undefined) return nowhere(total, [volumes.refusal]);
  const circumstances = { volumes, domains: podDomains(pod, state) };
  const reasons = new Map<string, number>();
  let best: NodeState[] = [];
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const node of state.nodes.values()) {
    const against = whyNot(pod, node, circumstances);
    if (against.length > 0) {
      for (const reason of against) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      continue;
    }
    const points = score(pod, node);
    if (points > bestScore) {
      best = [node];
      bestScore = points;
    } else if (points === bestScore) {
      best.push(node);
    }
  }
  const chosen = best[Math.floor(random * best.length)];
  if (chosen !== undefined) return { type: 'node', node: chosen.name, volumes };
  return nowhere(total, Array.from(reasons, ([reason, count]) => `${count} ${reason}`).sort());
}

const nowhere = (nodes: number, reasons: readonly string[]): Placement => ({
  type: 'nowhere',
  message: `0/${nodes} nodes are available: ${reasons.join(', ')}.`,
});
