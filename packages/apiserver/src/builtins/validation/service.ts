/** Service. */
import { deepEqual, validateDns1123Label, validateDns1123Subdomain, validateQualifiedName } from '@capstan/kube';
import { duplicateValue, forbiddenValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { isExternal } from '../defaults/service.ts';
import { listOf, type Tree } from '../tree.ts';
import { checkCidr } from './cidr.ts';
import { PROTOCOLS } from './container.ts';
import {
  checkAddress,
  checkLabel,
  checkLabels,
  checkOneOf,
  checkPort,
  checkText,
  type Errors,
  isIPv4,
  isIPv6,
  requireOneOf,
} from './fields.ts';
import { checkPortNumberOrName } from './probe.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const NONE = 'None';
const ONE_DAY = 86400;

/** A Service becomes a DNS label; since 1.34 it may begin with a digit. */
export function serviceNameProblems(name: string, isPrefix: boolean): string[] {
  return validateDns1123Label(isPrefix ? name.replace(/-$/, 'a') : name);
}

export function validateService(service: Draft): Errors {
  const errors: Errors = [];
  const spec = (service['spec'] ?? {}) as Tree;
  const ports = listOf(spec, 'ports');
  const isHeadless = spec['clusterIP'] === NONE;
  if (ports.length === 0 && !isHeadless && spec['type'] !== 'ExternalName') errors.push(requiredValue('spec.ports'));
  checkByType(errors, spec, isHeadless);
  checkPorts(errors, ports);
  checkLabels(errors, 'spec.selector', spec['selector']);
  checkAffinity(errors, spec);
  for (const [index, address] of ((spec['externalIPs'] ?? []) as string[]).entries()) {
    checkAddress(errors, `spec.externalIPs[${index}]`, address);
  }
  requireOneOf(errors, 'spec.type', spec['type'], TYPES);
  checkNodePorts(errors, spec, ports);
  checkDuplicatePorts(errors, ports);
  checkPolicies(errors, spec);
  return errors;
}

function checkByType(errors: Errors, spec: Tree, isHeadless: boolean): void {
  const { type } = spec;
  if (isHeadless && (type === 'NodePort' || type === 'LoadBalancer')) {
    errors.push(invalidValue('spec.clusterIPs[0]', NONE, `may not be set to 'None' for ${type} services`));
  }
  if (type !== 'ExternalName') return;
  if ((spec['clusterIPs'] ?? []).length > 0) {
    errors.push(forbiddenValue('spec.clusterIPs', 'may not be set for ExternalName services'));
  }
  const name = ((spec['externalName'] ?? '') as string).replace(/\.$/, '');
  if (name === '') errors.push(requiredValue('spec.externalName'));
  else checkText(errors, 'spec.externalName', name, validateDns1123Subdomain);
}

function checkPorts(errors: Errors, ports: readonly Tree[]): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = `spec.ports[${index}]`;
    const name = (port['name'] ?? '') as string;
    if (name === '' && ports.length > 1) errors.push(requiredValue(`${at}.name`));
    else if (name !== '') {
      checkLabel(errors, `${at}.name`, name);
      if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    checkPort(errors, `${at}.port`, port['port'] ?? 0);
    requireOneOf(errors, `${at}.protocol`, port['protocol'], PROTOCOLS);
    checkPortNumberOrName(errors, `${at}.targetPort`, port['targetPort']);
    if (port['appProtocol'] !== undefined)
      checkText(errors, `${at}.appProtocol`, port['appProtocol'], validateQualifiedName);
  }
}

function checkAffinity(errors: Errors, spec: Tree): void {
  requireOneOf(errors, 'spec.sessionAffinity', spec['sessionAffinity'], ['ClientIP', 'None']);
  const seconds = spec['sessionAffinityConfig']?.clientIP?.timeoutSeconds as number | undefined;
  if (spec['sessionAffinity'] === 'ClientIP' && seconds !== undefined && (seconds <= 0 || seconds > ONE_DAY)) {
    const path = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
    errors.push(invalidValue(path, seconds, `must be greater than 0 and less than ${ONE_DAY}`));
  }
}

/** What must be right before an address can be given; while it is not, nothing else is looked at. */
export function addressErrors(spec: Tree): Errors {
  const errors: Errors = [];
  for (const [index, family] of ((spec['ipFamilies'] ?? []) as string[]).entries()) {
    checkOneOf(errors, `spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']);
  }
  checkOneOf(errors, 'spec.ipFamilyPolicy', spec['ipFamilyPolicy'], [
    'PreferDualStack',
    'RequireDualStack',
    'SingleStack',
  ]);
  checkClusterIPs(errors, spec);
  return errors;
}

function checkClusterIPs(errors: Errors, spec: Tree): void {
  const addresses = (spec['clusterIPs'] ?? []) as string[];
  for (const [index, address] of addresses.entries()) {
    if (index === 0 && address === NONE) {
      if (addresses.length > 1) {
        errors.push(invalidValue('spec.clusterIPs', addresses, "'None' must be the first and only value"));
      }
      return;
    }
    checkAddress(errors, `spec.clusterIPs[${index}]`, address);
  }
  if (!spec['clusterIP'] && addresses.length > 0) {
    errors.push(invalidValue('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'));
  } else if (spec['clusterIP'] && addresses.length > 0 && addresses[0] !== spec['clusterIP']) {
    errors.push(invalidValue('spec.clusterIPs', addresses, 'first value must match `clusterIP`'));
  }
}

function checkNodePorts(errors: Errors, spec: Tree, ports: readonly Tree[]): void {
  if (spec['type'] === 'ClusterIP') {
    for (const [index, port] of ports.entries()) {
      if (port['nodePort']) {
        errors.push(forbiddenValue(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
      }
    }
  }
  const seen = new Set<string>();
  for (const [index, port] of ports.entries()) {
    if (!port['nodePort']) continue;
    const key = `${port['protocol']}/${port['nodePort']}`;
    if (seen.has(key)) errors.push(duplicateValue(`spec.ports[${index}].nodePort`, port['nodePort']));
    seen.add(key);
  }
}

function checkDuplicatePorts(errors: Errors, ports: readonly Tree[]): void {
  const seen = new Set<string>();
  for (const [index, { protocol, port }] of ports.entries()) {
    const key = `${protocol}/${port}`;
    if (seen.has(key)) {
      const value = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      errors.push(duplicateValue(`spec.ports[${index}]`, value));
    }
    seen.add(key);
  }
}

function checkPolicies(errors: Errors, spec: Tree): void {
  const external = spec['externalTrafficPolicy'] as string | undefined;
  if (external && !isExternal(spec)) {
    errors.push(
      invalidValue('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services'),
    );
  } else checkOneOf(errors, 'spec.externalTrafficPolicy', external, ['Cluster', 'Local']);
  checkOneOf(errors, 'spec.internalTrafficPolicy', spec['internalTrafficPolicy'], ['Cluster', 'Local']);
  checkOneOf(errors, 'spec.trafficDistribution', spec['trafficDistribution'], DISTRIBUTIONS);
  checkLoadBalancing(errors, spec);
}

const DISTRIBUTIONS = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

function checkLoadBalancing(errors: Errors, spec: Tree): void {
  const isLoadBalancer = spec['type'] === 'LoadBalancer';
  const ranges = (spec['loadBalancerSourceRanges'] ?? []) as string[];
  // Kubernetes spells this path with a capital.
  const path = 'spec.LoadBalancerSourceRanges';
  if (ranges.length > 0 && !isLoadBalancer) {
    errors.push(forbiddenValue(path, "may only be used when `type` is 'LoadBalancer'"));
  }
  for (const [index, range] of ranges.entries()) checkCidr(errors, `${path}[${index}]`, range.trim());
  const healthPort = spec['healthCheckNodePort'] as number | undefined;
  if (healthPort !== undefined && !(isLoadBalancer && spec['externalTrafficPolicy'] === 'Local')) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalidValue('spec.healthCheckNodePort', healthPort, why));
  }
  if (spec['allocateLoadBalancerNodePorts'] !== undefined && !isLoadBalancer) {
    const why = "may only be used when `type` is 'LoadBalancer'";
    errors.push(forbiddenValue('spec.allocateLoadBalancerNodePorts', why));
  }
  if (spec['loadBalancerClass'] !== undefined && !isLoadBalancer) {
    const why = "may only be used when `type` is 'LoadBalancer'";
    errors.push(forbiddenValue('spec.loadBalancerClass', why));
  }
}

/** Only a load balancer has addresses of one. */
export function validateServiceStatus(service: Draft): Errors {
  const ingress = listOf(service['status']?.loadBalancer, 'ingress');
  const errors: Errors = [];
  checkIngressPoints(errors, ingress);
  if (ingress.length > 0 && service['spec']?.type !== 'LoadBalancer') {
    const why = "may only be used when `spec.type` is 'LoadBalancer'";
    return [forbiddenValue('status.loadBalancer.ingress', why)];
  }
  return errors;
}

/** Also of the status of an Ingress. */
export function checkIngressPoints(errors: Errors, points: readonly Tree[]): void {
  for (const [index, { ip, hostname }] of points.entries()) {
    const at = `status.loadBalancer.ingress[${index}]`;
    if (ip) checkAddress(errors, `${at}.ip`, ip);
    if (!hostname) continue;
    checkText(errors, `${at}.hostname`, hostname, validateDns1123Subdomain);
    if (isIPv4(hostname) || isIPv6(hostname)) {
      errors.push(invalidValue(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    }
  }
}

/** The first address is how others know the Service. */
export function validateServiceUpdate(service: Draft, old: Stored): Errors {
  const addresses = (service['spec']?.clusterIPs ?? []) as string[];
  const before = (old['spec']?.clusterIPs ?? []) as string[];
  const staysInside = service['spec']?.type !== 'ExternalName' && old['spec']?.type !== 'ExternalName';
  if (!staysInside || before[0] === undefined || before[0] === '' || deepEqual(addresses[0], before[0])) return [];
  return [invalidValue('spec.clusterIPs[0]', addresses, 'may not change once set')];
}
