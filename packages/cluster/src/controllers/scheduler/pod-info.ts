/** What of a Pod matters to where it can run, worked out once. */
import {
  type Container,
  type LabelMatcher,
  type LabelSelector,
  labelSelectorMatcher,
  type NodeSelector,
  type NodeSelectorTerm,
  type Pod,
  quantityToNumber,
  type Toleration,
} from '@capstan/kube';

/** Amounts by resource: cores, bytes, and whatever else is counted. */
export type Amounts = Readonly<Record<string, number>>;

export interface PodTerm {
  readonly selects: LabelMatcher;
  readonly namespaces: readonly string[];
  readonly topologyKey: string;
}

export interface PodInfo {
  readonly pod: Pod;
  readonly key: string;
  readonly uid: string;
  readonly priority: number;
  readonly requests: Amounts;
  readonly hostPorts: readonly string[];
  readonly tolerations: readonly Toleration[];
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly nodeAffinity: NodeSelector | undefined;
  readonly preferredNodes: readonly { readonly weight: number; readonly preference: NodeSelectorTerm }[];
  readonly near: readonly PodTerm[];
  readonly apart: readonly PodTerm[];
  readonly claims: readonly string[];
  /** Pods of one controller are spread. */
  readonly owner: string | undefined;
  /** Two Pods of the same shape fit on the same nodes. Undefined where other Pods decide about that. */
  readonly shape: string | undefined;
}

interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    readonly preferredDuringSchedulingIgnoredDuringExecution?: PodInfo['preferredNodes'];
  };
  readonly podAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly RawTerm[] };
  readonly podAntiAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly RawTerm[] };
}

interface RawTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
}

export function podInfo(pod: Pod): PodInfo {
  const { metadata, spec } = pod;
  const { namespace = '', name, uid = '' } = metadata;
  const affinity = (spec.affinity ?? {}) as Affinity;
  const required = affinity.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (raw: readonly RawTerm[] = []): PodTerm[] =>
    raw.map(({ labelSelector, namespaces, topologyKey }) => ({
      selects: labelSelectorMatcher(labelSelector),
      namespaces: namespaces === undefined || namespaces.length === 0 ? [namespace] : namespaces,
      topologyKey,
    }));
  const near = terms(affinity.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
  const apart = terms(affinity.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution);
  const claims = claimsOf(pod);
  const requests = requestsOf(pod);
  const hostPorts = hostPortsOf(spec.containers);
  const { tolerations = [], nodeSelector = {} } = spec;
  const shaped = near.length + apart.length + claims.length === 0;
  return {
    pod,
    key: `${namespace}/${name}`,
    uid,
    priority: (spec as { priority?: number }).priority ?? 0,
    requests,
    hostPorts,
    tolerations,
    nodeSelector,
    nodeAffinity: required,
    preferredNodes: affinity.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [],
    near,
    apart,
    claims,
    owner: metadata.ownerReferences?.find(({ controller }) => controller)?.uid,
    shape: shaped ? JSON.stringify([requests, hostPorts, tolerations, nodeSelector, required]) : undefined,
  };
}

/** The claims that its volumes name, its own (`ephemeral`) included. */
export function claimsOf({ metadata, spec }: Pod): string[] {
  return (spec.volumes ?? []).flatMap(volume => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName];
    return 'ephemeral' in volume ? [`${metadata.name}-${volume.name}`] : [];
  });
}

/** Containers run together, init containers one after the other before them, those that always restart beside all that follow. */
export function requestsOf({ spec }: Pod): Amounts {
  const total: Record<string, number> = {};
  for (const container of spec.containers) add(total, amounts(container));
  const sidecars: Record<string, number> = {};
  const most: Record<string, number> = {};
  for (const container of spec.initContainers ?? []) {
    const own = amounts(container);
    if (container.restartPolicy === 'Always') {
      add(sidecars, own);
      raise(most, sidecars);
    } else {
      raise(most, add({ ...sidecars }, own));
    }
  }
  add(total, sidecars);
  raise(total, most);
  const { overhead } = spec as { overhead?: Readonly<Record<string, string>> };
  return add(total, numbers(overhead ?? {}));
}

const amounts = ({ resources }: Container): Amounts => numbers(resources?.requests ?? {});

export function numbers(quantities: Readonly<Record<string, string>>): Amounts {
  return Object.fromEntries(Object.entries(quantities).map(([name, text]) => [name, quantityToNumber(text)]));
}

function add(total: Record<string, number>, more: Amounts): Record<string, number> {
  for (const [name, amount] of Object.entries(more)) total[name] = (total[name] ?? 0) + amount;
  return total;
}

function raise(total: Record<string, number>, least: Amounts): void {
  for (const [name, amount] of Object.entries(least)) total[name] = Math.max(total[name] ?? 0, amount);
}

function hostPortsOf(containers: readonly Container[]): string[] {
  return containers.flatMap(({ ports = [] }) =>
    ports.filter(({ hostPort }) => hostPort).map(({ hostPort, protocol = 'TCP' }) => `${protocol}/${hostPort}`),
  );
}
