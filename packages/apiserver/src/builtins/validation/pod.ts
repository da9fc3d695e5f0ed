/** What a Pod may say, in an object of its own or in a template. */
import { validateQualifiedName } from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkContainers, checkInitContainers, type Surroundings } from './container.ts';
import { checkEphemeralContainers } from './ephemeral-container.ts';
import {
  checkAddress,
  checkAnnotations,
  checkLabel,
  checkLabels,
  checkOneOf,
  checkRange,
  checkSubdomain,
  checkText,
  type Errors,
  requireOneOf,
} from './fields.ts';
import type { Volumes } from './mounts.ts';
import { checkAffinity, checkHostName, checkSpread, checkTolerations } from './scheduling.ts';
import { checkPodSecurity } from './security-context.ts';
import { checkVolumes } from './volume.ts';

const MAX_INT32 = 2 ** 31 - 1;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const MOST_NAMESERVERS = 3;

export function validatePod(pod: Draft): Errors {
  const errors: Errors = [];
  const spec = (pod['spec'] ?? {}) as Tree;
  checkPodSpec(errors, 'spec', spec, true);
  checkTokens(errors, spec);
  return errors;
}

/** Debugging comes later: a Pod is not made with its debuggers. And one that waits at a gate is nowhere yet. */
export function validateNewPod(pod: Draft): Errors {
  const errors: Errors = [];
  if (listOf(pod['spec'], 'ephemeralContainers').length > 0) {
    errors.push(forbiddenValue('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (pod['spec']?.nodeName && listOf(pod['spec'], 'schedulingGates').length > 0) {
    errors.push(forbiddenValue('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

/** The Pod of a workload: its metadata as far as it counts, and its spec. `more` are volumes that it will get later. */
export function checkTemplate(errors: Errors, path: string, template: Tree, more: Volumes = new Map()): void {
  checkLabels(errors, `${path}.labels`, template['metadata']?.labels);
  checkAnnotations(errors, `${path}.annotations`, template['metadata']?.annotations);
  const spec = (template['spec'] ?? {}) as Tree;
  checkPodSpec(errors, `${path}.spec`, spec, false, more);
  if (listOf(spec, 'ephemeralContainers').length > 0) {
    errors.push(forbiddenValue(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
  }
}

function checkPodSpec(errors: Errors, path: string, spec: Tree, isPod: boolean, more: Volumes = new Map()): void {
  const volumes = new Map([...more, ...checkVolumes(errors, `${path}.volumes`, listOf(spec, 'volumes'))]);
  checkResourceClaims(errors, `${path}.resourceClaims`, listOf(spec, 'resourceClaims'));
  const claims = new Set(listOf(spec, 'resourceClaims').map(claim => claim['name'] as string));
  const around: Surroundings = { volumes, claims, isPod };
  const containers = listOf(spec, 'containers');
  const initContainers = listOf(spec, 'initContainers');
  checkContainers(errors, `${path}.containers`, containers, around);
  checkInitContainers(errors, `${path}.initContainers`, initContainers, containers, around);
  checkEphemeralContainers(
    errors,
    `${path}.ephemeralContainers`,
    listOf(spec, 'ephemeralContainers'),
    [...containers, ...initContainers],
    around,
  );
  if (spec['hostNetwork']) {
    checkHostNetwork(errors, `${path}.containers`, containers);
    checkHostNetwork(errors, `${path}.initContainers`, initContainers);
  }
  checkOneOf(errors, `${path}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']);
  checkOneOf(errors, `${path}.dnsPolicy`, spec['dnsPolicy'], DNS_POLICIES);
  checkLabels(errors, `${path}.nodeSelector`, spec['nodeSelector']);
  checkPodSecurity(errors, `${path}.securityContext`, spec['securityContext']);
  checkAffinity(errors, `${path}.affinity`, spec['affinity']);
  checkDnsConfig(errors, `${path}.dnsConfig`, spec);
  checkGates(errors, path, spec);
  checkSpread(errors, `${path}.topologySpreadConstraints`, listOf(spec, 'topologySpreadConstraints'));
  checkNames(errors, path, spec);
}

function checkNames(errors: Errors, path: string, spec: Tree): void {
  for (const field of ['serviceAccountName', 'nodeName']) {
    if (spec[field]) checkSubdomain(errors, `${path}.${field}`, spec[field]);
  }
  checkRange(errors, `${path}.activeDeadlineSeconds`, spec['activeDeadlineSeconds'], 1, MAX_INT32);
  checkHostName(errors, path, spec);
  checkTolerations(errors, `${path}.tolerations`, listOf(spec, 'tolerations'));
  for (const [index, alias] of listOf(spec, 'hostAliases').entries()) {
    const at = `${path}.hostAliases[${index}]`;
    checkAddress(errors, `${at}.ip`, alias['ip'] ?? '');
    for (const [nameIndex, name] of ((alias['hostnames'] ?? []) as string[]).entries()) {
      checkSubdomain(errors, `${at}.hostnames[${nameIndex}]`, name);
    }
  }
  for (const field of ['priorityClassName', 'runtimeClassName']) {
    if (spec[field]) checkSubdomain(errors, `${path}.${field}`, spec[field]);
  }
  if (spec['hostnameOverride']) checkSubdomain(errors, `${path}.hostnameOverride`, spec['hostnameOverride']);
  if (spec['os'] !== undefined) requireOneOf(errors, `${path}.os`, spec['os'].name, ['linux', 'windows']);
  checkOneOf(errors, `${path}.preemptionPolicy`, spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never']);
}

function checkResourceClaims(errors: Errors, path: string, claims: readonly Tree[]): void {
  const seen = new Set<string>();
  for (const [index, claim] of claims.entries()) {
    const at = `${path}[${index}]`;
    const { name = '', resourceClaimName, resourceClaimTemplateName } = claim;
    if (name === '') errors.push(requiredValue(`${at}.name`));
    else {
      checkLabel(errors, `${at}.name`, name);
      if (seen.has(name)) errors.push(duplicateValue(`${at}.name`, name));
      seen.add(name);
    }
    const internal = {
      Name: name,
      ResourceClaimName: resourceClaimName ?? null,
      ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
    };
    const count = [resourceClaimName, resourceClaimTemplateName].filter(one => one !== undefined).length;
    const either = '`resourceClaimName`, `resourceClaimTemplateName`';
    if (count === 0) errors.push(invalidValue(at, internal, `must specify one of: ${either}`));
    if (count === 2) errors.push(invalidValue(at, internal, `at most one of ${either} may be specified`));
  }
}

function checkHostNetwork(errors: Errors, path: string, containers: readonly Tree[]): void {
  for (const [index, container] of containers.entries()) {
    for (const [portIndex, port] of listOf(container, 'ports').entries()) {
      if (port['hostPort'] === port['containerPort']) continue;
      const at = `${path}[${index}].ports[${portIndex}].hostPort`;
      errors.push(invalidValue(at, port['hostPort'] ?? 0, 'must match `containerPort` when `hostNetwork` is true'));
    }
  }
}

function checkDnsConfig(errors: Errors, path: string, spec: Tree): void {
  const config = spec['dnsConfig'] as Tree | undefined;
  if (spec['dnsPolicy'] === 'None') {
    if (config === undefined) {
      errors.push(requiredValue(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
      return;
    }
    if (listOf(config, 'nameservers').length === 0) {
      const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
      errors.push(requiredValue(`${path}.nameservers`, why));
      return;
    }
  }
  const servers = (config?.['nameservers'] ?? []) as string[];
  if (servers.length > MOST_NAMESERVERS) {
    errors.push(
      invalidValue(`${path}.nameservers`, servers, `must not have more than ${MOST_NAMESERVERS} nameservers`),
    );
  }
  for (const [index, server] of servers.entries()) checkAddress(errors, `${path}.nameservers[${index}]`, server);
}

function checkGates(errors: Errors, path: string, spec: Tree): void {
  for (const [index, gate] of listOf(spec, 'readinessGates').entries()) {
    const at = `${path}.readinessGates[${index}].conditionType`;
    checkText(errors, at, gate['conditionType'] ?? '', validateQualifiedName);
  }
  const seen = new Set<string>();
  for (const [index, gate] of listOf(spec, 'schedulingGates').entries()) {
    const at = `${path}.schedulingGates[${index}]`;
    checkText(errors, at, gate['name'] ?? '', validateQualifiedName);
    if (seen.has(gate['name'])) errors.push(duplicateValue(at, gate['name']));
    seen.add(gate['name']);
  }
}

/** A token is a service account's; a Pod itself has been given one by the time it is checked, unless nobody gives any. */
function checkTokens(errors: Errors, spec: Tree): void {
  if (spec['serviceAccountName']) return;
  for (const [index, volume] of listOf(spec, 'volumes').entries()) {
    for (const [sourceIndex, source] of listOf(volume['projected'], 'sources').entries()) {
      if (!source['serviceAccountToken']) continue;
      const at = `spec.volumes[${index}].projected.sources[${sourceIndex}].serviceAccountToken`;
      errors.push(forbiddenValue(at, 'must not be specified when serviceAccountName is not set'));
    }
  }
}
