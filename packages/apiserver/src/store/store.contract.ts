/** What every store does, in memory or on disk. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Draft } from '../kind.ts';
import { type Change, HeadMoved, RevisionExpired, type Store } from './store.ts';

export const object = (name: string, data: Record<string, unknown> = {}): Draft => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data,
});

export function storeContract(name: string, open: () => Store): void {
  describe(`a store ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    const write = (key: string, data = {}) => store.write('t', key, store.head('t', key), object(key, data));
    const remove = (key: string) => {
      const head = store.head('t', key)!;
      return store.remove('t', key, head, object(key));
    };

    it('counts every write of every table with one counter and puts it into the object', async () => {
      const first = await store.write('a', 'x', undefined, object('x'));
      const second = await store.write('b', 'x', undefined, object('x'));
      expect(second.revision).toBe(first.revision + 1);
      expect(second.object.metadata.resourceVersion).toBe(String(second.revision));
      expect(store.revision).toBe(second.revision);
    });

    it('freezes what it keeps', async () => {
      const { object: kept } = await write('x', { a: { b: 1 } });
      expect(() => Object.assign(kept['data'].a, { b: 2 })).toThrow(TypeError);
    });

    it('refuses a write that is not based on the newest version', async () => {
      const stale = await write('x');
      await write('x', { a: 1 });
      expect(() => store.write('t', 'x', stale, object('x'))).toThrow(HeadMoved);
      expect(() => store.write('t', 'x', undefined, object('x'))).toThrow(HeadMoved);
      expect(() => store.remove('t', 'x', stale, object('x'))).toThrow(HeadMoved);
    });

    it('lets one of two writes at the same moment win', async () => {
      const base = await write('x');
      const first = store.write('t', 'x', base, object('x', { by: 'first' }));
      expect(() => store.write('t', 'x', base, object('x', { by: 'second' }))).toThrow(HeadMoved);
      expect((await first).object['data']).toEqual({ by: 'first' });
    });

    it('lists in the order of keys and by prefix', async () => {
      for (const key of ['b/2', 'a/1', 'b/10', 'b-c/1', 'c/1']) await write(key);
      expect(store.list('t', '').map(entry => entry.key)).toEqual(['a/1', 'b-c/1', 'b/10', 'b/2', 'c/1']);
      expect(store.list('t', 'b/').map(entry => entry.key)).toEqual(['b/10', 'b/2']);
      await remove('b/10');
      expect(store.list('t', 'b/').map(entry => entry.key)).toEqual(['b/2']);
      expect(store.count('t')).toBe(4);
    });

    it('lists as of any revision that history reaches', async () => {
      await write('a', { v: 1 });
      await write('b', { v: 1 });
      const then = store.revision;
      await write('a', { v: 2 });
      await remove('b');
      await write('c');
      const past = store.listAt('t', '', then);
      expect(past.map(entry => [entry.key, entry.object['data']])).toEqual([
        ['a', { v: 1 }],
        ['b', { v: 1 }],
      ]);
    });

    it('replays the past to a watcher, then goes on with the present', async () => {
      const from = (await write('a')).revision;
      await write('a', { v: 2 });
      await remove('a');
      const seen: Change[] = [];
      const stop = store.watch('t', from, change => seen.push(change));
      await write('b');
      stop();
      await write('c');
      expect(seen.map(({ type, entry }) => `${type} ${entry.key} ${entry.revision - from}`)).toEqual([
        'MODIFIED a 1',
        'DELETED a 2',
        'ADDED b 3',
      ]);
    });

    it('tells changes in order, also those that a listener makes when it is told', async () => {
      const seen: string[] = [];
      store.watch('t', store.revision, ({ type, entry }) => {
        if (type === 'ADDED') void store.write('t', entry.key, entry, object(entry.key, { answer: true }));
      });
      store.watch('t', store.revision, ({ type, entry }) => seen.push(`${type} ${entry.key}`));
      await write('a');
      await vi.waitFor(() => expect(seen).toHaveLength(2));
      expect(seen).toEqual(['ADDED a', 'MODIFIED a']);
    });

    it('gives a deletion a revision of its own', async () => {
      const { revision } = await write('a');
      const gone = await remove('a');
      expect(gone.revision).toBe(revision + 1);
      expect(gone.object.metadata.resourceVersion).toBe(String(revision + 1));
    });

    it('refuses what lies before a compaction, and nothing else', async () => {
      const { revision } = await write('a');
      await write('a', { v: 2 });
      store.compact(revision + 1);
      expect(() => store.watch('t', revision, () => {})).toThrow(RevisionExpired);
      expect(() => store.listAt('t', '', revision)).toThrow(RevisionExpired);
      expect(() => store.watch('t', revision + 1, () => {})()).not.toThrow();
      expect(store.list('t', '')).toHaveLength(1);
    });

    it('forks: both go their own way', async () => {
      await write('a', { v: 1 });
      const fork = store.fork();
      await fork.write('t', 'a', fork.head('t', 'a'), object('a', { v: 'fork' }));
      await write('b');
      expect(fork.list('t', '').map(entry => entry.object['data'])).toEqual([{ v: 'fork' }]);
      expect(store.get('t', 'a')!.object['data']).toEqual({ v: 1 });
      expect(fork.revision).toBe(store.revision);
    });
  });
}
