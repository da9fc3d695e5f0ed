/** On which nodes a DaemonSet wants its Pods, and how a Pod is bound to one of them. */
import type { DaemonSet, Node, NodeSelector, Pod, PodSpec, Toleration } from '@capstan/kube';
import { selectsNode } from '../scheduler/node-selector.ts';
import { isTolerated } from '../scheduler/tolerations.ts';

export interface Wish {
  /** A Pod should be started there. */
  readonly run: boolean;
  /** One that is there already may stay. */
  readonly stay: boolean;
}

interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export function wishFor({ spec }: DaemonSet, node: Node): Wish {
  const pod = spec.template.spec;
  if (pod.nodeName && pod.nodeName !== node.metadata.name) return NOWHERE;
  if (!isSelected(pod, node)) return NOWHERE;
  const tolerations = daemonTolerations(pod);
  const untolerated = (node.spec?.taints ?? []).filter(taint => !isTolerated(tolerations, taint));
  if (untolerated.some(({ effect }) => effect === 'NoExecute')) return NOWHERE;
  // A taint that only keeps new Pods away leaves those that run alone.
  return { run: !untolerated.some(({ effect }) => effect === 'NoSchedule'), stay: true };
}

const NOWHERE: Wish = { run: false, stay: false };

function isSelected({ nodeSelector = {}, affinity }: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (!Object.entries(nodeSelector).every(([key, value]) => labels[key] === value)) return false;
  const required = (affinity as Affinity | undefined)?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || selectsNode(required, node);
}

const ALWAYS_TOLERATED: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const ON_HOST_NETWORK: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** What daemons put up with beyond what their template says: they are what makes a node work, or watches it fail. */
export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec): readonly Toleration[] {
  const added = hostNetwork ? [...ALWAYS_TOLERATED, ON_HOST_NETWORK] : ALWAYS_TOLERATED;
  const missing = added.filter(
    ({ key, effect }) =>
      !tolerations.some(each => each.key === key && each.effect === effect && each.operator === 'Exists'),
  );
  return [...tolerations, ...missing];
}

/** The affinity that only one node meets. What the template prefers stays. */
export function affinityTo(node: string, affinity: PodSpec['affinity']): Readonly<Record<string, unknown>> {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const { nodeAffinity } = (affinity ?? {}) as Affinity;
  return {
    ...affinity,
    nodeAffinity: { ...nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
  };
}

/** The node that a Pod runs on, or is meant for. */
export function nodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const required = (spec.affinity as Affinity | undefined)?.nodeAffinity
    ?.requiredDuringSchedulingIgnoredDuringExecution;
  const field = required?.nodeSelectorTerms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In');
  return field?.values?.length === 1 ? field.values[0] : undefined;
}
