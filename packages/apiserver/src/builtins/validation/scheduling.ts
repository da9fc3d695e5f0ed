/** Where a Pod may run: tolerations, affinities, spread. */
import { validateDns1123Label, validateLabelKey, validateLabelValue } from '@capstan/kube';
import { duplicateValue, invalidValue, requiredValue, unsupportedValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkLabel, checkOneOf, checkText, type Errors } from './fields.ts';
import { checkLabelSelector, checkNodeSelector, checkNodeTerm } from './selector.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const KEY_EMPTY = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';

export function checkTolerations(errors: Errors, path: string, tolerations: readonly Tree[]): void {
  for (const [index, toleration] of tolerations.entries()) checkToleration(errors, `${path}[${index}]`, toleration);
}

function checkToleration(errors: Errors, at: string, toleration: Tree): void {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  if (key !== '') checkText(errors, `${at}.key`, key, validateLabelKey);
  if (key === '' && operator !== 'Exists') errors.push(invalidValue(`${at}.operator`, operator, KEY_EMPTY));
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    errors.push(invalidValue(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  switch (operator) {
    case '':
    case 'Equal':
      for (const problem of validateLabelValue(value)) errors.push(invalidValue(`${at}.operator`, value, problem));
      break;
    case 'Exists':
      if (value !== '')
        errors.push(invalidValue(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
      break;
    default:
      errors.push(unsupportedValue(`${at}.operator`, operator, ['Equal', 'Exists']));
  }
  if (effect !== '' && !EFFECTS.includes(effect)) errors.push(unsupportedValue(`${at}.effect`, effect, EFFECTS));
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

export function checkAffinity(errors: Errors, path: string, affinity: Tree | undefined): void {
  if (affinity === undefined) return;
  const node = affinity['nodeAffinity'] as Tree | undefined;
  if (node !== undefined) {
    if (node[REQUIRED]) checkNodeSelector(errors, `${path}.nodeAffinity.${REQUIRED}`, node[REQUIRED]);
    for (const [index, preference] of listOf(node, PREFERRED).entries()) {
      const at = `${path}.nodeAffinity.${PREFERRED}[${index}]`;
      checkWeight(errors, at, preference['weight']);
      checkNodeTerm(errors, `${at}.preference`, preference['preference'] ?? {});
    }
  }
  for (const sort of ['podAffinity', 'podAntiAffinity']) {
    for (const [index, term] of listOf(affinity[sort], REQUIRED).entries()) {
      checkPodTerm(errors, `${path}.${sort}.${REQUIRED}[${index}]`, term);
    }
    for (const [index, weighted] of listOf(affinity[sort], PREFERRED).entries()) {
      const at = `${path}.${sort}.${PREFERRED}[${index}]`;
      checkWeight(errors, at, weighted['weight']);
      checkPodTerm(errors, `${at}.podAffinityTerm`, weighted['podAffinityTerm'] ?? {});
    }
  }
}

function checkWeight(errors: Errors, at: string, weight: number): void {
  if (weight < 1 || weight > 100) errors.push(invalidValue(`${at}.weight`, weight, 'must be in the range 1-100'));
}

function checkPodTerm(errors: Errors, at: string, term: Tree): void {
  checkLabelSelector(errors, `${at}.labelSelector`, term['labelSelector']);
  checkLabelSelector(errors, `${at}.namespaceSelector`, term['namespaceSelector']);
  for (const namespace of (term['namespaces'] ?? []) as string[]) {
    for (const problem of validateDns1123Label(namespace))
      errors.push(invalidValue(`${at}.namespace`, namespace, problem));
  }
  const key = (term['topologyKey'] ?? '') as string;
  if (key === '') errors.push(requiredValue(`${at}.topologyKey`, 'can not be empty'));
  checkText(errors, `${at}.topologyKey`, key, validateLabelKey);
}

const UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];

export function checkSpread(errors: Errors, path: string, constraints: readonly Tree[]): void {
  const seen = new Set<string>();
  for (const [index, constraint] of constraints.entries()) {
    const at = `${path}[${index}]`;
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains } = constraint;
    if (maxSkew <= 0) errors.push(invalidValue(`${at}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (topologyKey === '') errors.push(requiredValue(`${at}.topologyKey`, 'can not be empty'));
    if (!UNSATISFIABLE.includes(whenUnsatisfiable)) {
      errors.push(unsupportedValue(`${at}.whenUnsatisfiable`, whenUnsatisfiable, UNSATISFIABLE));
    }
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
    if (seen.has(pair)) errors.push(duplicateValue(`${at}.{topologyKey, whenUnsatisfiable}`, pair));
    seen.add(pair);
    if (minDomains !== undefined && minDomains <= 0) {
      errors.push(invalidValue(`${at}.minDomains`, minDomains, 'must be greater than zero'));
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      checkOneOf(errors, `${at}.${field}`, constraint[field], ['Honor', 'Ignore']);
    }
    checkLabelSelector(errors, `${at}.labelSelector`, constraint['labelSelector']);
  }
}

export function checkHostName(errors: Errors, path: string, spec: Tree): void {
  for (const field of ['hostname', 'subdomain']) {
    if (spec[field]) checkLabel(errors, `${path}.${field}`, spec[field]);
  }
}
