import { describe, expect, it } from 'vitest';
import { mergePatch, threeWayMerge } from './three-way.ts';

const container = (name: string, more: object = {}) => ({ name, image: `${name}:1`, ...more });

describe('a three-way merge', () => {
  it.each([
    ['sets what is wanted', {}, { a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ['removes what was wanted before', { a: 1 }, {}, { a: 1, b: 2 }, { b: 2 }],
    ['leaves what others set', { a: 1 }, { a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }],
    ['sets back what others changed', { a: 1 }, { a: 1 }, { a: 9 }, { a: 1 }],
    ['removes by null', {}, { a: null }, { a: 1 }, {}],
    ['replaces lists without names', { l: [1] }, { l: [2] }, { l: [1, 3] }, { l: [2] }],
    [
      'merges containers by name, and keeps those that others put in',
      { containers: [container('web'), container('gone')] },
      { containers: [container('web', { image: 'web:2' })] },
      { containers: [container('web', { imagePullPolicy: 'Always' }), container('gone'), container('sidecar')] },
      { containers: [{ name: 'web', image: 'web:2', imagePullPolicy: 'Always' }, container('sidecar')] },
    ],
    [
      'tells ports of a Service from those of a container',
      { spec: { ports: [{ port: 80 }] } },
      { spec: { ports: [{ port: 81 }] } },
      { spec: { ports: [{ port: 80, nodePort: 30000 }] } },
      { spec: { ports: [{ port: 81 }] } },
    ],
    [
      'gives a volume one source',
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
    ],
    [
      'drops what belongs to another strategy',
      { strategy: { type: 'RollingUpdate' } },
      { strategy: { type: 'Recreate' } },
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'keeps finalizers of others',
      { finalizers: ['a'] },
      { finalizers: ['c'] },
      { finalizers: ['a', 'b'] },
      { finalizers: ['b', 'c'] },
    ],
  ])('%s', (_, former, wanted, live, merged) => {
    expect(threeWayMerge(former, wanted, live)).toEqual(merged);
  });
});

describe('the patch for other kinds', () => {
  it('says only what changed between the two manifests', () => {
    expect(mergePatch({ a: 1, b: { c: 1, d: 2 }, e: [1] }, { b: { c: 1, d: 3 }, e: [1, 2] })).toEqual({
      a: null,
      b: { d: 3 },
      e: [1, 2],
    });
  });
});
