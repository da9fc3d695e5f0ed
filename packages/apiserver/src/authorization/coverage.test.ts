import { describe, expect, it } from 'vitest';
import { describeRules, uncovered } from './coverage.ts';

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

describe('rules cover others', () => {
  it('part by part, by different rules', () => {
    const held = [
      { ...pods, verbs: ['get'] },
      { ...pods, verbs: ['list'] },
    ];
    expect(uncovered(held, [pods])).toEqual([]);
  });

  it('by stars', () => {
    expect(uncovered([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], [pods])).toEqual([]);
    expect(uncovered([pods], [{ ...pods, verbs: ['*'] }])).toEqual([{ ...pods, verbs: ['*'] }]);
  });

  it('with a star for the resource of a subresource', () => {
    const scale = { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['get'] };
    expect(uncovered([{ ...scale, resources: ['*/scale'] }], [scale])).toEqual([]);
    expect(uncovered([{ ...scale, resources: ['deployments'] }], [scale])).toEqual([scale]);
  });

  it('with names only where the others are about no other names', () => {
    const named = { ...pods, verbs: ['get'], resourceNames: ['a'] };
    expect(uncovered([pods], [named])).toEqual([]);
    expect(uncovered([named], [{ ...named, resourceNames: ['a', 'b'] }])).toEqual([{ ...named, resourceNames: ['b'] }]);
    expect(uncovered([named], [{ ...pods, verbs: ['get'] }])).toEqual([{ ...pods, verbs: ['get'] }]);
  });

  it('for paths, by a star at the end', () => {
    const health = { nonResourceURLs: ['/healthz/etcd'], verbs: ['get'] };
    expect(uncovered([{ nonResourceURLs: ['/healthz/*'], verbs: ['get'] }], [health])).toEqual([]);
    expect(uncovered([{ nonResourceURLs: ['/livez/*'], verbs: ['get'] }], [health])).toEqual([health]);
    expect(uncovered([{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], [health])).toEqual([health]);
  });
});

describe('rules in a message', () => {
  it('are one line for a resource, in order', () => {
    const missing = uncovered([], [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'] }, pods]);
    expect(describeRules(missing)).toBe(
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}',
    );
  });
});
