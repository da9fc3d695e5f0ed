/** The kinds of apps. */
import { deepEqual } from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkClaimSpec } from './claim.ts';
import {
  checkLabel,
  checkNoneNegative,
  checkNonNegative,
  checkOneOf,
  type Errors,
  IMMUTABLE,
  sortedMap,
} from './fields.ts';
import { checkAtMostAll, checkIntOrPercent, isNone } from './int-or-percent.ts';
import type { Volumes } from './mounts.ts';
import { checkTemplate } from './pod.ts';
import { checkLabelSelector, isEmptySelector, isUsable, matches, selectorValue } from './selector.ts';

const MISMATCH = '`selector` does not match template `labels`';

export function validateDeployment(deployment: Draft): Errors {
  const errors: Errors = [];
  const spec = (deployment['spec'] ?? {}) as Tree;
  checkNonNegative(errors, 'spec.replicas', spec['replicas']);
  checkSelector(errors, spec['selector'] ?? undefined, 'deployment', true);
  checkTemplateOf(errors, spec, 'ReplicaSet');
  checkDeploymentStrategy(errors, spec['strategy'] ?? {});
  checkNoneNegative(errors, 'spec', spec, ['minReadySeconds', 'revisionHistoryLimit']);
  const deadline = spec['progressDeadlineSeconds'] as number | undefined;
  if (deadline !== undefined) {
    checkNonNegative(errors, 'spec.progressDeadlineSeconds', deadline);
    if (deadline <= (spec['minReadySeconds'] ?? 0)) {
      errors.push(invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
    }
  }
  return errors;
}

function checkDeploymentStrategy(errors: Errors, strategy: Tree): void {
  const { type, rollingUpdate } = strategy;
  const path = 'spec.strategy';
  if (type === 'Recreate') {
    if (rollingUpdate !== undefined) {
      errors.push(forbiddenValue(`${path}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"));
    }
  } else if (type === 'RollingUpdate') {
    if (rollingUpdate === undefined)
      errors.push(requiredValue(`${path}.rollingUpdate`, 'this should be defaulted and never be nil'));
    else checkRollingUpdate(errors, `${path}.rollingUpdate`, rollingUpdate);
  } else {
    const internal = { Type: type, RollingUpdate: internalRolling(rollingUpdate) };
    errors.push(unsupportedValue(path, internal, ['Recreate', 'RollingUpdate']));
  }
}

/** As Kubernetes prints it, in the names and with the zeros of its own types. */
function internalRolling(rolling: Tree | undefined): unknown {
  if (rolling === undefined) return null;
  return { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 };
}

function checkRollingUpdate(errors: Errors, path: string, { maxUnavailable, maxSurge }: Tree): void {
  checkIntOrPercent(errors, `${path}.maxUnavailable`, maxUnavailable);
  checkIntOrPercent(errors, `${path}.maxSurge`, maxSurge);
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    errors.push(invalidValue(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  }
  checkAtMostAll(errors, `${path}.maxUnavailable`, maxUnavailable);
}

/** A workload must select something, and its own Pods among it. */
function checkSelector(errors: Errors, selector: Tree | undefined, kind: string, checksConversion: boolean): void {
  if (selector === undefined) {
    errors.push(requiredValue('spec.selector'));
    return;
  }
  const before = errors.length;
  checkLabelSelector(errors, 'spec.selector', selector);
  const isInvalid = errors.length > before;
  if (isEmptySelector(selector)) {
    errors.push(invalidValue('spec.selector', selectorValue(selector), `empty selector is invalid for ${kind}`));
  }
  if (checksConversion && isInvalid)
    errors.push(invalidValue('spec.selector', selectorValue(selector), 'invalid label selector'));
}

/** With a selector that cannot be used, nobody could say which template is right: it is not looked at. */
function checkTemplateOf(errors: Errors, spec: Tree, kind: string, more?: Volumes): void {
  const selector = (spec['selector'] ?? undefined) as Tree | undefined;
  if (selector !== undefined && !isUsable(selector)) return;
  const template = (spec['template'] ?? {}) as Tree;
  checkSelected(errors, selector, template);
  checkTemplate(errors, 'spec.template', template, more);
  if (kind !== 'StatefulSet') checkRunsForever(errors, template, kind);
}

/** No selector selects nothing; an empty one has been complained about already. */
function checkSelected(errors: Errors, selector: Tree | undefined, template: Tree): void {
  const labels = template['metadata']?.labels as Record<string, string> | undefined;
  const isSelected = selector !== undefined && (isEmptySelector(selector) || matches(selector, labels ?? {}));
  if (!isSelected) errors.push(invalidValue('spec.template.metadata.labels', sortedMap(labels), MISMATCH));
}

function checkRunsForever(errors: Errors, template: Tree, kind: string): void {
  const spec = (template['spec'] ?? {}) as Tree;
  const policy = spec['restartPolicy'] as string | undefined;
  if (policy !== undefined && policy !== 'Always') {
    errors.push(unsupportedValue('spec.template.spec.restartPolicy', policy, ['Always']));
  }
  if (spec['activeDeadlineSeconds'] !== undefined) {
    const why = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(forbiddenValue('spec.template.spec.activeDeadlineSeconds', why));
  }
}

export function validateReplicaSet(replicaSet: Draft): Errors {
  const errors: Errors = [];
  const spec = (replicaSet['spec'] ?? {}) as Tree;
  checkNoneNegative(errors, 'spec', spec, ['replicas', 'minReadySeconds']);
  // Kubernetes says deployment here too.
  checkSelector(errors, spec['selector'] ?? undefined, 'deployment', true);
  checkTemplateOf(errors, spec, 'ReplicaSet');
  return errors;
}

export function validateDaemonSet(daemonSet: Draft): Errors {
  const errors: Errors = [];
  const spec = (daemonSet['spec'] ?? {}) as Tree;
  const template = (spec['template'] ?? {}) as Tree;
  // That there is none shows in the labels, which nothing selects.
  if (spec['selector']) checkSelector(errors, spec['selector'], 'daemonset', false);
  const selector = (spec['selector'] ?? undefined) as Tree | undefined;
  if (selector === undefined || isUsable(selector)) checkSelected(errors, selector, template);
  checkTemplate(errors, 'spec.template', template);
  checkRunsForever(errors, template, 'DaemonSet');
  checkNoneNegative(errors, 'spec', spec, ['minReadySeconds']);
  checkDaemonSetStrategy(errors, spec['updateStrategy'] ?? {});
  checkNoneNegative(errors, 'spec', spec, ['revisionHistoryLimit']);
  return errors;
}

function checkDaemonSetStrategy(errors: Errors, { type, rollingUpdate }: Tree): void {
  const path = 'spec.updateStrategy';
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    const internal = { Type: type, RollingUpdate: internalRolling(rollingUpdate) };
    errors.push(unsupportedValue(path, internal, ['RollingUpdate', 'OnDelete']));
    return;
  }
  const at = `${path}.rollingUpdate`;
  const { maxUnavailable, maxSurge } = rollingUpdate as Tree;
  checkIntOrPercent(errors, `${at}.maxUnavailable`, maxUnavailable);
  checkAtMostAll(errors, `${at}.maxUnavailable`, maxUnavailable);
  checkIntOrPercent(errors, `${at}.maxSurge`, maxSurge);
  checkAtMostAll(errors, `${at}.maxSurge`, maxSurge);
  if (isNone(maxUnavailable) && isNone(maxSurge)) {
    errors.push(requiredValue(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0'));
  } else if (!isNone(maxUnavailable) && !isNone(maxSurge)) {
    errors.push(invalidValue(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero'));
  }
}

export function validateStatefulSet(statefulSet: Draft): Errors {
  const errors: Errors = [];
  const spec = (statefulSet['spec'] ?? {}) as Tree;
  if (!['OrderedReady', 'Parallel'].includes(spec['podManagementPolicy'])) {
    errors.push(
      invalidValue('spec.podManagementPolicy', spec['podManagementPolicy'], "must be 'OrderedReady' or 'Parallel'"),
    );
  }
  checkStatefulSetStrategy(errors, spec['updateStrategy'] ?? {});
  for (const field of ['whenDeleted', 'whenScaled']) {
    const path = `spec.persistentVolumeClaimRetentionPolicy.${field}`;
    checkOneOf(errors, path, spec['persistentVolumeClaimRetentionPolicy']?.[field], ['Retain', 'Delete']);
  }
  checkNoneNegative(errors, 'spec', spec, ['replicas', 'minReadySeconds']);
  checkNonNegative(errors, 'spec.ordinals.start', spec['ordinals']?.start);
  checkSelector(errors, spec['selector'] ?? undefined, 'statefulset', false);
  if (spec['selector'] && !isUsable(spec['selector'])) {
    errors.push(invalidValue('spec.selector', selectorValue(spec['selector']), ''));
  }
  checkTemplateOf(errors, spec, 'StatefulSet', claimVolumes(spec));
  checkRunsForever(errors, spec['template'] ?? {}, 'StatefulSet');
  if (spec['serviceName']) checkLabel(errors, 'spec.serviceName', spec['serviceName']);
  for (const [index, claim] of listOf(spec, 'volumeClaimTemplates').entries()) {
    checkClaimSpec(errors, `spec.volumeClaimTemplates[${index}].spec`, claim['spec'] ?? {});
  }
  return errors;
}

/** The Pods mount their claims as if the template named them. */
function claimVolumes(spec: Tree): Volumes {
  const claims = listOf(spec, 'volumeClaimTemplates').map(claim => claim['metadata']?.name as string | undefined);
  return new Map(claims.map(name => [name ?? '', { name, persistentVolumeClaim: {} }]));
}

function checkStatefulSetStrategy(errors: Errors, { type, rollingUpdate }: Tree): void {
  const path = 'spec.updateStrategy';
  if (type === 'RollingUpdate') {
    if (rollingUpdate === undefined) return;
    checkNonNegative(errors, `${path}.rollingUpdate.partition`, rollingUpdate.partition);
    const { maxUnavailable } = rollingUpdate;
    checkIntOrPercent(errors, `${path}.rollingUpdate.maxUnavailable`, maxUnavailable);
    checkAtMostAll(errors, `${path}.rollingUpdate.maxUnavailable`, maxUnavailable);
    if (maxUnavailable !== undefined && isNone(maxUnavailable)) {
      errors.push(invalidValue(`${path}.rollingUpdate.maxUnavailable`, maxUnavailable, 'cannot be 0'));
    }
  } else if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return;
    const internal = { Partition: rollingUpdate.partition ?? 0, MaxUnavailable: rollingUpdate.maxUnavailable ?? null };
    errors.push(invalidValue(`${path}.rollingUpdate`, internal, "only allowed for updateStrategy 'RollingUpdate'"));
  } else {
    const internal = { Type: type, RollingUpdate: rollingUpdate ?? null };
    errors.push(invalidValue(path, internal, "must be 'RollingUpdate' or 'OnDelete'"));
  }
}

/** The selector of a workload is its claim on Pods: it cannot move. */
export function validateSelectorUpdate(object: Draft, old: Stored): Errors {
  const selector = object['spec']?.selector;
  return deepEqual(selector, old['spec']?.selector)
    ? []
    : [invalidValue('spec.selector', selectorValue(selector), IMMUTABLE)];
}

/** What of a StatefulSet may change; the rest would need other Pods or other claims than there are. */
const CHANGEABLE = new Set([
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]);
const NAMED = ['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'];
const FORBIDDEN_UPDATE =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

export function validateStatefulSetUpdate(object: Draft, old: Stored): Errors {
  const errors: Errors = [];
  const spec = object['spec'] as Tree;
  const before = old['spec'] as Tree;
  for (const field of NAMED) {
    if (!deepEqual(spec[field], before[field])) errors.push(invalidValue(`spec.${field}`, spec[field], IMMUTABLE));
  }
  const others = new Set([...Object.keys(spec), ...Object.keys(before)]);
  for (const field of others) {
    if (CHANGEABLE.has(field) || NAMED.includes(field) || deepEqual(spec[field], before[field])) continue;
    return [...errors, forbiddenValue('spec', FORBIDDEN_UPDATE)];
  }
  return errors;
}
