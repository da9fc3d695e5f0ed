/** Whether a Pod is being ended, and why. */
import type { Pod } from '@capstan/kube';
import type { PodFacts } from './container-facts.ts';
import { restarts } from './restarts.ts';

/** When a Pod has been active for as long as it may be. */
export function deadlineOf({ spec, status }: Pod): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
}

export function isTerminal({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

export function isPastDeadline({ pod, now }: Pick<PodFacts, 'pod' | 'now'>): boolean {
  const deadline = deadlineOf(pod);
  return deadline !== undefined && now >= deadline;
}

/** Nothing is started any more, and what runs is stopped. */
export function isEnding(facts: PodFacts): boolean {
  const { pod } = facts;
  return pod.metadata.deletionTimestamp !== undefined || isTerminal(pod) || isPastDeadline(facts) || isDone(facts);
}

/** What the Pod is for is over: every ordinary container has ended for good, or an init container has failed for good. */
export function isDone({ containers, pod }: Pick<PodFacts, 'containers' | 'pod'>): boolean {
  const ended = ({ state }: PodFacts['containers'][number]): boolean => state.type === 'exited';
  const forGood = containers.filter(container => ended(container) && !restarts(container, pod.spec));
  const failedInit = forGood.some(
    ({ role, state }) => role === 'init' && state.type === 'exited' && state.exitCode !== 0,
  );
  const apps = containers.filter(({ role }) => role === 'app');
  return failedInit || apps.every(app => forGood.includes(app));
}
