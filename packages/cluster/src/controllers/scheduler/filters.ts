/** Whether a Pod can run on a node, and in Kubernetes' words why not. The first filter that says no is the reason. */
import type { NodeState } from './cluster-state.ts';
import { selectsNode } from './node-selector.ts';
import type { PodDomains } from './pod-affinity.ts';
import type { PodInfo } from './pod-info.ts';
import { isTolerated } from './tolerations.ts';
import type { VolumeNeeds } from './volumes.ts';

/** What is worked out once a Pod, for all nodes. */
export interface Circumstances {
  readonly volumes: VolumeNeeds;
  readonly domains: PodDomains;
}

/** No reason: it can. */
export function whyNot(pod: PodInfo, node: NodeState, circumstances: Circumstances): readonly string[] {
  for (const filter of FILTERS) {
    const reasons = filter(pod, node, circumstances);
    if (reasons.length > 0) return reasons;
  }
  return FITS;
}

type Filter = (pod: PodInfo, node: NodeState, circumstances: Circumstances) => readonly string[];

const FITS: readonly string[] = [];
const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
/** So much may be rounded away when fractions are summed up as numbers. */
const ROUNDING = 1e-9;
/** What a node without a limit of its own takes. */
const MOST_PODS = 110;

const FILTERS: readonly Filter[] = [
  ({ tolerations }, { node }) =>
    node.spec?.unschedulable && !isTolerated(tolerations, UNSCHEDULABLE_TAINT) ? ['node(s) were unschedulable'] : FITS,
  ({ tolerations }, { taints }) =>
    taints.some(taint => taint.effect !== 'PreferNoSchedule' && !isTolerated(tolerations, taint))
      ? ['node(s) had untolerated taint(s)']
      : FITS,
  (pod, { node }) => (isAskedFor(pod, node) ? FITS : ["node(s) didn't match Pod's node affinity/selector"]),
  ({ hostPorts: wanted }, { hostPorts: taken }) =>
    wanted.some(port => taken.has(port)) ? ["node(s) didn't have free ports for the requested pod ports"] : FITS,
  lacking,
  (_, { node }, { volumes }) => volumes.whyNot(node),
  (_, { node }, { domains }) => domains.whyNot(node),
];

function isAskedFor({ nodeSelector, nodeAffinity }: PodInfo, node: NodeState['node']): boolean {
  const { labels } = node.metadata;
  for (const key in nodeSelector) if (labels?.[key] !== nodeSelector[key]) return false;
  return nodeAffinity === undefined || selectsNode(nodeAffinity, node);
}

function lacking({ requests }: PodInfo, { allocatable, requested, pods }: NodeState): readonly string[] {
  const reasons: string[] = [];
  if (pods.size + 1 > (allocatable['pods'] ?? MOST_PODS)) reasons.push('Too many pods');
  for (const name in requests) {
    const wanted = requests[name]!;
    if (wanted > 0 && (requested[name] ?? 0) + wanted > (allocatable[name] ?? 0) * (1 + ROUNDING)) {
      reasons.push(`Insufficient ${name}`);
    }
  }
  return reasons;
}
