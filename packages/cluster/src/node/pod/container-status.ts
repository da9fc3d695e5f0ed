/** `containerStatuses`, as a kubelet reports them. */
import {
  type ContainerState as ApiState,
  type Container,
  type ContainerStatus,
  type Pod,
  timestamp,
} from '@capstan/kube';
import type { Blocked, ContainerFacts, PodFacts, Termination } from './container-facts.ts';
import { PULL_ERROR_SHOWN } from './decide.ts';
import { isEnding } from './ending.ts';
import { goDuration, nextStart } from './restart-backoff.ts';
import { restarts } from './restarts.ts';

export function containerStatus(container: ContainerFacts, facts: PodFacts, imageID: string): ContainerStatus {
  const { spec, role, state, restarts: restartCount, last } = container;
  const waits = backingOff(container, facts);
  const lastTermination = waits && state.type === 'exited' ? state : last;
  return {
    name: spec.name,
    state: waits ?? apiState(container, facts),
    lastState: lastTermination === undefined ? {} : { terminated: terminated(lastTermination) },
    ready: isReady(container),
    restartCount,
    image: spec.image ?? '',
    imageID: state.type === 'running' || state.type === 'exited' || last !== undefined ? imageID : '',
    ...containerIDOf(container),
    started: role === 'init' && state.type !== 'running' ? false : state.type === 'running' && state.started,
  };
}

/** An init container is ready when it is over, the others while they run and their probes agree. */
export function isReady({ role, state }: ContainerFacts): boolean {
  if (role === 'init') return state.type === 'exited' && state.exitCode === 0;
  return state.type === 'running' && state.started && state.ready;
}

function apiState({ spec, state }: ContainerFacts, facts: PodFacts): ApiState {
  switch (state.type) {
    case 'new':
    case 'starting': {
      if (state.type === 'starting' && state.was !== undefined) return blockedState(spec, state.was, facts.now);
      const isInit = facts.pod.spec.initContainers?.includes(spec) ?? false;
      const waitsForInit = !facts.initialized && (facts.pod.spec.initContainers?.length ?? 0) > 0;
      const reason = waitsForInit && !(isInit && state.type === 'starting') ? 'PodInitializing' : 'ContainerCreating';
      return { waiting: { reason } };
    }
    case 'blocked':
      return blockedState(spec, state, facts.now);
    case 'running':
      return { running: { startedAt: timestamp(state.startedAt) } };
    case 'exited':
      return { terminated: terminated(state) };
  }
}

/** An image that cannot be had is an error for a moment, and then something that is waited for. */
function blockedState({ image = '' }: Container, { reason, message, since }: Blocked, now: number): ApiState {
  if (reason !== 'ErrImagePull' || now < since + PULL_ERROR_SHOWN) return { waiting: { reason, message } };
  const text = `Back-off pulling image ${JSON.stringify(image)}: ErrImagePull: ${message}`;
  return { waiting: { reason: 'ImagePullBackOff', message: text } };
}

/** A container that ended and waits for its next turn is in CrashLoopBackOff. */
function backingOff(container: ContainerFacts, facts: PodFacts): ApiState | undefined {
  const { spec, state, backoff } = container;
  if (state.type !== 'exited' || isEnding(facts) || !restarts(container, facts.pod.spec)) return undefined;
  const next = nextStart(backoff, state.finishedAt, facts.now);
  if (next.type === 'now') return undefined;
  const message = `back-off ${goDuration(next.delay)} restarting failed container=${spec.name} pod=${nameForPeople(facts.pod)}`;
  return { waiting: { reason: 'CrashLoopBackOff', message } };
}

export function nameForPeople({ metadata: { name, namespace, uid } }: Pod): string {
  return `${name}_${namespace}(${uid})`;
}

function terminated({ startedAt, finishedAt, exitCode, reason, message, containerID }: Termination) {
  return {
    exitCode,
    reason,
    ...(message !== undefined && { message }),
    startedAt: timestamp(startedAt),
    finishedAt: timestamp(finishedAt),
    containerID,
  };
}

function containerIDOf({ state, last }: ContainerFacts): { containerID?: string } {
  if (state.type === 'running' || state.type === 'exited') return { containerID: state.containerID };
  return last === undefined ? {} : { containerID: last.containerID };
}
