/** The one word for how a Pod is doing, by a kubelet's rules. */
import type { ContainerFacts, PodFacts } from './container-facts.ts';
import { isDone, isPastDeadline } from './ending.ts';

export type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export function phaseOf(facts: PodFacts): Phase {
  const { pod, containers } = facts;
  const before = pod.status?.phase;
  // Final is final, whatever is found out later.
  if (before === 'Succeeded' || before === 'Failed') return before;
  const active = containers.some(({ state }) => state.type === 'running' || state.type === 'starting');
  const ending = pod.metadata.deletionTimestamp !== undefined || isPastDeadline(facts);
  if (isPastDeadline(facts) && !active) return 'Failed';
  if (!active && (isDone(facts) || ending)) return endOf(facts);
  if (!facts.initialized && !isDone(facts)) return 'Pending';
  const apps = containers.filter(({ role }) => role === 'app');
  if (apps.some(neverRan) && !isDone(facts)) return 'Pending';
  return 'Running';
}

/** Nothing runs and nothing will: it succeeded if every container that had to succeed did. */
function endOf({ containers }: PodFacts): Phase {
  const needed = containers.filter(({ role }) => role !== 'sidecar');
  const succeeded = needed.every(({ state }) => state.type === 'exited' && state.exitCode === 0);
  return succeeded ? 'Succeeded' : 'Failed';
}

/** It waits for its first instance. One that waits for a further one counts as running. */
function neverRan({ state, last }: ContainerFacts): boolean {
  return (state.type === 'new' || state.type === 'blocked' || state.type === 'starting') && last === undefined;
}
