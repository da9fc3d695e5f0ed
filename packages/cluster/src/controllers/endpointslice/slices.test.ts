import type { Endpoint, EndpointSlice } from '@capstan/kube';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EndpointGroup, planSlices } from './slices.ts';

const endpoint = (id: number): Endpoint => ({ addresses: [`10.0.0.${id}`], targetRef: { uid: `${id}` } });
const group = (port: number, ids: readonly number[]): EndpointGroup => ({
  ports: [{ port }],
  endpoints: ids.map(endpoint),
});
const slice = (name: string, port: number | undefined, ids: readonly number[]): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name },
  addressType: 'IPv4',
  endpoints: ids.map(endpoint),
  ports: port === undefined ? [] : [{ port }],
});

/** The slices after a plan was carried out. */
function after(existing: readonly EndpointSlice[], wanted: readonly EndpointGroup[]): EndpointSlice[] {
  const { create, update, remove } = planSlices(existing, wanted);
  const gone = new Set(remove.map(({ metadata }) => metadata.name));
  const changed = new Map(update.map(each => [each.metadata.name, each]));
  const kept = existing.filter(({ metadata }) => !gone.has(metadata.name));
  return [
    ...kept.map(each => changed.get(each.metadata.name) ?? each),
    ...create.map(({ ports, endpoints }, index) => ({ ...slice(`new-${index}`, 1, []), ports, endpoints })),
  ];
}

const pairs = (slices: readonly { ports?: EndpointSlice['ports']; endpoints: readonly Endpoint[] }[]): string[] =>
  slices
    .flatMap(({ ports, endpoints }) => endpoints.map(({ targetRef }) => `${ports?.[0]?.port}/${targetRef?.uid}`))
    .sort();

describe('the plan for slices', () => {
  it('changes nothing that is right', () => {
    expect(planSlices([slice('a', 80, [1, 2])], [group(80, [2, 1])])).toEqual({ create: [], update: [], remove: [] });
    expect(planSlices([slice('a', undefined, [])], [])).toEqual({ create: [], update: [], remove: [] });
  });

  it('removes an endpoint that two slices have from one of them', () => {
    expect(pairs(after([slice('a', 80, [1]), slice('b', 80, [1, 2])], [group(80, [1, 2])]))).toEqual(['80/1', '80/2']);
  });

  it('reads lists that the server gives as null', () => {
    const empty = { ...slice('a', undefined, []), endpoints: null, ports: null } as unknown as EndpointSlice;
    expect(planSlices([empty], [])).toEqual({ create: [], update: [], remove: [] });
    expect(pairs(after([empty], [group(80, [1])]))).toEqual(['80/1']);
  });

  it('empties the last slice rather than replacing it', () => {
    const { update, remove, create } = planSlices([slice('a', 80, [1])], []);
    expect([update.map(({ metadata, endpoints }) => [metadata.name, endpoints]), remove, create]).toEqual([
      [['a', []]],
      [],
      [],
    ]);
  });

  it('always ends with each endpoint once, at its ports, at most a hundred in a slice, and then rests', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 250 });
    const anySlice = fc.tuple(
      fc.constantFrom(80, 81, undefined),
      ids.map(list => list.slice(0, 100)),
    );
    fc.assert(
      fc.property(fc.array(anySlice, { maxLength: 5 }), ids, ids, (existing, first, second) => {
        const slices = existing.map(([port, list], index) => slice(`s${index}`, port, list));
        const wanted = [group(80, first), group(81, second)].filter(({ endpoints }) => endpoints.length > 0);
        const end = after(slices, wanted);
        expect(pairs(end)).toEqual(pairs(wanted));
        expect(end.length).toBeGreaterThan(0);
        expect(end.every(({ endpoints }) => endpoints.length <= 100)).toBe(true);
        expect(planSlices(end, wanted)).toEqual({ create: [], update: [], remove: [] });
      }),
      { numRuns: 200 },
    );
  });
});
