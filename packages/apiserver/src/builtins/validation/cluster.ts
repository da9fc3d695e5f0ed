/** Namespace, Node, ResourceQuota, LimitRange, PriorityClass, ControllerRevision. */
import {
  compareQuantities,
  deepEqual,
  validateDns1123Label,
  validateLabelKey,
  validateLabelValue,
  validateQualifiedName,
} from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, own, type Tree } from '../tree.ts';
import { checkCidr } from './cidr.ts';
import { checkNonNegative, checkOneOf, checkText, type Errors, IMMUTABLE, requireOneOf } from './fields.ts';
import { checkContainerResourceName, checkResourceAmount, checkResourceName } from './resources.ts';

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
  if (before['providerID'] && providerID !== before['providerID']) {
    errors.push(invalidValue('spec.providerID', null, 'field cannot be modified once set'));
  }
  if (listOf(before, 'podCIDRs').length > 0 && !deepEqual(podCIDRs, before['podCIDRs'])) {
    errors.push(forbiddenValue('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  return errors;
}

/** Counted by quota beside what containers ask for. */
const QUOTA = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const isQuotaName = (name: string): boolean =>
  QUOTA.has(name) || name.startsWith('count/') || /^(requests\.)?hugepages-/.test(name) || name.includes('/');

export function validateQuota(quota: Draft): Errors {
  const errors: Errors = [];
  for (const [name, amount] of Object.entries((quota['spec']?.hard ?? {}) as Record<string, string>)) {
    const path = `spec.hard[${name}]`;
    if (!isQuotaName(name)) {
      checkResourceName(errors, path, name);
      errors.push(invalidValue(path, name, 'must be a standard resource for quota'));
    } else checkText(errors, path, name, validateQualifiedName);
    checkResourceAmount(errors, path, name, amount);
  }
  checkScopes(errors, quota);
  checkScopeSelector(errors, listOf(quota['spec']?.scopeSelector, 'matchExpressions'));
  return errors;
}

const SCOPES = [
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
];
const OF_PODS = new Set(['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

/** A scope picks Pods, so only what Pods use can be counted in it. */
function checkScopes(errors: Errors, quota: Draft): void {
  const scopes = (quota['spec']?.scopes ?? []) as string[];
  const counted = Object.keys(quota['spec']?.hard ?? {});
  for (const scope of scopes) {
    if (!SCOPES.includes(scope)) {
      errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope'));
      continue;
    }
    for (const name of counted) {
      const isCountable = scope === 'BestEffort' ? name === 'pods' : OF_PODS.has(name);
      if (!isCountable) errors.push(invalidValue('spec.scopes', scopes, 'unsupported scope applied to resource'));
    }
  }
}

/** The path of the list stands for its elements, as Kubernetes has it. */
function checkScopeSelector(errors: Errors, expressions: readonly Tree[]): void {
  const path = 'spec.scopeSelector.matchExpressions';
  for (const { scopeName = '', operator = '', values = [] } of expressions) {
    if (!SCOPES.includes(scopeName)) errors.push(invalidValue(`${path}.scopeName`, scopeName, 'unsupported scope'));
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0) {
        const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
        errors.push(requiredValue(`${path}.values`, why));
      }
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0) {
        const why = "must be no value when `operator` is 'Exists' or 'DoesNotExist' for scope selector";
        errors.push(invalidValue(`${path}.values`, values, why));
      }
    } else errors.push(invalidValue(`${path}.operator`, operator, 'not a valid selector operator'));
  }
}

export function validateQuotaUpdate(quota: Draft, old: Stored): Errors {
  const sorted = (scopes: readonly string[] | undefined): string[] => [...(scopes ?? [])].sort();
  const scopes = quota['spec']?.scopes as string[] | undefined;
  if (deepEqual(sorted(scopes), sorted(old['spec']?.scopes))) return [];
  return [invalidValue('spec.scopes', scopes ?? null, IMMUTABLE)];
}

export function validateLimitRange(range: Draft): Errors {
  const errors: Errors = [];
  const types = new Set<string>();
  for (const [index, { type = '' }] of listOf(range['spec'], 'limits').entries()) {
    if (types.has(type)) errors.push(duplicateValue(`spec.limits[${index}].type`, type));
    types.add(type);
  }
  for (const [index, limit] of listOf(range['spec'], 'limits').entries())
    checkLimit(errors, `spec.limits[${index}]`, limit);
  return errors;
}

type Named = readonly [words: string, amount: string | undefined];

const LIMIT_TYPES = ['Pod', 'Container', 'PersistentVolumeClaim'];

/** min ≤ default request ≤ default ≤ max, for each resource. */
function checkLimit(errors: Errors, at: string, limit: Tree): void {
  const type = (limit['type'] ?? '') as string;
  const before = errors.length;
  checkText(errors, `${at}.type`, type, validateQualifiedName);
  if (errors.length === before && !type.includes('/') && !LIMIT_TYPES.includes(type)) {
    errors.push(invalidValue(`${at}.type`, type, 'must be a standard limit type or fully qualified'));
  }
  const amounts = (field: string): Record<string, string> => limit[field] ?? {};
  for (const field of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio']) {
    const check = type === 'Container' || type === 'Pod' ? checkContainerResourceName : checkResourceName;
    for (const name of Object.keys(amounts(field))) check(errors, `${at}.${field}[${name}]`, name);
  }
  for (const [name, ratio] of Object.entries(amounts('maxLimitRequestRatio'))) {
    if (compareQuantities(ratio, 1) < 0) {
      errors.push(invalidValue(`${at}.maxLimitRequestRatio[${name}]`, ratio, `ratio ${ratio} is less than 1`));
    }
  }
  const names = new Set(['max', 'min', 'default', 'defaultRequest'].flatMap(field => Object.keys(amounts(field))));
  for (const name of names) {
    const [most, least] = [own(amounts('max'), name), own(amounts('min'), name)];
    const [byDefault, request] = [own(amounts('default'), name), own(amounts('defaultRequest'), name)];
    // The value named is not always that of the field; so it stands in Kubernetes.
    const order = (field: string, shown: string | undefined, low: Named, high: Named): void => {
      if (low[1] === undefined || high[1] === undefined || compareQuantities(low[1], high[1]) <= 0) return;
      const why = `${low[0]} value ${low[1]} is greater than ${high[0]} value ${high[1]}`;
      errors.push(invalidValue(`${at}.${field}[${name}]`, shown, why));
    };
    order('min', least, ['min', least], ['max', most]);
    order('defaultRequest', request, ['min', least], ['default request', request]);
    order('defaultRequest', request, ['default request', request], ['max', most]);
    order('defaultRequest', request, ['default request', request], ['default', byDefault]);
    order('default', least, ['min', least], ['default', byDefault]);
    order('default', most, ['default', byDefault], ['max', most]);
  }
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
