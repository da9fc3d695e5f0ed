import type { EndpointAddress, Pod, Service } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { Gathering } from './gathering.ts';
import { subsetsOf, truncated } from './subsets.ts';

const addresses = (count: number, from: number): EndpointAddress[] =>
  Array.from({ length: count }, (_, index) => ({ ip: `10.0.${from}.${index}` }));

describe('Endpoints with too many addresses', () => {
  it('are left alone up to a thousand', () => {
    expect(truncated([{ addresses: addresses(600, 1), notReadyAddresses: addresses(400, 2) }])).toBeUndefined();
  });

  it('lose those first that take no requests', () => {
    const cut = truncated([
      { addresses: addresses(500, 1), notReadyAddresses: addresses(500, 2), ports: [{ port: 1 }] },
      { addresses: addresses(490, 3), notReadyAddresses: addresses(500, 4), ports: [{ port: 2 }] },
    ]);
    expect(cut?.map(({ addresses, notReadyAddresses }) => [addresses?.length, notReadyAddresses?.length])).toEqual([
      [500, 10],
      [490, undefined],
    ]);
  });

  it('lose those that do, and whole subsets, where there is no other way', () => {
    const cut = truncated([{ addresses: addresses(1_000, 1) }, { addresses: addresses(5, 2), ports: [{ port: 2 }] }]);
    expect(cut).toEqual([{ addresses: addresses(1_000, 1) }]);
  });
});

describe('subsets', () => {
  const pod = (ip: string, phase: 'Running' | 'Succeeded' = 'Running'): Pod => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `p-${ip}`, namespace: 'default', uid: ip },
    spec: { containers: [] },
    status: { phase, podIPs: [{ ip }], conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const service = (spec: Service['spec']): Service => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'default' },
    spec: { selector: {}, ...spec },
  });

  it('are ordered, without Pods that have ended or have no address of the family', () => {
    const found = subsetsOf(service({ ports: [{ port: 80 }] }), [
      pod('10.0.0.2'),
      pod('10.0.0.1'),
      pod('10.0.0.3', 'Succeeded'),
      pod('fd00::1'),
    ]);
    expect(found.map(({ addresses }) => addresses?.map(({ ip }) => ip))).toEqual([['10.0.0.1', '10.0.0.2']]);
  });

  it('have no ports only for a headless Service without any', () => {
    expect(subsetsOf(service({ clusterIP: 'None' }), [pod('10.0.0.1')])).toHaveLength(1);
    expect(subsetsOf(service({ clusterIP: '10.96.0.9' }), [pod('10.0.0.1')])).toEqual([]);
    expect(subsetsOf(service({ ports: [{ port: 80, targetPort: 'web' }] }), [pod('10.0.0.1')])).toEqual([]);
  });
});

describe('gathering', () => {
  it('lets small Services be looked at whenever they change, and large ones once in a while', () => {
    const gathering = new Gathering();
    gathering.looked('small', 0, 100);
    gathering.looked('middle', 0, 400);
    gathering.looked('large', 0, 10_000);
    expect(['small', 'middle', 'large', 'new'].map(key => gathering.pause(key, 50))).toEqual([0, 150, 950, 0]);
    expect(gathering.pause('large', 1_000)).toBe(0);
    expect(gathering.pause('large', -3_600_000)).toBe(0);
  });
});
