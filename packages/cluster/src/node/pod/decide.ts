/**
 * What a node does next for a Pod, from what it knows. Pure, and level-triggered: asked twice, it answers the same, so whoever acts on it may be
 * called at any time. The rules are a kubelet's.
 */
import type { ContainerFacts, PodFacts } from './container-facts.ts';
import { deadlineOf, isEnding } from './ending.ts';
import { nextStart, type RestartBackoff } from './restart-backoff.ts';
import { restarts } from './restarts.ts';
import { stopInOrder } from './stop-order.ts';

export type Action =
  | { readonly type: 'start'; readonly container: string; readonly backoff?: RestartBackoff }
  /** End it, with SIGKILL at `by`. Said again with an earlier `by`, it is hurried up. */
  | { readonly type: 'stop'; readonly container: string; readonly by: number; readonly message: string };

export interface Decision {
  readonly actions: readonly Action[];
  /** Init containers are behind us. */
  readonly initialized: boolean;
  /** Everything has ended that will: the status is final. */
  readonly over: boolean;
  /** When to decide again if nothing happens. */
  readonly wakeAt?: number;
}

/** An image that could not be had is reported as `ErrImagePull` for so long, then as `ImagePullBackOff`. */
export const PULL_ERROR_SHOWN = 2_000;

export function decide(facts: PodFacts): Decision {
  if (isEnding(facts)) return end(facts);
  const { containers, now, prepared } = facts;
  const doomed = containers.flatMap(container => doomedStop(container, now));
  const deadline = deadlineOf(facts.pod);
  if (!prepared) return decision(doomed, { initialized: facts.initialized, wakeTimes: [deadline] });
  const steps: Step[] = [];
  const initialized = facts.initialized || initialize(facts, steps);
  for (const container of containers) {
    const runsNow = container.role === 'sidecar' ? facts.initialized : container.role === 'app' && initialized;
    if (runsNow) steps.push(keepRunning(container, facts));
  }
  return decision([...doomed, ...steps.flatMap(({ actions = [] }) => actions)], {
    initialized,
    wakeTimes: [deadline, ...steps.map(({ wakeAt }) => wakeAt)],
  });
}

interface Step {
  readonly actions?: readonly Action[];
  readonly wakeAt?: number | undefined;
}

/** Works on init containers in their order; true when all of them are behind us. */
function initialize(facts: PodFacts, steps: Step[]): boolean {
  for (const container of facts.containers) {
    if (container.role === 'app') break;
    const { state } = container;
    if (container.role === 'init' && state.type === 'exited' && state.exitCode === 0) continue;
    steps.push(keepRunning(container, facts));
    if (container.role === 'sidecar' && state.type === 'running' && state.started) continue;
    return false;
  }
  return true;
}

/** Starts a container that should run and does not. */
function keepRunning(container: ContainerFacts, { pod, now }: PodFacts): Step {
  const { spec, state, backoff } = container;
  const start = (next?: RestartBackoff): Step => ({
    actions: [{ type: 'start', container: spec.name, ...(next && { backoff: next }) }],
  });
  switch (state.type) {
    case 'new':
      return start();
    case 'blocked':
      if (now >= state.retryAt) return start();
      return { wakeAt: now < state.since + PULL_ERROR_SHOWN ? state.since + PULL_ERROR_SHOWN : state.retryAt };
    case 'starting':
    case 'running':
      return {};
    case 'exited': {
      if (!restarts(container, pod.spec)) return {};
      const next = nextStart(backoff, state.finishedAt, now);
      return next.type === 'now' ? start(next.backoff) : { wakeAt: next.at };
    }
  }
}

function doomedStop({ spec, state }: ContainerFacts, now: number): Action[] {
  if (state.type !== 'running' || state.doomed === undefined) return [];
  const { graceSeconds, message } = state.doomed;
  return [{ type: 'stop', container: spec.name, by: now + graceSeconds * 1000, message }];
}

function end(facts: PodFacts): Decision {
  const actions = stopInOrder(facts);
  const over = facts.containers.every(({ state }) => state.type !== 'running' && state.type !== 'starting');
  return { actions, initialized: facts.initialized, over };
}

function decision(
  actions: readonly Action[],
  { initialized, wakeTimes }: { initialized: boolean; wakeTimes: readonly (number | undefined)[] },
): Decision {
  const times = wakeTimes.filter(time => time !== undefined);
  return { actions, initialized, over: false, ...(times.length > 0 && { wakeAt: Math.min(...times) }) };
}
