/** In which order the containers of a Pod that ends are stopped: all ordinary ones together, then sidecars, the last one first. */
import type { ContainerFacts, PodFacts } from './container-facts.ts';
import type { Action } from './decide.ts';

/** A sidecar whose turn comes when the grace period is over still gets this long. */
const LEAST_GRACE = 2_000;
const DEFAULT_GRACE_SECONDS = 30;

export function stopInOrder(facts: PodFacts): Action[] {
  const by = endOfGrace(facts);
  const running = facts.containers.filter(isRunning);
  const first = running.filter(({ role }) => role !== 'sidecar');
  if (first.length > 0) return first.map(container => stop(container, by));
  const sidecar = running.at(-1);
  return sidecar === undefined ? [] : [stop(sidecar, Math.max(by, facts.now + LEAST_GRACE))];
}

/** A deletion says when the Pod has to be gone; anything else gives it the grace period of its spec. */
export function endOfGrace({ pod, now, endingSince = now }: PodFacts): number {
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) return Date.parse(deletionTimestamp);
  return endingSince + (pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS) * 1000;
}

function isRunning({ state }: ContainerFacts): boolean {
  return state.type === 'running' || state.type === 'starting';
}

function stop({ spec }: ContainerFacts, by: number): Action {
  return { type: 'stop', container: spec.name, by, message: `Stopping container ${spec.name}` };
}
