/** Ingress and NetworkPolicy. */
import { validateDns1123Label } from '@capstan/kube';
import { forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { isInside, NO_CIDR, parseCidr } from './cidr.ts';
import {
  checkOneOf,
  checkPort,
  checkSubdomain,
  checkText,
  type Errors,
  isIPv4,
  isIPv6,
  requireText,
} from './fields.ts';
import { checkPortNumberOrName } from './probe.ts';
import { pathSegmentProblems } from './rbac.ts';
import { checkLabelSelector } from './selector.ts';
import { checkIngressPoints } from './service.ts';

export function validateIngress(ingress: Draft): Errors {
  const errors: Errors = [];
  const spec = (ingress['spec'] ?? {}) as Tree;
  const rules = listOf(spec, 'rules');
  if (rules.length === 0 && spec['defaultBackend'] === undefined) {
    errors.push(invalidValue('spec', spec['rules'] ?? null, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec['defaultBackend']) checkBackend(errors, 'spec.defaultBackend', spec['defaultBackend']);
  for (const [index, rule] of rules.entries()) checkIngressRule(errors, `spec.rules[${index}]`, rule);
  for (const [index, tls] of listOf(spec, 'tls').entries()) {
    for (const [hostIndex, host] of ((tls['hosts'] ?? []) as string[]).entries()) {
      checkHost(errors, `spec.tls[${index}].hosts[${hostIndex}]`, host);
    }
    if (tls['secretName']) checkSubdomain(errors, `spec.tls[${index}].secretName`, tls['secretName']);
  }
  if (spec['ingressClassName'] !== undefined) checkSubdomain(errors, 'spec.ingressClassName', spec['ingressClassName']);
  return errors;
}

export function validateIngressStatus(ingress: Draft): Errors {
  const errors: Errors = [];
  checkIngressPoints(errors, listOf(ingress['status']?.loadBalancer, 'ingress'));
  return errors;
}

function checkIngressRule(errors: Errors, at: string, rule: Tree): void {
  const host = (rule['host'] ?? '') as string;
  if (host !== '') {
    if (isIPv4(host) || isIPv6(host))
      errors.push(invalidValue(`${at}.host`, host, 'must be a DNS name, not an IP address'));
    else checkHost(errors, `${at}.host`, host);
  }
  if (rule['http'] === undefined) return;
  const paths = listOf(rule['http'], 'paths');
  if (paths.length === 0) errors.push(requiredValue(`${at}.http.paths`));
  for (const [index, path] of paths.entries()) checkPath(errors, `${at}.http.paths[${index}]`, path);
}

/** `*.example.com` stands for any one label. */
function checkHost(errors: Errors, path: string, host: string): void {
  if (!host.includes('*')) checkSubdomain(errors, path, host);
  else if (!/^\*\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(host)) {
    const why =
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    errors.push(invalidValue(path, host, why));
  }
}

/** Ways of writing a path that servers read differently. */
const UNSURE = ['//', '/./', '/../', '%2f', '%2F'];

function checkPath(errors: Errors, at: string, path: Tree): void {
  const { path: value = '', pathType } = path;
  if (!pathType) {
    errors.push(requiredValue(`${at}.pathType`, 'pathType must be specified'));
    return;
  }
  checkOneOf(errors, `${at}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix']);
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!value.startsWith('/')) errors.push(invalidValue(`${at}.path`, value, 'must be an absolute path'));
    for (const part of UNSURE) {
      if (value.includes(part)) errors.push(invalidValue(`${at}.path`, value, `must not contain '${part}'`));
    }
    for (const end of ['/..', '/.']) {
      if (value.endsWith(end)) errors.push(invalidValue(`${at}.path`, value, `cannot end with '${end}'`));
    }
  } else if (pathType === 'ImplementationSpecific' && value !== '' && !value.startsWith('/')) {
    errors.push(invalidValue(`${at}.path`, value, 'must be an absolute path'));
  }
  checkBackend(errors, `${at}.backend`, path['backend'] ?? {});
}

function checkBackend(errors: Errors, path: string, { service, resource }: Tree): void {
  if (service !== undefined && resource !== undefined) {
    errors.push(invalidValue(path, '', 'cannot set both resource and service backends'));
    return;
  }
  if (resource !== undefined) {
    if (resource.apiGroup) checkSubdomain(errors, `${path}.resource.apiGroup`, resource.apiGroup);
    for (const field of ['kind', 'name']) {
      requireText(errors, `${path}.resource.${field}`, resource[field], text => pathSegmentProblems(text, false));
    }
    return;
  }
  if (service === undefined) {
    errors.push(invalidValue(path, '', 'resource or service backend is required'));
    return;
  }
  if (!service.name) errors.push(requiredValue(`${path}.service.name`));
  else checkText(errors, `${path}.service.name`, service.name, validateDns1123Label);
  const { name, number } = (service.port ?? {}) as Tree;
  if (name && number) errors.push(invalidValue(path, '', 'cannot set both port name & port number'));
  else if (name) checkPortNumberOrName(errors, `${path}.service.port.name`, name);
  else if (number) checkPort(errors, `${path}.service.port.number`, number);
  else errors.push(requiredValue(path, 'port name or number is required'));
}

export function validateNetworkPolicy(policy: Draft): Errors {
  const errors: Errors = [];
  const spec = (policy['spec'] ?? {}) as Tree;
  checkLabelSelector(errors, 'spec.podSelector', spec['podSelector']);
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of listOf(spec, direction).entries()) {
      const at = `spec.${direction}[${index}]`;
      for (const [portIndex, port] of listOf(rule, 'ports').entries()) {
        checkPolicyPort(errors, `${at}.ports[${portIndex}]`, port);
      }
      for (const [peerIndex, peer] of listOf(rule, peers).entries())
        checkPeer(errors, `${at}.${peers}[${peerIndex}]`, peer);
    }
  }
  for (const [index, type] of ((spec['policyTypes'] ?? []) as string[]).entries()) {
    checkOneOf(errors, `spec.policyTypes[${index}]`, type, ['Ingress', 'Egress']);
  }
  return errors;
}

function checkPolicyPort(errors: Errors, at: string, { port, endPort, protocol }: Tree): void {
  checkOneOf(errors, `${at}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']);
  if (port !== undefined) checkPortNumberOrName(errors, `${at}.port`, port);
  if (endPort === undefined) return;
  if (port === undefined) errors.push(requiredValue(`${at}.port`, 'must be specified when `endPort` is set'));
  else if (typeof port === 'string') {
    errors.push(invalidValue(`${at}.endPort`, endPort, 'may not be specified when `port` is non-numeric'));
  } else if (endPort < port)
    errors.push(invalidValue(`${at}.endPort`, endPort, 'must be greater than or equal to `port`'));
}

function checkPeer(errors: Errors, at: string, { podSelector, namespaceSelector, ipBlock }: Tree): void {
  checkLabelSelector(errors, `${at}.podSelector`, podSelector);
  checkLabelSelector(errors, `${at}.namespaceSelector`, namespaceSelector);
  if (ipBlock !== undefined) checkBlock(errors, `${at}.ipBlock`, ipBlock);
  if (podSelector === undefined && namespaceSelector === undefined && ipBlock === undefined) {
    errors.push(requiredValue(at, 'must specify a peer'));
  } else if (ipBlock !== undefined && (podSelector !== undefined || namespaceSelector !== undefined)) {
    errors.push(forbiddenValue(at, 'may not specify both ipBlock and another peer'));
  }
}

function checkBlock(errors: Errors, path: string, block: Tree): void {
  const cidr = (block['cidr'] ?? '') as string;
  if (cidr === '') {
    errors.push(requiredValue(`${path}.cidr`));
    return;
  }
  const whole = parseCidr(cidr);
  if (whole === undefined) {
    errors.push(invalidValue(`${path}.cidr`, cidr, NO_CIDR));
    return;
  }
  for (const [index, exception] of ((block['except'] ?? []) as string[]).entries()) {
    const part = parseCidr(exception);
    const at = `${path}.except[${index}]`;
    if (part === undefined) errors.push(invalidValue(at, exception, NO_CIDR));
    else if (!isInside(part, whole)) errors.push(invalidValue(at, exception, 'must be a strict subset of `cidr`'));
  }
}
