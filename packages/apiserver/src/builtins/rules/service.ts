/** The addresses of a Service: given on create, kept on update, taken back when its type needs them no more. */
import { deepEqual } from '@capstan/kube';
import { type FieldError, invalidValue } from '../../field-error.ts';
import type { Draft, ServiceAddresses, Stored, StrategyContext } from '../../kind.ts';
import { invalid } from '../../status.ts';
import { defaultService, isExternal } from '../defaults/service.ts';
import type { StrategyRules } from '../strategy.ts';
import { ensure, listOf, type Tree } from '../tree.ts';
import {
  addressErrors,
  serviceNameProblems,
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
} from '../validation/service.ts';

export const serviceRules: StrategyRules = {
  allowsCreateOnUpdate: true,
  validateName: serviceNameProblems,
  default: defaultService,
  validate: validateService,
  validateUpdate: validateServiceUpdate,
  validateStatusUpdate: validateServiceStatus,
  prepareForCreate: giveAddresses,
  prepareForUpdate(draft, old, context) {
    followClusterIP(draft['spec'], old['spec']);
    keepAddresses(draft['spec'], old['spec']);
    dropUnneeded(draft, old);
    giveAddresses(draft, context, old);
  },
  warnings: draft => warningsOf(draft['spec']),
};

function warningsOf(spec: Tree): string[] {
  return listOf(spec, 'externalIPs').length > 0
    ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
    : [];
}

const NONE = 'None';

const needsClusterIP = (spec: Tree): boolean => spec['type'] !== 'ExternalName';
const needsNodePorts = (spec: Tree): boolean =>
  spec['type'] === 'NodePort' || (spec['type'] === 'LoadBalancer' && spec['allocateLoadBalancerNodePorts'] !== false);
const usesNodePorts = (spec: Tree): boolean => spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

function giveAddresses(draft: Draft, { serviceAddresses }: StrategyContext, old?: Stored): void {
  const spec = ensure(draft, 'spec');
  if (!needsClusterIP(spec)) return;
  alignClusterIPs(spec);
  const isHeadlessWithoutSelector = spec['clusterIP'] === NONE && Object.keys(spec['selector'] ?? {}).length === 0;
  spec['ipFamilyPolicy'] ??= isHeadlessWithoutSelector ? 'RequireDualStack' : 'SingleStack';
  spec['ipFamilies'] ??=
    isHeadlessWithoutSelector && spec['ipFamilyPolicy'] !== 'SingleStack' ? ['IPv4', 'IPv6'] : ['IPv4'];
  refuse(draft, addressErrors(spec));
  if (serviceAddresses === undefined) return;
  const errors = [
    ...giveClusterIP(spec, serviceAddresses, old?.['spec']),
    ...(needsNodePorts(spec) ? giveNodePorts(spec, serviceAddresses, old?.['spec']) : []),
  ];
  refuse(draft, errors);
}

function refuse({ metadata }: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: '', plural: 'services', kind: 'Service' }, metadata.name ?? '', errors);
}

/** `clusterIP` is the first of `clusterIPs`; who sets the first has set both. */
function alignClusterIPs(spec: Tree): void {
  if (spec['clusterIP'] !== undefined) spec['clusterIPs'] ??= [spec['clusterIP']];
}

/** Who changes `clusterIP` alone means the first of `clusterIPs` too. */
function followClusterIP(spec: Tree, old: Tree): void {
  const isNew = spec['clusterIP'] && old['clusterIP'] && spec['clusterIP'] !== old['clusterIP'];
  if (!isNew || !deepEqual(spec['clusterIPs'], old['clusterIPs'])) return;
  spec['clusterIPs'] = [spec['clusterIP'], ...listOf(spec, 'clusterIPs').slice(1)];
}

function giveClusterIP(spec: Tree, addresses: ServiceAddresses, old: Tree | undefined): FieldError[] {
  const wanted = spec['clusterIP'] as string | undefined;
  // An address once given stays; that another one is wanted is for validation to refuse.
  if (wanted === NONE || (wanted !== undefined && old?.['clusterIP'])) return [];
  const given = addresses.allocateClusterIP(wanted);
  if (typeof given !== 'string') return [invalidValue('spec.clusterIPs', spec['clusterIPs'], given.problem)];
  spec['clusterIP'] = given;
  spec['clusterIPs'] = [given];
  return [];
}

function giveNodePorts(spec: Tree, addresses: ServiceAddresses, old: Tree | undefined): FieldError[] {
  const held = new Set(listOf(old, 'ports').map(port => port['nodePort'] as number | undefined));
  const ports = listOf(spec, 'ports');
  return ports.flatMap((port, index) => {
    const wanted = port['nodePort'] as number | undefined;
    if (wanted !== undefined && held.has(wanted)) return [];
    const given = addresses.allocateNodePort(wanted);
    if (typeof given !== 'number') return [invalidValue(`spec.ports[${index}].nodePort`, wanted, given.problem)];
    port['nodePort'] = given;
    return [];
  });
}

/** A PUT that leaves out what was allocated means to keep it. */
function keepAddresses(spec: Tree, old: Tree): void {
  if (needsClusterIP(spec) && needsClusterIP(old) && spec['clusterIP'] === undefined) {
    if (old['clusterIP'] !== undefined) spec['clusterIP'] = old['clusterIP'];
    if (spec['clusterIPs'] === undefined && old['clusterIPs'] !== undefined) spec['clusterIPs'] = old['clusterIPs'];
  }
  if (needsClusterIP(spec)) {
    if (old['ipFamilyPolicy'] !== undefined) spec['ipFamilyPolicy'] ??= old['ipFamilyPolicy'];
    if (old['ipFamilies'] !== undefined) spec['ipFamilies'] ??= old['ipFamilies'];
  }
  if (!usesNodePorts(spec) || !usesNodePorts(old)) return;
  const taken = new Set(listOf(spec, 'ports').map(port => port['nodePort']));
  for (const port of listOf(spec, 'ports')) {
    const before = listOf(old, 'ports').find(
      one => one['port'] === port['port'] && one['protocol'] === port['protocol'] && !taken.has(one['nodePort']),
    );
    if (port['nodePort'] === undefined && before?.['nodePort'] !== undefined) port['nodePort'] = before['nodePort'];
  }
}

/** What a change of type leaves without a meaning goes, unless the user changed it in the same breath. */
function dropUnneeded(draft: Draft, old: Stored): void {
  const spec = draft['spec'] as Tree;
  const before = old['spec'] as Tree;
  const dropSame = (...fields: string[]): void => {
    for (const field of fields) if (deepEqual(spec[field], before[field])) delete spec[field];
  };
  if (needsClusterIP(before) && !needsClusterIP(spec))
    dropSame('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy');
  if (!needsClusterIP(spec)) delete spec['internalTrafficPolicy'];
  if (usesNodePorts(before) && !usesNodePorts(spec)) {
    const held = new Set(listOf(before, 'ports').map(port => port['nodePort']));
    if (listOf(spec, 'ports').every(port => port['nodePort'] === undefined || held.has(port['nodePort']))) {
      for (const port of listOf(spec, 'ports')) delete port['nodePort'];
    }
  }
  if (before['type'] === 'LoadBalancer' && spec['type'] !== 'LoadBalancer') {
    dropSame('allocateLoadBalancerNodePorts', 'loadBalancerClass', 'healthCheckNodePort');
  }
  if (isExternal(before) && !isExternal(spec)) dropSame('externalTrafficPolicy');
  if (spec['type'] !== 'LoadBalancer') draft['status'] = { ...draft['status'], loadBalancer: {} };
}
