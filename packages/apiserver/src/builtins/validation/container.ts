/** What a container may say, of whichever of the three sorts. */
import { validatePortName } from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkEnvironment } from './environment.ts';
import { checkLabel, checkOneOf, checkPort, type Errors, requireOneOf } from './fields.ts';
import { checkMounts, type Volumes } from './mounts.ts';
import { checkLifecycle, checkProbe } from './probe.ts';
import { checkContainerResources } from './resources.ts';
import { checkContainerSecurity } from './security-context.ts';

export const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const NOT_ON_INIT = 'may not be set for init containers without restartPolicy=Always';

/** What containers are checked against: the Pod around them. */
export interface Surroundings {
  readonly volumes: Volumes;
  readonly claims: ReadonlySet<string>;
  /** A Pod that is created must be stricter than a template that may lie around for years. */
  readonly isPod: boolean;
}

export function checkContainers(errors: Errors, path: string, containers: readonly Tree[], around: Surroundings): void {
  if (containers.length === 0) {
    errors.push(requiredValue(path));
    return;
  }
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    checkContainerCommon(errors, at, container, around);
    const { name } = container;
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    checkBehaviour(errors, at, container);
    checkRestarts(errors, at, container);
  }
  checkHostPorts(errors, path, containers);
}

export function checkInitContainers(
  errors: Errors,
  path: string,
  containers: readonly Tree[],
  regular: readonly Tree[],
  around: Surroundings,
): void {
  const names = new Set(regular.map(container => container['name'] as string));
  for (const [index, container] of containers.entries()) {
    const at = `${path}[${index}]`;
    checkContainerCommon(errors, at, container, around);
    checkRestarts(errors, at, container);
    if (names.has(container['name'])) errors.push(duplicateValue(`${at}.name`, container['name']));
    names.add(container['name']);
    checkHostPorts(errors, path, [container]);
    if (container['restartPolicy'] === 'Always') checkBehaviour(errors, at, container);
    else {
      for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
        if (container[field] !== undefined) errors.push(forbiddenValue(`${at}.${field}`, NOT_ON_INIT));
      }
    }
  }
}

/** When a container is started again, by its own policy or by its exit code. */
function checkRestarts(errors: Errors, at: string, container: Tree): void {
  const rules = listOf(container, 'restartPolicyRules');
  checkOneOf(errors, `${at}.restartPolicy`, container['restartPolicy'], RESTART_POLICIES);
  if (rules.length > 0 && container['restartPolicy'] === undefined) {
    errors.push(requiredValue(`${at}.restartPolicy`, 'must specify restartPolicy when restart rules are used'));
  }
  for (const [index, rule] of rules.entries()) {
    const here = `${at}.restartPolicyRules[${index}]`;
    checkOneOf(errors, `${here}.action`, rule['action'] ?? '', ['Restart', 'RestartAllContainers']);
    if (rule['exitCodes'] === undefined) errors.push(requiredValue(`${here}.exitCodes`, 'must be specified'));
    else checkOneOf(errors, `${here}.exitCodes.operator`, rule['exitCodes'].operator ?? '', ['In', 'NotIn']);
  }
}

function checkResizePolicy(errors: Errors, path: string, policies: readonly Tree[]): void {
  const seen = new Set<string>();
  for (const [index, { resourceName = '', restartPolicy }] of policies.entries()) {
    requireOneOf(errors, path, resourceName, ['cpu', 'memory']);
    if (seen.has(resourceName)) errors.push(duplicateValue(`${path}[${index}]`, resourceName));
    seen.add(resourceName);
    requireOneOf(errors, path, restartPolicy, ['NotRequired', 'RestartContainer']);
  }
}

function checkBehaviour(errors: Errors, at: string, container: Tree): void {
  if (container['lifecycle']) checkLifecycle(errors, `${at}.lifecycle`, container['lifecycle']);
  for (const sort of ['liveness', 'readiness', 'startup'] as const) {
    const probe = container[`${sort}Probe`] as Tree | undefined;
    if (probe !== undefined) checkProbe(errors, `${at}.${sort}Probe`, probe, sort);
  }
}

/** What all three sorts have in common. */
export function checkContainerCommon(errors: Errors, at: string, container: Tree, around: Surroundings): void {
  if (!container['name']) errors.push(requiredValue(`${at}.name`));
  else checkLabel(errors, `${at}.name`, container['name']);
  const image = (container['image'] ?? '') as string;
  if (image === '') errors.push(requiredValue(`${at}.image`));
  else if (around.isPod && image.trim() !== image) {
    errors.push(invalidValue(`${at}.image`, image, 'must not have leading or trailing whitespace'));
  }
  checkOneOf(errors, `${at}.terminationMessagePolicy`, container['terminationMessagePolicy'], [
    'File',
    'FallbackToLogsOnError',
  ]);
  checkPorts(errors, `${at}.ports`, listOf(container, 'ports'));
  checkEnvironment(errors, at, container);
  checkMounts(errors, at, container, around.volumes);
  checkOneOf(errors, `${at}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']);
  checkContainerResources(errors, `${at}.resources`, container['resources'] ?? {}, around.claims);
  checkResizePolicy(errors, `${at}.resizePolicy`, listOf(container, 'resizePolicy'));
  checkContainerSecurity(errors, `${at}.securityContext`, container['securityContext']);
}

function checkPorts(errors: Errors, path: string, ports: readonly Tree[]): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `${path}[${index}]`;
    const name = (port['name'] ?? '') as string;
    if (name !== '') {
      const problems = validatePortName(name);
      for (const problem of problems) errors.push(invalidValue(`${at}.name`, name, problem));
      if (problems.length === 0 && names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    if (!port['containerPort']) errors.push(requiredValue(`${at}.containerPort`));
    else checkPort(errors, `${at}.containerPort`, port['containerPort']);
    if (port['hostPort']) checkPort(errors, `${at}.hostPort`, port['hostPort']);
    requireOneOf(errors, `${at}.protocol`, port['protocol'], PROTOCOLS);
  }
}

/** A port of the node, at one address and protocol, is one container's only. */
function checkHostPorts(errors: Errors, path: string, containers: readonly Tree[]): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, port] of listOf(container, 'ports').entries()) {
      if (!port['hostPort']) continue;
      const key = `${port['protocol']}/${port['hostIP'] ?? ''}/${port['hostPort']}`;
      if (taken.has(key)) errors.push(duplicateValue(`${path}[${index}].ports[${portIndex}].hostPort`, key));
      taken.add(key);
    }
  }
}
