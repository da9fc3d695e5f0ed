/** Probes and lifecycle hooks. */
import { validatePortName } from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkNoneNegative, checkPort, checkText, type Errors, requireOneOf } from './fields.ts';

const NUMBERS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

export function checkProbe(
  errors: Errors,
  path: string,
  probe: Tree,
  sort: 'liveness' | 'readiness' | 'startup',
): void {
  checkHandler(errors, path, probe, ['exec', 'httpGet', 'tcpSocket', 'grpc']);
  checkNoneNegative(errors, path, probe, NUMBERS);
  const grace = probe['terminationGracePeriodSeconds'] as number | undefined;
  if (grace !== undefined && sort === 'readiness') {
    errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes'));
  } else if (grace !== undefined && grace <= 0) {
    errors.push(invalidValue(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  }
  if (sort !== 'readiness' && probe['successThreshold'] > 1) {
    errors.push(invalidValue(`${path}.successThreshold`, probe['successThreshold'], 'must be 1'));
  }
}

export function checkLifecycle(errors: Errors, path: string, lifecycle: Tree): void {
  for (const hook of ['postStart', 'preStop']) {
    if (lifecycle[hook])
      checkHandler(errors, `${path}.${hook}`, lifecycle[hook], ['exec', 'httpGet', 'tcpSocket', 'sleep']);
  }
}

function checkHandler(errors: Errors, path: string, handler: Tree, sorts: readonly string[]): void {
  let found = false;
  for (const sort of sorts) {
    if (handler[sort] === undefined) continue;
    if (found) errors.push(forbiddenValue(`${path}.${sort}`, 'may not specify more than 1 handler type'));
    else checkAction(errors, `${path}.${sort}`, sort, handler[sort]);
    found = true;
  }
  if (!found) errors.push(requiredValue(path, 'must specify a handler type'));
}

function checkAction(errors: Errors, path: string, sort: string, action: Tree): void {
  switch (sort) {
    case 'exec':
      if (listOf(action, 'command').length === 0) errors.push(requiredValue(`${path}.command`));
      return;
    case 'httpGet':
      if (!action['path']) errors.push(requiredValue(`${path}.path`));
      checkPortNumberOrName(errors, `${path}.port`, action['port']);
      requireOneOf(errors, `${path}.scheme`, action['scheme'], ['HTTP', 'HTTPS']);
      for (const header of listOf(action, 'httpHeaders')) {
        checkText(errors, `${path}.httpHeaders`, header['name'] ?? '', headerNameProblems);
      }
      return;
    case 'tcpSocket':
      checkPortNumberOrName(errors, `${path}.port`, action['port']);
      return;
    case 'grpc':
      checkPort(errors, `${path}.port`, action['port'] ?? 0);
  }
}

function headerNameProblems(name: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(name)) return [];
  return [
    "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
  ];
}

/** Also of Services and Ingresses: 1 to 65535, or the name of a port. */
export function checkPortNumberOrName(errors: Errors, path: string, port: number | string): void {
  if (typeof port === 'number') checkPort(errors, path, port);
  else checkText(errors, path, port, validatePortName);
}
