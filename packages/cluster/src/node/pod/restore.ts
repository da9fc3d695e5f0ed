/**
 * What is known of a container when a node meets its Pod: nothing for a new one; for one that ran before Capstan was started anew, what the status
 * says. For Pods, a new start of Capstan is a new start of the machine: nothing runs any more, init containers run again.
 */
import type { ContainerState as ApiState, Container, ContainerStatus, Pod } from '@capstan/kube';
import { type ContainerFacts, roleOf, type Termination } from './container-facts.ts';
import { isTerminal } from './ending.ts';

export function restoredFacts(pod: Pod, spec: Container, now: number): ContainerFacts {
  const role = roleOf(pod.spec, spec);
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const status = [...initContainerStatuses, ...containerStatuses].find(({ name }) => name === spec.name);
  if (status === undefined) return { spec, role, state: { type: 'new' }, restarts: 0 };
  const { restartCount: restarts } = status;
  const last = terminationOf(status.lastState);
  const ended = endOf(status, now) ?? last;
  const before = last === undefined || last === ended ? {} : { last };
  if (ended === undefined) return { spec, role, state: { type: 'new' }, restarts };
  if (role !== 'app' && !isTerminal(pod)) return { spec, role, state: { type: 'new' }, last: ended, restarts };
  return { spec, role, state: { type: 'exited', ...ended }, ...before, restarts };
}

function endOf({ state, containerID = '' }: ContainerStatus, now: number): Termination | undefined {
  if (state?.running === undefined) return terminationOf(state);
  return {
    containerID,
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located after the node was started anew: it ended with the node.',
    startedAt: Date.parse(state.running.startedAt ?? '') || 0,
    finishedAt: now,
  };
}

function terminationOf(state: ApiState | undefined): Termination | undefined {
  if (state?.terminated === undefined) return undefined;
  const { exitCode, reason, message, startedAt, finishedAt, containerID = '' } = state.terminated;
  return {
    containerID,
    exitCode,
    reason: (reason ?? (exitCode === 0 ? 'Completed' : 'Error')) as Termination['reason'],
    ...(message !== undefined && { message }),
    startedAt: Date.parse(startedAt ?? '') || 0,
    finishedAt: Date.parse(finishedAt ?? '') || 0,
  };
}
