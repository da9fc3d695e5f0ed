import type { KubeObject } from '@capstan/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrived } from '../reflector/arrival.ts';
import { type Held, hold } from './held.ts';
import { byOwner, type HeldChange, type IndexFunction, Store } from './store.ts';

interface Thing extends KubeObject {
  readonly color: string;
}

const thing = (name: string, version: number, color = 'red', uid = name): Thing => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: {
    name,
    uid,
    resourceVersion: String(version),
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'o', uid: color }],
  },
  color,
});
const held = (...args: Parameters<typeof thing>): Held<Thing> => hold(arrived(thing(...args)), object => object);
const told = (changes: readonly HeldChange<Thing>[]) =>
  changes.map(({ type, now: { object } }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`);
const indexes = new Map<string, IndexFunction<Thing>>([
  ['color', object => object.color],
  ['owner', byOwner],
]);

describe('a store', () => {
  it('tells what a new list changed, and nothing else', () => {
    const store = new Store<Thing>();
    store.replace([held('same', 1), held('changed', 1), held('gone', 1), held('recreated', 1, 'red', 'first')]);
    const same = store.get('/same');
    const changes = store.replace([
      held('same', 1),
      held('changed', 2),
      held('new', 2),
      held('recreated', 2, 'red', 'second'),
    ]);
    expect(told(changes)).toEqual([
      'updated changed@2',
      'added new@2',
      'deleted recreated@1',
      'added recreated@2',
      'deleted gone@1',
    ]);
    expect(store.get('/same')).toBe(same);
  });

  it('tells of an object made anew under the same name as of two objects', () => {
    const store = new Store<Thing>();
    store.put(held('a', 1, 'red', 'first'));
    expect(told(store.put(held('a', 5, 'red', 'second')))).toEqual(['deleted a@1', 'added a@5']);
    expect(told(store.remove(held('a', 6, 'red', 'second')))).toEqual(['deleted a@6']);
    expect(store.remove(held('a', 6))).toEqual([]);
  });

  it('hands out frozen objects, to readers and to index functions', () => {
    let frozen = false;
    const look: IndexFunction<Thing> = object => {
      frozen = Object.isFrozen(object.metadata);
      return 'x';
    };
    const store = new Store<Thing>(new Map([['look', look]]));
    store.put(held('a', 1));
    expect(Object.isFrozen(store.by('look', 'x')![0]!.object)).toBe(true);
    expect(frozen).toBe(true);
  });

  it('finds by an index exactly what a scan would find, whatever was done before', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const color = fc.constantFrom('red', 'blue');
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), name, color }),
      fc.record({ do: fc.constant('remove' as const), name }),
      fc.record({ do: fc.constant('replace' as const), things: fc.array(fc.tuple(name, color), { maxLength: 4 }) }),
      fc.record({ do: fc.constant('look' as const), color }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const store = new Store<Thing>(indexes);
        let version = 0;
        for (const action of steps) {
          version++;
          if (action.do === 'put') store.put(held(action.name, version, action.color));
          else if (action.do === 'remove') store.remove(held(action.name, version));
          else if (action.do === 'replace')
            store.replace(action.things.map(([each, tint]) => held(each, version, tint)));
          else {
            const scanned = [...store.held()].filter(({ object }) => object.color === action.color);
            expect(new Set(store.by('color', action.color))).toEqual(new Set(scanned));
            expect(new Set(store.by('owner', action.color))).toEqual(new Set(scanned));
          }
        }
      }),
    );
  });
});
