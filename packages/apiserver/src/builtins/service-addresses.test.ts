import { expect, test } from 'vitest';
import type { Stored } from '../kind.ts';
import { allocatorOf } from './service-addresses.ts';

const service = (clusterIP: string, nodePort = 0): Stored => ({
  metadata: {},
  spec: { clusterIP, clusterIPs: [clusterIP], ports: [{ port: 80, nodePort }] },
});

test('the lowest free address is given, never that of the network itself', () => {
  const services = [service('10.96.0.1'), service('10.96.0.3')];
  expect(allocatorOf(() => services).allocateClusterIP()).toBe('10.96.0.2');
});

test('a Service that came since is seen', () => {
  const services = [service('10.96.0.1')];
  const allocator = allocatorOf(() => services);
  services.push(service('10.96.0.2'));
  expect(allocator.allocateClusterIP()).toBe('10.96.0.3');
});

test('a wanted address is given if it is free and in range', () => {
  const allocator = allocatorOf(() => [service('10.96.0.9')]);
  expect(allocator.allocateClusterIP('10.96.7.7')).toBe('10.96.7.7');
  expect(allocator.allocateClusterIP('10.96.0.9')).toEqual({
    problem: 'failed to allocate IP 10.96.0.9: provided IP is already allocated',
  });
  expect(allocator.allocateClusterIP('10.1.0.9')).toMatchObject({
    problem: expect.stringContaining('The range of valid IPs is 10.96.0.0/16'),
  });
});

test('a full range says so', () => {
  const range = { clusterIPs: '10.0.0.0/30', nodePorts: [30000, 30000] as const };
  const allocator = allocatorOf(() => [service('10.0.0.1', 30000), service('10.0.0.2')], range);
  expect(allocator.allocateClusterIP()).toMatchObject({ problem: expect.stringContaining('range is full') });
  expect(allocator.allocateNodePort()).toMatchObject({ problem: expect.stringContaining('range is full') });
});

test('node ports are given likewise', () => {
  const allocator = allocatorOf(() => [service('10.96.0.1', 30000)]);
  expect(allocator.allocateNodePort()).toBe(30001);
  expect(allocator.allocateNodePort(31000)).toBe(31000);
  expect(allocator.allocateNodePort(30000)).toEqual({ problem: 'provided port is already allocated' });
  expect(allocator.allocateNodePort(80)).toMatchObject({ problem: expect.stringContaining('30000-32767') });
});
