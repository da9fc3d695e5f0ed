/** What `binding` and `ephemeralcontainers` do to a Pod: pure, for the handlers that read and write it. */
import { deepClone, deepEqual, timestamp } from '@capstan/kube';
import { type FieldError, forbiddenValue, requiredValue } from '../field-error.ts';
import type { Draft, Stored, StrategyContext } from '../kind.ts';
import { conflict } from '../status.ts';
import { ensure, listOf, type Tree } from './tree.ts';
import { checkOneOf, checkSubdomain, type Errors } from './validation/fields.ts';

export function validateBinding(binding: Draft): readonly FieldError[] {
  const errors: Errors = [];
  const { kind, name } = (binding['target'] ?? {}) as Tree;
  if (kind) checkOneOf(errors, 'target.kind', kind, ['Node', '<empty>']);
  if (!name) errors.push(requiredValue('target.name'));
  else if (!kind || kind === 'Node') checkSubdomain(errors, 'target.name', name);
  return errors;
}

/** The Pod on the node that the binding names. Throws a 409 for one that cannot be bound (any more, or yet). */
export function boundPod(pod: Stored, binding: Draft, { clock }: Pick<StrategyContext, 'clock'>): Draft {
  const name = pod.metadata.name ?? '';
  const refuse = (why: string): never => {
    throw conflict({ group: '', plural: 'pods/binding', kind: 'Binding' }, name, `pod ${name} ${why}`);
  };
  if (pod.metadata.deletionTimestamp) refuse('is being deleted, cannot be assigned to a host');
  if (pod['spec']?.nodeName) refuse(`is already assigned to node ${JSON.stringify(pod['spec'].nodeName)}`);
  if (listOf(pod['spec'], 'schedulingGates').length > 0) refuse('has non-empty .spec.schedulingGates');

  const bound = deepClone(pod) as Draft;
  ensure(bound, 'spec')['nodeName'] = binding['target'].name;
  delete bound['status']?.nominatedNodeName;
  const { annotations, labels } = binding.metadata;
  if (annotations) bound.metadata.annotations = { ...bound.metadata.annotations, ...annotations };
  if (labels) bound.metadata.labels = { ...bound.metadata.labels, ...labels };
  setScheduled(ensure(bound, 'status'), timestamp(clock.now()));
  return bound;
}

function setScheduled(status: Tree, now: string): void {
  const conditions = listOf(status, 'conditions');
  const before = conditions.find(condition => condition['type'] === 'PodScheduled');
  const lastTransitionTime = before?.['status'] === 'True' ? before['lastTransitionTime'] : now;
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime };
  status['conditions'] = before
    ? conditions.map(condition => (condition === before ? scheduled : condition))
    : [...conditions, scheduled];
}

/** Through `ephemeralcontainers` only these change; all else is as it was. */
export function prepareEphemeralContainers(draft: Draft, old: Stored): void {
  const added = draft['spec']?.ephemeralContainers as Tree[] | undefined;
  draft['spec'] = { ...old['spec'] };
  if (added === undefined) delete draft['spec'].ephemeralContainers;
  else draft['spec'].ephemeralContainers = added;
  if (old['status'] === undefined) delete draft['status'];
  else draft['status'] = old['status'];
}

/** What has been started cannot be unsaid: in addition to the validation of the whole Pod. */
export function validateEphemeralContainersUpdate(pod: Draft, old: Stored): readonly FieldError[] {
  const now = new Map(listOf(pod['spec'], 'ephemeralContainers').map(container => [container['name'], container]));
  const path = 'spec.ephemeralContainers';
  return listOf(old['spec'], 'ephemeralContainers').flatMap(before => {
    const after = now.get(before['name']);
    const which = `existing ephemeral containers ${JSON.stringify(before['name'])}`;
    if (after === undefined) return [forbiddenValue(path, `${which} may not be removed\n`)];
    return deepEqual(before, after) ? [] : [forbiddenValue(path, `${which} may not be changed\n`)];
  });
}
