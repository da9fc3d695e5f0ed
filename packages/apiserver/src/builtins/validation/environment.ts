/** The environment variables of a container. */
import { validateDns1123Subdomain, validateEnvironmentName } from '@capstan/kube';
import { invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkFieldRef, checkResourceFieldRef } from './field-ref.ts';
import { checkConfigKey, checkText, type Errors, requireText } from './fields.ts';

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

/** What a variable may take from its Pod. */
const ENVIRONMENT_FIELDS = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

export function checkEnvironment(errors: Errors, at: string, container: Tree): void {
  for (const [index, variable] of listOf(container, 'env').entries()) {
    checkVariable(errors, `${at}.env[${index}]`, variable);
  }
  for (const [index, from] of listOf(container, 'envFrom').entries()) {
    if (from['prefix']) checkText(errors, `${at}.envFrom[${index}].prefix`, from['prefix'], validateEnvironmentName);
    const sources = ['configMapRef', 'secretRef'].filter(source => from[source] !== undefined);
    for (const source of sources) {
      requireText(errors, `${at}.envFrom[${index}].${source}.name`, from[source].name, validateDns1123Subdomain);
    }
    if (sources.length === 0) {
      errors.push(invalidValue(`${at}.envFrom`, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (sources.length > 1) {
      errors.push(invalidValue(`${at}.envFrom`, '', 'may not have more than one field specified at a time'));
    }
  }
}

function checkVariable(errors: Errors, at: string, variable: Tree): void {
  if (!variable['name']) errors.push(requiredValue(`${at}.name`));
  else checkText(errors, `${at}.name`, variable['name'], validateEnvironmentName);
  const from = variable['valueFrom'] as Tree | undefined;
  if (from === undefined) return;
  const path = `${at}.valueFrom`;
  const sources = SOURCES.filter(source => from[source] !== undefined);
  for (const source of sources) checkSource(errors, `${path}.${source}`, source, from[source]);
  if (sources.length === 0) {
    const list = SOURCES.map(source => `\`${source}\``);
    errors.push(invalidValue(path, '', `must specify one of: ${list.slice(0, -1).join(', ')} or ${list.at(-1)}`));
  } else if (variable['value']) {
    errors.push(invalidValue(path, '', 'may not be specified when `value` is not empty'));
  } else if (sources.length > 1) {
    errors.push(invalidValue(path, '', 'may not have more than one field specified at a time'));
  }
}

function checkSource(errors: Errors, path: string, source: string, value: Tree): void {
  switch (source) {
    case 'fieldRef':
      checkFieldRef(errors, path, value, ENVIRONMENT_FIELDS, ['metadata.labels', 'metadata.annotations'], true);
      return;
    case 'resourceFieldRef':
      checkResourceFieldRef(errors, path, value, false);
      return;
    case 'configMapKeyRef':
    case 'secretKeyRef':
      if (!value['name']) errors.push(requiredValue(`${path}.name`));
      if (!value['key']) errors.push(requiredValue(`${path}.key`));
      else checkConfigKey(errors, `${path}.key`, value['key']);
  }
}
