/** What of a Pod may change once it exists: next to nothing, for its containers run. */
import { deepEqual } from '@capstan/kube';
import { forbiddenValue, invalidValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { type Errors, IMMUTABLE } from './fields.ts';

const FORBIDDEN =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

export function validatePodUpdate(pod: Draft, old: Stored): Errors {
  const errors: Errors = [];
  const spec = pod['spec'] as Tree;
  const before = old['spec'] as Tree;
  for (const list of ['containers', 'initContainers']) {
    if (listOf(spec, list).length !== listOf(before, list).length) {
      errors.push(forbiddenValue(`spec.${list}`, 'pod updates may not add or remove containers'));
    }
  }
  if (errors.length > 0) return errors;
  checkDeadline(errors, spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']);
  checkTolerations(errors, listOf(spec, 'tolerations'), listOf(before, 'tolerations'));
  checkGates(errors, listOf(spec, 'schedulingGates'), listOf(before, 'schedulingGates'));
  if (errors.length > 0) return errors;
  if (!deepEqual(fixedPart(spec, before), before)) errors.push(forbiddenValue('spec', FORBIDDEN));
  return errors;
}

/** It may be set or shortened, never lengthened. */
function checkDeadline(errors: Errors, now: number | undefined, before: number | undefined): void {
  const path = 'spec.activeDeadlineSeconds';
  if (before === undefined) return;
  if (now === undefined) errors.push(invalidValue(path, null, 'must not update from a positive integer to nil value'));
  else if (now > before) errors.push(invalidValue(path, now, 'must be less than or equal to previous value'));
}

function checkTolerations(errors: Errors, now: readonly Tree[], before: readonly Tree[]): void {
  const same = ({ tolerationSeconds: _one, ...left }: Tree, { tolerationSeconds: _other, ...right }: Tree): boolean =>
    deepEqual(left, right);
  if (before.every(toleration => now.some(one => same(one, toleration)))) return;
  errors.push(
    forbiddenValue('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds'),
  );
}

/** Gates open one by one; no new ones appear. */
function checkGates(errors: Errors, now: readonly Tree[], before: readonly Tree[]): void {
  const known = new Set(before.map(gate => gate['name']));
  for (const [index, { name }] of now.entries()) {
    if (known.has(name)) continue;
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    errors.push(forbiddenValue(`spec.schedulingGates[${index}].name`, why));
  }
}

/** Of the status, what the server worked out itself cannot change. */
export function validatePodStatusUpdate(pod: Draft, old: Stored): Errors {
  const { qosClass } = (pod['status'] ?? {}) as Tree;
  if (old['status']?.qosClass === undefined || qosClass === old['status'].qosClass) return [];
  return [invalidValue('status.qosClass', qosClass, IMMUTABLE)];
}

/** The new spec with all that may change as it was before. */
function fixedPart(spec: Tree, before: Tree): Tree {
  const fixed: Tree = { ...spec };
  for (const list of ['containers', 'initContainers']) {
    if (spec[list] === undefined) continue;
    fixed[list] = listOf(spec, list).map((container, index) => ({
      ...container,
      image: listOf(before, list)[index]?.['image'],
    }));
  }
  const keep = (field: string): void => {
    if (before[field] === undefined) delete fixed[field];
    else fixed[field] = before[field];
  };
  keep('activeDeadlineSeconds');
  keep('tolerations');
  if (before['terminationGracePeriodSeconds'] < 0 && spec['terminationGracePeriodSeconds'] === 1) {
    keep('terminationGracePeriodSeconds');
  }
  if (listOf(before, 'schedulingGates').length > 0) {
    // A Pod that waits for its gates may still be told where to go.
    for (const field of ['schedulingGates', 'nodeSelector', 'affinity']) keep(field);
  }
  return fixed;
}
