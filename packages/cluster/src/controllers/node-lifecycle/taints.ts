/** Which taints a node has by its conditions. Taints that others set are theirs. Pure. */
import { type Node, type NodeCondition, timestamp } from '@capstan/kube';
import type { Taint } from '../scheduler/tolerations.ts';

const PREFIX = 'node.kubernetes.io/';
export const NOT_READY = `${PREFIX}not-ready`;
export const UNREACHABLE = `${PREFIX}unreachable`;
const UNSCHEDULABLE = `${PREFIX}unschedulable`;

/** Conditions under which nothing new should run on a node. */
const PRESSURES: Readonly<Record<string, string>> = {
  MemoryPressure: `${PREFIX}memory-pressure`,
  DiskPressure: `${PREFIX}disk-pressure`,
  PIDPressure: `${PREFIX}pid-pressure`,
  NetworkUnavailable: `${PREFIX}network-unavailable`,
};

export const readyCondition = ({ status }: Node): NodeCondition | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready');

/**
 * The taints that a node should have, or undefined if it has them. `evicts` is false while no node at all is ready: then the fault is more likely ours, or the network's, than
 * theirs, and to move everything off every node would only make it worse.
 */
export function taintsOf(node: Node, evicts: boolean, now: number): readonly Taint[] | undefined {
  const before: readonly Taint[] = node.spec?.taints ?? [];
  const ready = readyCondition(node)?.status;
  // Until something has reported, the taint of new nodes stays.
  const wanted: Taint[] = ready === undefined ? before.filter(({ key }) => key === NOT_READY) : [];
  const bad = ready === 'False' ? NOT_READY : ready === 'Unknown' ? UNREACHABLE : undefined;
  if (bad !== undefined) wanted.push({ key: bad, effect: 'NoSchedule' });
  if (bad !== undefined && evicts) wanted.push({ key: bad, effect: 'NoExecute' });
  for (const { type, status } of node.status?.conditions ?? []) {
    const key = PRESSURES[type];
    if (key !== undefined && status === 'True') wanted.push({ key, effect: 'NoSchedule' });
  }
  if (node.spec?.unschedulable) wanted.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });

  const kept = before.filter(taint => !isOurs(taint) || wanted.some(each => isSame(each, taint)));
  const added = wanted.filter(taint => !before.some(each => isSame(each, taint)));
  if (added.length === 0 && kept.length === before.length) return undefined;
  return [...kept, ...added.map(taint => ({ ...taint, timeAdded: timestamp(now) }))];
}

const OURS: ReadonlySet<string> = new Set([NOT_READY, UNREACHABLE, UNSCHEDULABLE, ...Object.values(PRESSURES)]);

const isOurs = ({ key, effect }: Taint): boolean =>
  OURS.has(key) && (effect === 'NoSchedule' || effect === 'NoExecute');

const isSame = (left: Taint, right: Taint): boolean => left.key === right.key && left.effect === right.effect;

const REPORTED = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** The conditions of a node that has gone silent: nobody knows. */
export function silentConditions(node: Node, now: number): readonly NodeCondition[] {
  const before = node.status?.conditions ?? [];
  const at = timestamp(now);
  const changed = before.map(condition =>
    REPORTED.includes(condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown' as const,
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: at,
        }
      : condition,
  );
  const never = REPORTED.filter(type => !before.some(condition => condition.type === type)).map(type => ({
    type,
    status: 'Unknown' as const,
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: node.metadata.creationTimestamp ?? at,
    lastTransitionTime: at,
  }));
  return [...changed, ...never];
}
