/** Roles and bindings. */
import { deepEqual } from '@capstan/kube';
import { invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkSubdomain, type Errors, IMMUTABLE } from './fields.ts';
import { checkLabelSelector } from './selector.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** Names of roles are free but for what would break a path: `system:node-admin` is one. */
export function pathSegmentProblems(name: string, isPrefix: boolean): string[] {
  if (!isPrefix && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter(character => name.includes(character)).map(character => `may not contain '${character}'`);
}

export const validateRole = (role: Draft): Errors => ruleErrors(role, true);

export function validateClusterRole(role: Draft): Errors {
  const errors = ruleErrors(role, false);
  const aggregation = role['aggregationRule'] as Tree | undefined;
  if (aggregation === undefined) return errors;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = listOf(aggregation, 'clusterRoleSelectors');
  if (selectors.length === 0) {
    errors.push(requiredValue(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  for (const [index, selector] of selectors.entries()) checkLabelSelector(errors, `${path}[${index}]`, selector);
  return errors;
}

function ruleErrors(role: Draft, isNamespaced: boolean): Errors {
  const errors: Errors = [];
  for (const [index, rule] of listOf(role, 'rules').entries()) checkRule(errors, `rules[${index}]`, rule, isNamespaced);
  return errors;
}

function checkRule(errors: Errors, at: string, rule: Tree, isNamespaced: boolean): void {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs: paths = [] } = rule;
  if ((verbs ?? []).length === 0) errors.push(requiredValue(`${at}.verbs`));
  if (paths.length > 0) {
    if (isNamespaced) {
      errors.push(invalidValue(`${at}.nonResourceURLs`, paths, 'namespaced rules cannot apply to non-resource URLs'));
    }
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      const why = 'rules cannot apply to both regular resources and non-resource URLs';
      errors.push(invalidValue(`${at}.nonResourceURLs`, paths, why));
    }
    return;
  }
  if (apiGroups.length === 0) {
    errors.push(requiredValue(`${at}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (resources.length === 0) {
    errors.push(requiredValue(`${at}.resources`, 'resource rules must supply at least one resource'));
  }
}

export const validateRoleBinding = (binding: Draft): Errors => bindingErrors(binding, ['Role', 'ClusterRole'], true);

export const validateClusterRoleBinding = (binding: Draft): Errors => bindingErrors(binding, ['ClusterRole'], false);

function bindingErrors(binding: Draft, roleKinds: readonly string[], isNamespaced: boolean): Errors {
  const errors: Errors = [];
  const { apiGroup, kind = '', name = '' } = (binding['roleRef'] ?? {}) as Tree;
  if (apiGroup !== GROUP) errors.push(unsupportedValue('roleRef.apiGroup', apiGroup, [GROUP]));
  if (!roleKinds.includes(kind)) errors.push(unsupportedValue('roleRef.kind', kind, roleKinds));
  if (name === '') errors.push(requiredValue('roleRef.name'));
  else for (const problem of pathSegmentProblems(name, false)) errors.push(invalidValue('roleRef.name', name, problem));
  for (const [index, subject] of listOf(binding, 'subjects').entries()) {
    checkSubject(errors, `subjects[${index}]`, subject, isNamespaced);
  }
  return errors;
}

function checkSubject(errors: Errors, at: string, subject: Tree, isNamespaced: boolean): void {
  const { kind = '', name = '', namespace = '', apiGroup = '' } = subject;
  if (name === '') errors.push(requiredValue(`${at}.name`));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') checkSubdomain(errors, `${at}.name`, name);
      if (apiGroup !== '') errors.push(unsupportedValue(`${at}.apiGroup`, apiGroup, ['']));
      if (!isNamespaced && namespace === '') errors.push(requiredValue(`${at}.namespace`));
      return;
    case 'User':
    case 'Group':
      if (apiGroup !== GROUP) errors.push(unsupportedValue(`${at}.apiGroup`, apiGroup, [GROUP]));
      return;
    default:
      errors.push(unsupportedValue(`${at}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
}

/** Who could change the role could give away more than they may give: the binding must be made anew. */
export function validateBindingUpdate(binding: Draft, old: Stored): Errors {
  if (deepEqual(binding['roleRef'], old['roleRef'])) return [];
  const { apiGroup, kind, name } = binding['roleRef'] as Tree;
  return [invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, IMMUTABLE)];
}
