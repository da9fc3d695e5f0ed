/** ResourceQuota and LimitRange: how much a namespace may use, and each thing in it. */
import { compareQuantities, deepEqual, validateQualifiedName } from '@capstan/kube';
import { duplicateValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, own, type Tree } from '../tree.ts';
import { checkText, type Errors, IMMUTABLE } from './fields.ts';
import { checkContainerResourceName, checkResourceAmount, checkResourceName } from './resources.ts';

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
