/** Webhook configurations and API services. */
import { validateDns1035Label, validateDns1123Subdomain, validatePortNumber } from '@capstan/kube';
import { duplicateValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkOneOf, checkPort, checkText, type Errors } from './fields.ts';
import { checkMatchConditions } from './match-conditions.ts';
import { checkLabelSelector } from './selector.ts';

const VERSIONS = ['v1', 'v1beta1'];
const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const URL_FORMAT = 'desired format: https://host[/path]';

export const validateValidatingWebhooks = (configuration: Draft): Errors => webhookErrors(configuration, false);

export const validateMutatingWebhooks = (configuration: Draft): Errors => webhookErrors(configuration, true);

function webhookErrors(configuration: Draft, isMutating: boolean): Errors {
  const errors: Errors = [];
  const names = new Set<string>();
  for (const [index, webhook] of listOf(configuration, 'webhooks').entries()) {
    const at = `webhooks[${index}]`;
    checkWebhook(errors, at, webhook, isMutating);
    checkReviewVersions(errors, `${at}.admissionReviewVersions`, webhook['admissionReviewVersions']);
    const name = (webhook['name'] ?? '') as string;
    if (name !== '') {
      if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
  }
  return errors;
}

function checkWebhook(errors: Errors, at: string, webhook: Tree, isMutating: boolean): void {
  checkName(errors, `${at}.name`, webhook['name'] ?? '');
  for (const [index, rule] of listOf(webhook, 'rules').entries()) checkRule(errors, `${at}.rules[${index}]`, rule);
  checkOneOf(errors, `${at}.failurePolicy`, webhook['failurePolicy'], ['Fail', 'Ignore']);
  checkOneOf(errors, `${at}.matchPolicy`, webhook['matchPolicy'], ['Equivalent', 'Exact']);
  const effects = (webhook['sideEffects'] ?? undefined) as string | undefined;
  if (effects === undefined) errors.push(requiredValue(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun'));
  else checkOneOf(errors, `${at}.sideEffects`, effects, ['None', 'NoneOnDryRun']);
  const timeout = webhook['timeoutSeconds'] as number | undefined;
  if (timeout !== undefined && (timeout < 1 || timeout > 30)) {
    errors.push(invalidValue(`${at}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'));
  }
  checkLabelSelector(errors, `${at}.namespaceSelector`, webhook['namespaceSelector']);
  checkLabelSelector(errors, `${at}.objectSelector`, webhook['objectSelector']);
  checkClient(errors, `${at}.clientConfig`, webhook['clientConfig'] ?? {});
  checkMatchConditions(errors, `${at}.matchConditions`, webhook['matchConditions'] ?? []);
  if (isMutating) checkOneOf(errors, `${at}.reinvocationPolicy`, webhook['reinvocationPolicy'], ['IfNeeded', 'Never']);
}

function checkName(errors: Errors, path: string, name: string): void {
  const problems = name === '' ? [] : validateDns1123Subdomain(name);
  if (name === '') errors.push(requiredValue(path));
  for (const problem of problems) errors.push(invalidValue(path, name, problem));
  if (name !== '' && problems.length === 0 && name.split('.').length < 3) {
    errors.push(invalidValue(path, name, 'should be a domain with at least three segments separated by dots'));
  }
}

function checkReviewVersions(errors: Errors, path: string, versions: readonly string[] | undefined | null): void {
  if (versions === undefined || versions === null || versions.length === 0) {
    errors.push(requiredValue(path, `must specify one of ${VERSIONS.join(', ')}`));
  } else if (!versions.some(version => VERSIONS.includes(version))) {
    errors.push(invalidValue(path, versions, `must include at least one of ${VERSIONS.join(', ')}`));
  }
  for (const [index, version] of (versions ?? []).entries()) {
    checkText(errors, `${path}[${index}]`, version, validateDns1035Label);
  }
}

function checkRule(errors: Errors, at: string, rule: Tree): void {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [] } = rule;
  if (operations.length === 0) errors.push(requiredValue(`${at}.operations`));
  checkStarAlone(errors, `${at}.operations`, operations);
  for (const [index, operation] of operations.entries()) {
    checkOneOf(errors, `${at}.operations[${index}]`, operation, OPERATIONS);
  }
  for (const [field, values] of Object.entries({ apiGroups, apiVersions, resources }) as [string, string[]][]) {
    if (values.length === 0) errors.push(requiredValue(`${at}.${field}`));
    for (const [index, value] of values.entries()) {
      // The core group is the empty one.
      if (value === '' && field !== 'apiGroups') errors.push(requiredValue(`${at}.${field}[${index}]`));
    }
    if (field !== 'resources') checkStarAlone(errors, `${at}.${field}`, values);
  }
  checkOneOf(errors, `${at}.scope`, rule['scope'], ['*', 'Cluster', 'Namespaced']);
}

function checkStarAlone(errors: Errors, path: string, values: readonly string[]): void {
  if (values.length > 1 && values.includes('*')) {
    errors.push(invalidValue(path, values, "if '*' is present, must not specify other values"));
  }
}

function checkClient(errors: Errors, path: string, { url, service }: Tree): void {
  if ((url === undefined) === (service === undefined)) {
    errors.push(requiredValue(path, 'exactly one of url or service is required'));
    return;
  }
  if (url !== undefined) checkUrl(errors, `${path}.url`, url);
  else checkService(errors, `${path}.service`, service);
}

function checkUrl(errors: Errors, path: string, text: string): void {
  if (!text.includes(':')) {
    // Go reads this as a path without scheme and host.
    const format = (why: string): string => `${why}; ${URL_FORMAT}`;
    errors.push(invalidValue(path, '', format("'https' is the only allowed URL scheme")));
    errors.push(invalidValue(path, '', format('host must be specified')));
    return;
  }
  if (!URL.canParse(text)) {
    errors.push(requiredValue(path, `url must be a valid URL: ${text}; ${URL_FORMAT}`));
    return;
  }
  const url = new URL(text);
  const refuse = (value: string, why: string): number =>
    errors.push(invalidValue(path, value, `${why}; ${URL_FORMAT}`));
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') refuse(scheme, "'https' is the only allowed URL scheme");
  if (url.host === '') refuse(url.host, 'host must be specified');
  if (url.username !== '') refuse(url.username, 'user information is not permitted in the URL');
  if (url.hash !== '') refuse(url.hash.slice(1), 'fragments are not permitted in the URL');
  if (url.search !== '') refuse(url.search.slice(1), 'query parameters are not permitted in the URL');
}

function checkService(errors: Errors, path: string, { name, namespace, port, path: urlPath }: Tree): void {
  if (!name) errors.push(requiredValue(`${path}.name`, 'service name is required'));
  if (!namespace) errors.push(requiredValue(`${path}.namespace`, 'service namespace is required'));
  if (port !== undefined) checkPort(errors, `${path}.port`, port);
  if (urlPath && !urlPath.startsWith('/')) errors.push(invalidValue(`${path}.path`, urlPath, "must start with a '/'"));
}

export function validateApiService(apiService: Draft): Errors {
  const errors: Errors = [];
  const spec = (apiService['spec'] ?? {}) as Tree;
  const { name = '' } = apiService.metadata;
  const expected = `${spec['version'] ?? ''}.${spec['group'] ?? ''}`;
  if (name !== expected) {
    const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`;
    errors.push(invalidValue('metadata.name', name, why));
  }
  if (!spec['group'] && spec['version'] !== 'v1') {
    errors.push(requiredValue('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  } else if (spec['group']) checkText(errors, 'spec.group', spec['group'], validateDns1123Subdomain);
  checkText(errors, 'spec.version', spec['version'] ?? '', validateDns1035Label);
  for (const [field, most] of [
    ['groupPriorityMinimum', 20000],
    ['versionPriority', 1000],
  ] as const) {
    const value = (spec[field] ?? 0) as number;
    if (value <= 0 || value > most) {
      errors.push(invalidValue(`spec.${field}`, value, `must be positive and less than ${most}`));
    }
  }
  if (spec['service'] === undefined) {
    const local = 'local APIServices may not have';
    if (spec['caBundle']) {
      const size = `${Buffer.byteLength(spec['caBundle'], 'base64')} bytes`;
      errors.push(invalidValue('spec.caBundle', size, `${local} a caBundle`));
    }
    if (spec['insecureSkipTLSVerify']) {
      errors.push(invalidValue('spec.insecureSkipTLSVerify', true, `${local} insecureSkipTLSVerify`));
    }
  } else {
    const { name: serviceName, namespace, port } = spec['service'] as Tree;
    if (!namespace) errors.push(requiredValue('spec.service.namespace'));
    if (!serviceName) errors.push(requiredValue('spec.service.name'));
    for (const why of validatePortNumber(port)) {
      errors.push(invalidValue('spec.service.port', port, `port is not valid: ${why}`));
    }
  }
  return errors;
}
