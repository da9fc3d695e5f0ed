/** The whole status of a Pod, from what its node knows. */
import { type PodStatus, timestamp } from '@capstan/kube';
import { podConditions } from './conditions.ts';
import type { PodFacts } from './container-facts.ts';
import { containerStatus } from './container-status.ts';
import { isPastDeadline } from './ending.ts';
import { phaseOf } from './phase.ts';

export interface NodePodStatus extends PodStatus {
  readonly hostIPs?: readonly { readonly ip: string }[];
}

export interface StatusContext {
  readonly hostIP: string;
  readonly podIP: string | undefined;
  /** The identity of an image, by its name. */
  readonly imageID: (image: string) => string;
}

export function statusOf(facts: PodFacts, { hostIP, podIP, imageID }: StatusContext): NodePodStatus {
  const { pod, containers, now } = facts;
  const phase = phaseOf(facts);
  const { generation } = pod.metadata;
  const [inits, apps] = [
    containers.filter(({ role }) => role !== 'app'),
    containers.filter(({ role }) => role === 'app'),
  ];
  const statuses = (list: typeof containers) =>
    list.map(container => containerStatus(container, facts, imageID(container.spec.image ?? '')));
  return {
    phase,
    ...whyFailed(facts),
    conditions: podConditions(facts, phase, pod.status?.conditions ?? []),
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(podIP !== undefined && { podIP, podIPs: [{ ip: podIP }] }),
    startTime: pod.status?.startTime ?? timestamp(now),
    ...(inits.length > 0 && { initContainerStatuses: statuses(inits) }),
    containerStatuses: statuses(apps),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

/** A reason once given stays: why a Pod failed does not change. */
function whyFailed(facts: PodFacts): Pick<PodStatus, 'reason' | 'message'> {
  const { reason, message } = facts.pod.status ?? {};
  if (reason !== undefined) return { reason, ...(message !== undefined && { message }) };
  if (facts.pod.status?.phase === 'Succeeded' || !isPastDeadline(facts)) return {};
  return {
    reason: 'DeadlineExceeded',
    message: 'Pod was active on the node longer than the specified deadline',
  };
}
