/** The conditions of a Pod that a node answers for. */
import { type PodCondition, timestamp } from '@capstan/kube';
import type { ContainerFacts, PodFacts } from './container-facts.ts';
import { isReady } from './container-status.ts';
import type { Phase } from './phase.ts';

type NewPodCondition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** In the order in which a kubelet lists them. `before` keeps the times of those that stay as they are. */
export function podConditions(facts: PodFacts, phase: Phase, before: readonly PodCondition[]): readonly PodCondition[] {
  const { generation } = facts.pod.metadata;
  const containersReady = containersReadyCondition(facts, phase);
  const conditions = [
    readyToStart(facts, phase),
    initializedCondition(facts, phase),
    readyCondition(facts, containersReady, before),
    containersReady,
    { type: 'PodScheduled', status: 'True' } as const,
  ];
  return conditions.map(condition => {
    const old = before.find(({ type }) => type === condition.type);
    const unchanged = old?.status === condition.status && old.lastTransitionTime;
    return {
      ...condition,
      lastProbeTime: null,
      lastTransitionTime: unchanged ? old.lastTransitionTime! : timestamp(facts.now),
      ...(generation !== undefined && { observedGeneration: generation }),
    };
  });
}

function readyToStart({ prepared }: PodFacts, phase: Phase): NewPodCondition {
  const status = prepared && phase !== 'Succeeded' && phase !== 'Failed' ? 'True' : 'False';
  return { type: 'PodReadyToStartContainers', status };
}

function initializedCondition({ containers, initialized }: PodFacts, phase: Phase): NewPodCondition {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', reason: 'PodCompleted' };
  if (initialized) return { type, status: 'True' };
  const incomplete = containers.filter(
    ({ role, state }) =>
      (role === 'init' && !(state.type === 'exited' && state.exitCode === 0)) ||
      (role === 'sidecar' && !(state.type === 'running' && state.started)),
  );
  if (incomplete.length === 0) return { type, status: 'True' };
  const message = `containers with incomplete status: ${names(incomplete)}`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReadyCondition({ containers }: PodFacts, phase: Phase): NewPodCondition {
  const type = 'ContainersReady';
  if (phase === 'Succeeded') return { type, status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const unready = containers.filter(container => container.role !== 'init' && !isReady(container));
  if (unready.length === 0) return { type, status: 'True' };
  const message = `containers with unready status: ${names(unready)}`;
  return { type, status: 'False', reason: 'ContainersNotReady', message };
}

/** Ready is ContainersReady, and whatever gates the Pod names besides; their conditions are others' to write. */
function readyCondition(
  { pod }: PodFacts,
  containersReady: NewPodCondition,
  before: readonly PodCondition[],
): NewPodCondition {
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const messages = (pod.spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = before.find(({ type }) => type === conditionType);
    if (gate === undefined) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (gate.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (messages.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

function names(containers: readonly ContainerFacts[]): string {
  return `[${containers.map(({ spec }) => spec.name).join(' ')}]`;
}
