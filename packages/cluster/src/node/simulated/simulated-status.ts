/** The status of a Pod that is only played: what a node would say at each stage, by the same rules as for a real one. */
import type { Pod } from '@capstan/kube';
import { imageIdOf } from '../../images/catalogue.ts';
import { type ContainerFacts, type ContainerState, containersOf, roleOf } from '../pod/container-facts.ts';
import { type NodePodStatus, statusOf } from '../pod/status.ts';

export type Stage = 'running' | 'ended';

export function simulatedStatus(pod: Pod, stage: Stage, now: number, podIP: string): NodePodStatus {
  const startedAt = Date.parse(pod.status?.containerStatuses?.[0]?.state?.running?.startedAt ?? '') || now;
  const containers = containersOf(pod.spec).map((spec): ContainerFacts => {
    const role = roleOf(pod.spec, spec);
    const containerID = `simulated://${pod.metadata.uid}/${spec.name}`;
    const ended = { exitCode: 0, reason: 'Completed', containerID, startedAt, finishedAt: now } as const;
    const state: ContainerState =
      stage === 'ended' || role === 'init'
        ? { type: 'exited', ...ended }
        : { type: 'running', containerID, startedAt, started: true, ready: true };
    return { spec, role, state, restarts: 0 };
  });
  const facts = { pod, now, containers, prepared: true, initialized: true };
  return statusOf(facts, { hostIP: '127.0.0.1', podIP, imageID: imageIdOf });
}
