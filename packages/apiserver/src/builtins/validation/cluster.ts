/** Namespace, Node, PriorityClass, ControllerRevision. */
import {
  deepEqual,
  validateDns1123Label,
  validateLabelKey,
  validateLabelValue,
  validateQualifiedName,
} from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkCidr } from './cidr.ts';
import { checkNonNegative, checkOneOf, checkText, type Errors, IMMUTABLE, requireOneOf } from './fields.ts';

export function labelNameProblems(name: string, isPrefix: boolean): string[] {
  return validateDns1123Label(isPrefix ? name.replace(/-$/, 'a') : name);
}

export function validateNamespace(namespace: Draft): Errors {
  const errors: Errors = [];
  for (const finalizer of (namespace['spec']?.finalizers ?? []) as string[]) {
    checkText(errors, 'spec.finalizers', finalizer, validateQualifiedName);
    if (!finalizer.includes('/') && finalizer !== 'kubernetes') {
      const why = 'name is neither a standard finalizer name nor is it fully qualified';
      errors.push(invalidValue('spec.finalizers', finalizer, why));
    }
  }
  return errors;
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

export function validateNode(node: Draft): Errors {
  const errors: Errors = [];
  const seen = new Set<string>();
  // Kubernetes looks for taints under metadata when it reports them.
  for (const [index, taint] of listOf(node['spec'], 'taints').entries()) {
    const at = `metadata.taints[${index}]`;
    checkText(errors, `${at}.key`, taint['key'] ?? '', validateLabelKey);
    if (taint['value']) checkText(errors, `${at}.value`, taint['value'], validateLabelValue);
    requireOneOf(errors, `${at}.effect`, taint['effect'], EFFECTS);
    const pair = `${taint['key']}:${taint['effect']}`;
    if (seen.has(pair)) {
      errors.push({
        type: 'FieldValueDuplicate',
        field: at,
        badValue: {
          Key: taint['key'],
          Value: taint['value'] ?? '',
          Effect: taint['effect'],
          TimeAdded: taint['timeAdded'] ?? null,
        },
        detail: 'taints must be unique by key and effect pair',
      });
    }
    seen.add(pair);
  }
  for (const [index, cidr] of ((node['spec']?.podCIDRs ?? []) as string[]).entries()) {
    checkCidr(errors, `spec.podCIDRs[${index}]`, cidr);
  }
  return errors;
}

export function validateNodeUpdate(node: Draft, old: Stored): Errors {
  const errors: Errors = [];
  const { providerID, podCIDRs } = (node['spec'] ?? {}) as Tree;
  const before = (old['spec'] ?? {}) as Tree;
  if ((node['spec']?.externalID ?? '') !== (before['externalID'] ?? '')) {
    errors.push(forbiddenValue('spec.externalID', 'may not be updated'));
  }
  if (before['providerID'] && providerID !== before['providerID']) {
    errors.push(invalidValue('spec.providerID', null, 'field cannot be modified once set'));
  }
  if (listOf(before, 'podCIDRs').length > 0 && !deepEqual(podCIDRs, before['podCIDRs'])) {
    errors.push(forbiddenValue('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  return errors;
}

const MOST_USER_PRIORITY = 1_000_000_000;

export function validatePriorityClass(priorityClass: Draft): Errors {
  const errors: Errors = [];
  const { name = '' } = priorityClass.metadata;
  const value = (priorityClass['value'] ?? 0) as number;
  if (name.startsWith('system-')) {
    const why = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
    const systemNames = ['system-cluster-critical', 'system-node-critical'];
    if (!systemNames.includes(name)) errors.push(forbiddenValue('metadata.name', why));
  } else if (value > MOST_USER_PRIORITY) {
    errors.push(forbiddenValue('value', `maximum allowed value of a user defined priority is ${MOST_USER_PRIORITY}`));
  }
  checkOneOf(errors, 'preemptionPolicy', priorityClass['preemptionPolicy'], ['PreemptLowerPriority', 'Never']);
  return errors;
}

export function validatePriorityClassUpdate(priorityClass: Draft, old: Stored): Errors {
  const errors: Errors = [];
  if ((priorityClass['value'] ?? 0) !== (old['value'] ?? 0)) {
    errors.push(forbiddenValue('value', 'may not be changed in an update.'));
  }
  if (priorityClass['preemptionPolicy'] !== old['preemptionPolicy']) {
    errors.push(invalidValue('preemptionPolicy', priorityClass['preemptionPolicy'], IMMUTABLE));
  }
  return errors;
}

export function validateControllerRevision(revision: Draft): Errors {
  const errors: Errors = [];
  if (revision['data'] === undefined || revision['data'] === null)
    errors.push(requiredValue('data', 'data is mandatory'));
  checkNonNegative(errors, 'revision', revision['revision']);
  return errors;
}

export function validateControllerRevisionUpdate(revision: Draft, old: Stored): Errors {
  return deepEqual(revision['data'], old['data']) ? [] : [invalidValue('data', revision['data'], IMMUTABLE)];
}
