/**
 * What the admission plugins that every Kubernetes runs add to a new Pod: its priority, and how long it stays on a node that
 * went away. They stand before the strategy, so the request path calls this before `prepareForCreate`.
 */

import type { Draft, Stored } from '../kind.ts';
import { forbidden } from '../status.ts';
import { ensure, listOf, type Tree } from './tree.ts';

const POD = { group: '', plural: 'pods', kind: 'Pod' };
const SECONDS_ON_A_LOST_NODE = 300;

/** Classes that exist without anyone having made them. */
const SYSTEM_CLASSES: ReadonlyMap<string, number> = new Map([
  ['system-cluster-critical', 2_000_000_000],
  ['system-node-critical', 2_000_001_000],
]);

/** Completes a Pod that is about to be created. `priorityClasses` are those of the cluster. */
export function admitPod(draft: Draft, priorityClasses: Iterable<Stored>): void {
  const spec = ensure(draft, 'spec');
  setPriority(draft.metadata.name ?? '', spec, priorityClasses);
  tolerate(spec, 'node.kubernetes.io/not-ready');
  tolerate(spec, 'node.kubernetes.io/unreachable');
}

/** Completes a Pod that is about to be changed: what was added to it when it was created stays. */
export function admitPodUpdate(draft: Draft, old: Stored): void {
  const spec = ensure(draft, 'spec');
  for (const field of ['priority', 'preemptionPolicy']) {
    if (old['spec']?.[field] !== undefined) spec[field] ??= old['spec'][field];
  }
  tolerate(spec, 'node.kubernetes.io/not-ready');
  tolerate(spec, 'node.kubernetes.io/unreachable');
}

function setPriority(podName: string, spec: Tree, priorityClasses: Iterable<Stored>): void {
  const { value, preemptionPolicy, name } = priorityOf(podName, spec['priorityClassName'], [...priorityClasses]);
  if (spec['priority'] !== undefined && spec['priority'] !== value) {
    throw forbidden(
      POD,
      podName,
      `the integer value of priority (${spec['priority']}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  if (spec['preemptionPolicy'] !== undefined && spec['preemptionPolicy'] !== preemptionPolicy) {
    throw forbidden(
      POD,
      podName,
      `the string value of PreemptionPolicy (${spec['preemptionPolicy']}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
    );
  }
  if (name !== undefined) spec['priorityClassName'] = name;
  spec['priority'] = value;
  spec['preemptionPolicy'] = preemptionPolicy;
}

interface Priority {
  readonly value: number;
  readonly preemptionPolicy: string;
  readonly name?: string;
}

const PREEMPT = 'PreemptLowerPriority';

function priorityOf(podName: string, wanted: string | undefined, classes: readonly Stored[]): Priority {
  if (wanted === undefined) {
    const byDefault = classes
      .filter(one => one['globalDefault'] === true)
      .sort((left, right) => left['value'] - right['value'])[0];
    if (byDefault === undefined) return { value: 0, preemptionPolicy: PREEMPT };
    return fromClass(byDefault);
  }
  const found = classes.find(one => one.metadata.name === wanted);
  if (found !== undefined) return fromClass(found);
  const system = SYSTEM_CLASSES.get(wanted);
  if (system !== undefined) return { value: system, preemptionPolicy: PREEMPT, name: wanted };
  throw forbidden(POD, podName, `no PriorityClass with name ${wanted} was found`);
}

function fromClass(priorityClass: Stored): Priority {
  return {
    value: priorityClass['value'] ?? 0,
    preemptionPolicy: priorityClass['preemptionPolicy'] ?? PREEMPT,
    name: priorityClass.metadata.name!,
  };
}

function tolerate(spec: Tree, key: string): void {
  const isTolerated = listOf(spec, 'tolerations').some(
    one => (!one['key'] || one['key'] === key) && (!one['effect'] || one['effect'] === 'NoExecute'),
  );
  if (isTolerated) return;
  const toleration = { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS_ON_A_LOST_NODE };
  spec['tolerations'] = [...listOf(spec, 'tolerations'), toleration];
}
