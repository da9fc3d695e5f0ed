import { configMaps, type KubeObject, metadataOnly, resource, secrets, type Transport } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isControllerError } from '../errors.ts';
import { silentLog } from '../log/log.ts';
import { type Cluster, createCluster } from '../manager/cluster.ts';
import { createMetrics } from '../manager/metrics.ts';
import { ownerReference } from '../owner.ts';
import { createHome, type Home } from '../testing/home.fixture.ts';
import type { Cache } from './cache.ts';

let home: Home;
let cluster: Cluster;
let cache: Cache;
let stop: AbortController;
/** While true, watches deliver nothing: the cache stands still. */
let frozen: { now: boolean; wake: () => void };

beforeEach(async () => {
  home = await createHome();
  stop = new AbortController();
  frozen = { now: false, wake: () => {} };
  cluster = createCluster(
    { name: 'home', transport: freezable(home.transport()) },
    { ...home, log: silentLog, metrics: createMetrics(), userAgent: 'test', mayWrite: () => {} },
  );
  cache = cluster.cache;
});
afterEach(() => stop.abort());

function freezable(inner: Transport): Transport {
  return {
    ...inner,
    async watch(request) {
      const stream = await inner.watch(request);
      if (stream.refused !== undefined) return stream;
      async function* events() {
        for await (const event of stream.events!) {
          while (frozen.now) {
            await new Promise<void>(resolve => {
              frozen.wake = resolve;
            });
          }
          yield event;
        }
      }
      return { events: events(), lastActivity: () => stream.lastActivity() };
    },
  };
}

async function thaw(): Promise<void> {
  frozen.now = false;
  frozen.wake();
  await home.clock.advance(0);
}

async function run(): Promise<void> {
  void cache.run(stop.signal);
  await cache.whenSynced();
}

const at = (name: string, namespace = 'default') => ({ namespace, name });
const names = (objects: readonly KubeObject[]) => objects.map(object => object.metadata.name).toSorted();

describe('a cache', () => {
  it('finds objects by name, namespace, labels, owner and by declared indexes', async () => {
    await home.client.create(
      resource({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }),
      { metadata: { name: 'other' } },
    );
    const a = await home.client.create(configMaps, {
      metadata: { ...at('a'), labels: { tier: 'x' } },
      data: { color: 'red' },
    });
    await home.client.create(configMaps, {
      metadata: { ...at('b'), ownerReferences: [ownerReference(a)] },
      data: { color: 'red' },
    });
    await home.client.create(configMaps, { metadata: at('c', 'other'), data: { color: 'blue' } });
    const kind = cache.declare(configMaps, { indexes: { color: object => object.data?.['color'] } });
    await run();
    expect((await cache.get(configMaps, at('a')))?.data).toEqual({ color: 'red' });
    expect(await cache.get(configMaps, at('a', 'other'))).toBeUndefined();
    expect(names(await cache.list(configMaps))).toEqual(['a', 'b', 'c']);
    expect(names(await cache.list(configMaps, { namespace: 'default' }))).toEqual(['a', 'b']);
    expect(names(await cache.list(configMaps, { labels: { tier: 'x' } }))).toEqual(['a']);
    expect(names(await cache.list(configMaps, { owner: a.metadata.uid! }))).toEqual(['b']);
    expect(names(await cache.by(configMaps, 'color', 'red'))).toEqual(['a', 'b']);
    await home.client.patch(configMaps, at('a'), { merge: { data: { color: 'blue' } } });
    await home.client.delete(configMaps, at('c', 'other'));
    await home.clock.advance(0);
    expect(names(kind.now.by('color', 'blue'))).toEqual(['a']);
    expect(names(kind.now.by('color', 'red'))).toEqual(['b']);
    expect(() => kind.now.by('taste', 'sweet')).toThrow('the cache of ConfigMap has no index "taste"');
  });

  it('gives frozen, typed objects without managedFields', async () => {
    await home.client.create(configMaps, { metadata: at('a'), data: { x: '1' } });
    cache.declare(configMaps);
    await run();
    const found = (await cache.get(configMaps, at('a')))!;
    expect(found).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { x: '1' } });
    expect(found.metadata.managedFields).toBeUndefined();
    expect(Object.isFrozen(found) && Object.isFrozen(found.metadata) && Object.isFrozen(found.data)).toBe(true);
  });

  it('keeps only what its selectors, namespaces and transform say', async () => {
    await home.client.create(configMaps, { metadata: { ...at('a'), labels: { keep: 'yes' } }, data: { big: 'x' } });
    await home.client.create(configMaps, { metadata: at('b') });
    const transform = ({ data: _, ...rest }: KubeObject & { data?: unknown }) => rest;
    cache.declare(configMaps, { labels: 'keep=yes', namespaces: ['default', 'kube-system'], transform });
    await run();
    expect(names(await cache.list(configMaps))).toEqual(['a']);
    expect((await cache.get(configMaps, at('a')))?.data).toBeUndefined();
    await home.client.patch(configMaps, at('a'), { merge: { metadata: { labels: { keep: 'no' } } } });
    await home.clock.advance(0);
    expect(await cache.list(configMaps)).toEqual([]);
  });

  it('keeps metadata alone where that is enough, beside or instead of whole objects', async () => {
    await home.client.create(secrets, { metadata: at('s'), data: { key: 'aGlkZGVu' } });
    cache.declare(metadataOnly(secrets));
    await run();
    const [found] = await cache.list(metadataOnly(secrets));
    expect(found).toMatchObject({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } });
    expect(found).not.toHaveProperty('data');
    await expect(cache.list(secrets)).rejects.toMatchObject({ code: 'NotCached' });
  });

  it('takes further indexes from whoever declares the kind again, but no two of one name', async () => {
    const color = (object: KubeObject): string | undefined => object.metadata.labels?.['color'];
    cache.declare(configMaps, { indexes: { color } });
    await run();
    const metadata = { namespace: 'default', name: 'a', labels: { color: 'red', size: 'small' } };
    await home.client.create(configMaps, { metadata });
    await home.clock.advance(0);
    expect(await cache.by(configMaps, 'color', 'red')).toHaveLength(1);
    cache.declare(configMaps, { indexes: { size: object => object.metadata.labels?.['size'] } });
    expect(await cache.by(configMaps, 'size', 'small')).toHaveLength(1);
    expect(() => cache.declare(configMaps, { indexes: { color } })).not.toThrow();
    expect(() => cache.declare(configMaps, { indexes: { color: () => 'blue' } })).toThrow(/with other options/);
  });

  it('says so when a kind was not declared, or declared in two ways', async () => {
    await expect(cache.get(secrets, at('x'))).rejects.toThrow(
      'Secret (v1) is not cached: declare it with cache.declare(), or read it with the client',
    );
    cache.declare(configMaps, { labels: 'a=b' });
    expect(() => cache.declare(configMaps)).not.toThrow();
    expect(() => cache.declare(configMaps, { labels: 'a=b' })).not.toThrow();
    expect(() => cache.declare(configMaps, { labels: 'a=c' })).toThrow(
      'ConfigMap (v1) is cached already, with other options',
    );
  });

  it('can be told of further kinds while it runs', async () => {
    await run();
    await home.client.create(secrets, { metadata: at('s') });
    cache.declare(secrets);
    expect(names(await cache.list(secrets))).toEqual(['s']);
  });
});

describe('read-your-writes', () => {
  /** Starts a read, and tells whether it is answered while the cache stands still, and with what once it moves on. */
  async function readWhileFrozen<R>(read: () => Promise<R>): Promise<{ waited: boolean; value: R }> {
    let answered = false;
    const value = read().finally(() => {
      answered = true;
    });
    await home.clock.advance(5_000);
    const waited = !answered;
    await thaw();
    return { waited, value: await value };
  }

  beforeEach(async () => {
    cache.declare(configMaps);
    cache.declare(secrets, { labels: 'keep=yes' });
    await cluster.client.create(configMaps, { metadata: at('a'), data: { n: '0' } });
    await run();
    frozen.now = true;
  });

  it('a read waits until the cache shows what this process created, changed or deleted', async () => {
    await cluster.client.patch(configMaps, at('a'), { merge: { data: { n: '1' } } });
    const changed = await readWhileFrozen(() => cache.get(configMaps, at('a')));
    expect(changed).toMatchObject({ waited: true, value: { data: { n: '1' } } });
    frozen.now = true;
    await cluster.client.create(configMaps, { metadata: { generateName: 'b-', namespace: 'default' } });
    const created = await readWhileFrozen(() => cache.list(configMaps));
    expect(created.waited).toBe(true);
    expect(created.value).toHaveLength(2);
    frozen.now = true;
    await cluster.client.delete(configMaps, at('a'));
    const deleted = await readWhileFrozen(() => cache.get(configMaps, at('a')));
    expect(deleted).toEqual({ waited: true, value: undefined });
  });

  it('does not wait for the writes of others, of other kinds, for dry runs, for writes without effect, or when told not to', async () => {
    await home.client.create(configMaps, { metadata: at('foreign') });
    await cluster.client.create(
      resource({ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }),
      { metadata: { name: 'x' } },
    );
    await cluster.client.create(configMaps, { metadata: at('pretended') }, { dryRun: true });
    await cluster.client.patch(configMaps, at('a'), { merge: { data: { n: '0' } } });
    await cluster.client.create(configMaps, { metadata: at('a') }).catch(() => {});
    expect(await readWhileFrozen(() => cache.get(configMaps, at('a')))).toMatchObject({ waited: false });
    frozen.now = true;
    await cluster.client.patch(configMaps, at('a'), { merge: { data: { n: '2' } } });
    const stale = await readWhileFrozen(() => cache.get(configMaps, at('a'), { ownWrites: 'ignored' }));
    expect(stale).toMatchObject({ waited: false, value: { data: { n: '0' } } });
  });

  it('asks the selector whether a written object will ever be seen', async () => {
    await cluster.client.create(secrets, { metadata: at('unselected') });
    expect(await readWhileFrozen(() => cache.list(secrets))).toEqual({ waited: false, value: [] });
    frozen.now = true;
    await cluster.client.create(secrets, { metadata: { ...at('selected'), labels: { keep: 'yes' } } });
    expect((await readWhileFrozen(() => cache.list(secrets))).value).toHaveLength(1);
    frozen.now = true;
    await cluster.client.patch(secrets, at('selected'), { merge: { metadata: { labels: { keep: 'no' } } } });
    expect(await readWhileFrozen(() => cache.list(secrets))).toEqual({ waited: true, value: [] });
  });

  it('gives up after ten seconds with an error that says what is wrong, and does not lie', async () => {
    await cluster.client.patch(configMaps, at('a'), { merge: { data: { n: '1' } } });
    const read = cache.get(configMaps, at('a')).catch(error => error);
    await home.clock.advance(10_000);
    const error = await read;
    expect(isControllerError(error, 'CacheBehind')).toBe(true);
    expect(error.message).toBe("the cache of ConfigMap does not show this process's own writes after 10 s");
    await thaw();
    expect((await cache.get(configMaps, at('a')))?.data).toEqual({ n: '1' });
  });

  it('stops waiting when its signal is aborted', async () => {
    await cluster.client.patch(configMaps, at('a'), { merge: { data: { n: '1' } } });
    const enough = new AbortController();
    const read = cache.get(configMaps, at('a'), { signal: enough.signal });
    enough.abort(new Error('enough'));
    await expect(read).rejects.toThrow('enough');
  });
});
