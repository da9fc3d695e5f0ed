/** Endpoints, EndpointSlice and Lease. */
import { validateDns1123Label, validatePortName, validateQualifiedName } from '@capstan/kube';
import { duplicateValue, invalidValue, requiredValue } from '../../field-error.ts';
import type { Draft, Stored } from '../../kind.ts';
import { listOf, type Tree } from '../tree.ts';
import { PROTOCOLS } from './container.ts';
import {
  checkAddress,
  checkLabel,
  checkNonNegative,
  checkPort,
  checkSubdomain,
  checkText,
  type Errors,
  IMMUTABLE,
  isIPv4,
  isIPv6,
  requireOneOf,
} from './fields.ts';

export function validateEndpoints(endpoints: Draft): Errors {
  const errors: Errors = [];
  for (const [index, subset] of listOf(endpoints, 'subsets').entries()) {
    const at = `subsets[${index}]`;
    const lists = ['addresses', 'notReadyAddresses'] as const;
    if (lists.every(list => listOf(subset, list).length === 0)) {
      errors.push(requiredValue(at, 'must specify `addresses` or `notReadyAddresses`'));
    }
    for (const list of lists) {
      for (const [addressIndex, address] of listOf(subset, list).entries()) {
        const here = `${at}.${list}[${addressIndex}]`;
        checkEndpointAddress(errors, `${here}.ip`, address['ip'] ?? '');
        if (address['hostname']) checkLabel(errors, `${here}.hostname`, address['hostname']);
        if (address['nodeName'] !== undefined) checkSubdomain(errors, `${here}.nodeName`, address['nodeName']);
      }
    }
    const ports = listOf(subset, 'ports');
    for (const [portIndex, port] of ports.entries()) {
      const here = `${at}.ports[${portIndex}]`;
      if (!port['name'] && ports.length > 1) errors.push(requiredValue(`${here}.name`));
      else if (port['name']) checkText(errors, `${here}.name`, port['name'], validateDns1123Label);
      checkPort(errors, `${here}.port`, port['port'] ?? 0);
      requireOneOf(errors, `${here}.protocol`, port['protocol'], PROTOCOLS);
      if (port['appProtocol'] !== undefined) {
        checkText(errors, `${here}.appProtocol`, port['appProtocol'], validateQualifiedName);
      }
    }
  }
  return errors;
}

function checkEndpointAddress(errors: Errors, path: string, address: string): void {
  if (checkAddress(errors, path, address)) checkReachable(errors, path, address);
  else errors.push(invalidValue(path, address, 'must be a valid IP address'));
}

/** 127.64.0.0/10 is where the Pods of the process node are: the one part of the loopback range that tells them apart. */
function isPodAddress(address: string): boolean {
  const second = Number(address.split('.')[1]);
  return second >= 64 && second < 128;
}

/** An endpoint is somewhere else: not on whatever machine looks at it. */
function checkReachable(errors: Errors, path: string, address: string): void {
  const refuse = (why: string): number => errors.push(invalidValue(path, address, why));
  if (address === '0.0.0.0' || address === '::') refuse(`may not be unspecified (${address})`);
  if ((address.startsWith('127.') && !isPodAddress(address)) || address === '::1')
    refuse('may not be in the loopback range (127.0.0.0/8, ::1/128)');
  if (address.startsWith('169.254.') || /^fe[89ab]/i.test(address)) {
    refuse('may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  }
  if (/^224\.0\.0\./.test(address) || /^ff02:/i.test(address)) {
    refuse('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
  }
}

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MOST_ENDPOINTS = 1000;
const MOST_PORTS = 20000;
const MOST_ADDRESSES = 100;

export function validateEndpointSlice(slice: Draft): Errors {
  const errors: Errors = [];
  const type = slice['addressType'] as string | undefined;
  requireOneOf(errors, 'addressType', type, ADDRESS_TYPES);
  checkSlicePorts(errors, listOf(slice, 'ports'));
  const endpoints = listOf(slice, 'endpoints');
  if (endpoints.length > MOST_ENDPOINTS) errors.push(tooMany('endpoints', endpoints.length, MOST_ENDPOINTS));
  for (const [index, endpoint] of endpoints.entries()) {
    const at = `endpoints[${index}].addresses`;
    const addresses = (endpoint['addresses'] ?? []) as string[];
    if (endpoint['nodeName'] !== undefined)
      checkSubdomain(errors, `endpoints[${index}].nodeName`, endpoint['nodeName']);
    if (endpoint['hostname'] !== undefined) checkLabel(errors, `endpoints[${index}].hostname`, endpoint['hostname']);
    for (const [hintIndex, hint] of listOf(endpoint['hints'], 'forNodes').entries()) {
      checkSubdomain(errors, `endpoints[${index}].hints.forNodes[${hintIndex}].name`, hint['name'] ?? '');
    }
    if (addresses.length === 0) errors.push(requiredValue(at));
    if (addresses.length > MOST_ADDRESSES) errors.push(tooMany(at, addresses.length, MOST_ADDRESSES));
    for (const [addressIndex, address] of addresses.entries()) {
      checkSliceAddress(errors, `${at}[${addressIndex}]`, address, type);
    }
  }
  return errors;
}

const tooMany = (field: string, count: number, most: number) =>
  ({
    type: 'FieldValueTooMany',
    field,
    badValue: count,
    detail: `must have at most ${most} items`,
  }) as const;

function checkSliceAddress(errors: Errors, path: string, address: string, type: string | undefined): void {
  if (type === 'FQDN') checkSubdomain(errors, path, address);
  else if (type === 'IPv4' || type === 'IPv6') {
    if (!checkAddress(errors, path, address)) return;
    if (type === 'IPv4' && !isIPv4(address)) errors.push(invalidValue(path, address, 'must be an IPv4 address'));
    if (type === 'IPv6' && !isIPv6(address)) errors.push(invalidValue(path, address, 'must be an IPv6 address'));
    checkReachable(errors, path, address);
  }
}

function checkSlicePorts(errors: Errors, ports: readonly Tree[]): void {
  if (ports.length > MOST_PORTS) errors.push(tooMany('ports', ports.length, MOST_PORTS));
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const name = (port['name'] ?? '') as string;
    if (name !== '') checkText(errors, `ports[${index}].name`, name, value => validateSlicePortName(value));
    if (names.has(name)) errors.push(duplicateValue(`ports[${index}].name`, name));
    names.add(name);
    requireOneOf(errors, `ports[${index}].protocol`, port['protocol'], PROTOCOLS);
    if (port['appProtocol'] !== undefined) {
      checkText(errors, `ports[${index}].appProtocol`, port['appProtocol'], validateQualifiedName);
    }
  }
}

const validateSlicePortName = (name: string): readonly string[] =>
  name.length > 15 ? validateDns1123Label(name) : validatePortName(name).length === 0 ? [] : validateDns1123Label(name);

export function validateEndpointSliceUpdate(slice: Draft, old: Stored): Errors {
  return slice['addressType'] === old['addressType'] ? [] : [invalidValue('addressType', null, IMMUTABLE)];
}

export function validateLease(lease: Draft): Errors {
  const errors: Errors = [];
  const { leaseDurationSeconds: duration, leaseTransitions } = (lease['spec'] ?? {}) as Tree;
  if (duration !== undefined && duration <= 0) {
    errors.push(invalidValue('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  checkNonNegative(errors, 'spec.leaseTransitions', leaseTransitions);
  return errors;
}
