import { describe, expect, it } from 'vitest';
import type { Draft, Stored } from './kind.ts';
import { completePod, limitClaim, limitPod } from './limit-ranger.ts';

const PODS = { group: '', plural: 'pods', kind: 'Pod' };
const CLAIMS = { group: '', plural: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim' };

const range = (...limits: object[]): Stored[] => [{ metadata: { name: 'range' }, spec: { limits } }];
const podWith = (resources: object, more: object = {}): Draft => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'main', resources }], ...more },
});
const refusal = (act: () => void): string => {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('limits of a namespace', () => {
  it('fill in what a container leaves open, and say so', () => {
    const pod = podWith({ limits: { memory: '1Gi' } });
    completePod(
      pod,
      range({ type: 'Container', default: { cpu: '1', memory: '2Gi' }, defaultRequest: { cpu: '500m' } }),
    );
    expect(pod['spec'].containers[0].resources).toEqual({
      limits: { cpu: '1', memory: '1Gi' },
      requests: { cpu: '500m' },
    });
    expect(pod.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu request for container main; cpu limit for container main',
    });
  });

  it.each([
    ['min', { requests: {} }, 'minimum cpu usage per Container is 1.  No request is specified'],
    ['min', { requests: { cpu: '900m' } }, 'minimum cpu usage per Container is 1, but request is 900m'],
    ['max', { limits: {} }, 'maximum cpu usage per Container is 1.  No limit is specified'],
    ['max', { limits: { cpu: '1500m' } }, 'maximum cpu usage per Container is 1, but limit is 1500m'],
    [
      'maxLimitRequestRatio',
      { requests: { cpu: '1' }, limits: { cpu: '3' } },
      'cpu max limit to request ratio per Container is 1, but provided ratio is 3.000000',
    ],
  ])('refuse a container beyond the %s', (bound, resources, why) => {
    const act = () => limitPod(podWith(resources), range({ type: 'Container', [bound]: { cpu: '1' } }), PODS);
    expect(refusal(act)).toBe(`pods "p" is forbidden: ${why}`);
  });

  it('count a whole Pod: its containers together, or the largest that comes before them', () => {
    const main = { limits: { cpu: '1' } };
    const init = (name: string, cpu: string, more: object = {}) => ({ name, resources: { limits: { cpu } }, ...more });
    const limits = range({ type: 'Pod', max: { cpu: '2' } });
    expect(refusal(() => limitPod(podWith(main, { initContainers: [init('first', '2')] }), limits, PODS))).toBe('');
    const beside = { initContainers: [init('beside', '1500m', { restartPolicy: 'Always' })] };
    expect(refusal(() => limitPod(podWith(main, beside), limits, PODS))).toBe(
      'pods "p" is forbidden: maximum cpu usage per Pod is 2, but limit is 2500m',
    );
  });

  it('bound the storage of a claim', () => {
    const claim: Draft = { metadata: { name: 'c' }, spec: { resources: { requests: { storage: '3Gi' } } } };
    const limits = range({ type: 'PersistentVolumeClaim', max: { storage: '2Gi' } });
    expect(refusal(() => limitClaim(claim, limits, CLAIMS))).toBe(
      'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
    );
  });
});
