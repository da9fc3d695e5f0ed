import { type ConfigMap, configMaps, isNotFound, pods, type Secret, secrets, sleep } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { Manager } from '../manager/manager.ts';
import { ownerReference } from '../owner.ts';
import { createHome, type Home } from '../testing/home.fixture.ts';
import type { ControllerOptions } from './controller.ts';
import { type ReconcileContext, reconcileChannel } from './reconcile.ts';
import { keyOf, type Request } from './request.ts';
import { done, fail, type Result, requeueAfter } from './result.ts';
import { specChanged } from './source.ts';

let home: Home;
let manager: Manager;
beforeEach(async () => {
  home = await createHome();
  manager = home.manager();
});
afterEach(async () => {
  const stopped = manager.stop();
  await home.clock.advance(60_000);
  await stopped;
});

const at = (name: string) => ({ namespace: 'default', name });
const create = (name: string, data: Record<string, string> = {}, metadata: object = {}) =>
  home.client.create(configMaps, { metadata: { ...at(name), ...metadata }, data });
const set = (name: string, data: Record<string, string>) =>
  home.client.patch(configMaps, at(name), { merge: { data } });

/** A controller of ConfigMaps that notes what it is asked, and does what the test says. */
function observed(
  reconcile: (request: Request, context: ReconcileContext) => Promise<Result> | Result,
  more: object = {},
): string[] {
  const asked: string[] = [];
  manager.controller({
    name: 'test/copy',
    for: configMaps,
    ...more,
    reconcile(request, context) {
      asked.push(request.name);
      return reconcile(request, context);
    },
  });
  return asked;
}

describe('a controller', () => {
  it('looks at everything that is there, and then at whatever changes', async () => {
    await create('a');
    const asked = observed(() => done());
    await manager.start();
    await home.clock.advance(0);
    expect(asked).toEqual(['a']);
    await create('b');
    await set('a', { x: '1' });
    await home.client.delete(configMaps, at('b'));
    await home.clock.advance(0);
    expect(asked.toSorted()).toEqual(['a', 'a', 'b', 'b']);
  });

  it('begins with what changed last, after a start with many objects', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create(name);
    await set('b', { fresh: 'yes' });
    const asked = observed(() => done(), { workers: 1 });
    await manager.start();
    await home.clock.advance(0);
    expect(asked).toEqual(['b', 'd', 'c', 'a']);
  });

  it('reads its own writes from the cache, and is not woken by them', async () => {
    const seen: (string | undefined)[] = [];
    const asked = observed(async ({ name }, { client, cache }) => {
      const found = await cache.get(configMaps, at(name));
      if (found === undefined || found.data?.['count'] === '1') return done();
      await client.apply(configMaps, { metadata: at(name), data: { count: '1' } }, { owner: 'test', force: true });
      seen.push((await cache.get(configMaps, at(name)))?.data?.['count']);
      return done();
    });
    await manager.start();
    await create('a');
    await home.clock.advance(1_000);
    expect(seen).toEqual(['1']);
    expect(asked).toEqual(['a']);
  });

  it('is woken by its own write if something else changed with it', async () => {
    const asked = observed(async ({ name }, { client, cache }) => {
      const found = await cache.get(configMaps, at(name));
      if (found?.data?.['done'] === 'yes') return done();
      // Someone else writes between our read and our write.
      await set(name, { other: 'x' });
      await client.apply(configMaps, { metadata: at(name), data: { done: 'yes' } }, { owner: 'test', force: true });
      return done();
    });
    await manager.start();
    await create('a');
    await home.clock.advance(1_000);
    expect(asked).toEqual(['a', 'a']);
  });

  it('is woken by what it did to one object while looking at another', async () => {
    const asked = observed(async ({ name }, { client, cache }) => {
      const other = await cache.get(configMaps, at('b'));
      if (name === 'a' && other?.data?.['from'] !== 'a') {
        await client.apply(configMaps, { metadata: at('b'), data: { from: 'a' } }, { owner: 'test', force: true });
      }
      return done();
    });
    await manager.start();
    await create('a');
    await home.clock.advance(1_000);
    expect(asked).toEqual(['a', 'b']);
  });

  it('wakes the owner when something that it owns changes, and whom a watch maps to', async () => {
    const owner = await create('owner');
    const asked = observed(() => done(), {
      owns: [secrets],
      watches: [
        { kind: configMaps, map: (object: ConfigMap) => (object.data?.['wakes'] ? [at(object.data['wakes'])] : []) },
      ],
    });
    await manager.start();
    await home.clock.advance(0);
    asked.length = 0;
    await home.client.create(secrets, { metadata: { ...at('child'), ownerReferences: [ownerReference(owner)] } });
    await home.clock.advance(0);
    expect(asked).toEqual(['owner']);
    await create('signal', { wakes: 'sleeper' });
    await home.clock.advance(0);
    expect(asked.toSorted()).toEqual(['owner', 'signal', 'sleeper']);
  });

  it('knows the types of all kinds that it names', () => {
    manager.controller({
      name: 'test/types',
      for: { kind: configMaps, when: ({ object }) => object.data?.['on'] === 'yes' },
      owns: [secrets, { kind: configMaps, when: specChanged }],
      watches: [
        { kind: secrets, map: secret => [at(secret.type ?? 'none')] },
        {
          kind: pods,
          map: pod => [at(pod.spec?.nodeName ?? 'none')],
          when: ({ object }) => object.status?.phase === 'Running',
        },
      ],
      reconcile: () => done(),
    });
    type Mapped = Parameters<NonNullable<ControllerOptions<ConfigMap, [Secret]>['watches']>[0]['map']>[0];
    expectTypeOf<Mapped>().toEqualTypeOf<Secret>();
  });

  it('is not woken where its predicate says no', async () => {
    const asked = observed(() => done(), { for: { kind: configMaps, when: specChanged } });
    await create('a');
    await manager.start();
    await home.clock.advance(0);
    await set('a', { x: '1' });
    await home.clock.advance(0);
    expect(asked).toEqual(['a']);
    await home.client.patch(configMaps, at('a'), { merge: { metadata: { labels: { x: 'y' } } } });
    await home.clock.advance(0);
    expect(asked).toEqual(['a', 'a']);
  });

  it('comes back when it asks to, and after failures, later each time', async () => {
    const times: number[] = [];
    let turn = 0;
    observed((_, { now }) => {
      times.push(now);
      turn++;
      return turn === 1 ? requeueAfter('10s') : turn < 5 ? fail('not yet') : done();
    });
    await manager.start();
    await create('a');
    await home.clock.advance(60_000);
    expect(times).toHaveLength(5);
    const waits = times.slice(1).map((time, n) => time - times[n]!);
    expect(waits[0]).toBe(10_000);
    expect(waits[1]).toBeLessThan(waits[2]!);
    expect(waits[2]).toBeLessThan(waits[3]!);
    expect(home.lines.filter(line => line.reason === 'not yet')).toHaveLength(3);
  });

  it('looks at everything again after the resync period', async () => {
    await create('a');
    await create('b');
    const asked = observed(() => done(), { resync: '30m' });
    await manager.start();
    await home.clock.advance(0);
    asked.length = 0;
    await home.clock.advance(33 * 60_000);
    expect(asked.toSorted()).toEqual(['a', 'b']);
  });
});

describe('a reconcile that misbehaves gives one clear error, and the rest goes on:', () => {
  const failures: [string, (context: ReconcileContext) => unknown, string][] = [
    ['one that throws', () => Promise.reject(new Error('boom')), 'boom'],
    [
      'one that throws at once',
      () => {
        throw new Error('bang');
      },
      'bang',
    ],
    ['one that throws nothing', () => Promise.reject(undefined), 'a value of the type undefined was thrown'],
    ['one that returns nothing', () => undefined, 'test/copy: the reconcile of home/default/bad returned nothing'],
    [
      'one that returns nonsense',
      () => ({ requeue: true }),
      'returned {"requeue":true}; return done(), requeueAfter(…) or fail(reason)',
    ],
    [
      'one that hangs and obeys its signal',
      ({ signal }) => sleep(home.clock, 1e9, signal),
      'the reconcile of home/default/bad took longer than its deadline of 60 s',
    ],
    [
      'one that hangs for ever',
      () => new Promise(() => {}),
      'the reconcile of home/default/bad took longer than its deadline of 60 s',
    ],
  ];
  it.each(failures)('%s', async (_, misbehave, message) => {
    let first = true;
    const asked = observed(
      ({ name }, context) => {
        if (name !== 'bad' || !first) return done();
        first = false;
        return misbehave(context) as Result;
      },
      { workers: 1 },
    );
    await manager.start();
    await create('bad');
    await create('good');
    await home.clock.advance(120_000);
    const errors = home.lines.filter(line => line.level === 'error' && line['error'] instanceof Error);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ controller: 'test/copy', key: 'home/default/bad' });
    expect((errors[0]!['error'] as Error).message).toContain(message);
    expect(asked.filter(name => name === 'bad')).toHaveLength(2);
    expect(asked).toContain('good');
  });

  it('a map function that throws', async () => {
    const map = (): never => {
      throw new Error('cannot map');
    };
    const asked = observed(() => done(), { watches: [{ kind: secrets, map }] });
    await manager.start();
    await home.client.create(secrets, { metadata: at('s') });
    await create('a');
    await home.clock.advance(0);
    expect(asked).toEqual(['a']);
    expect(home.lines.filter(line => line.level === 'error')).toHaveLength(1);
  });

  it('what is left behind after its deadline may not write any more', async () => {
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const refused: unknown[] = [];
    const asked = observed(async ({ name }, { client }) => {
      if (asked.length > 1) return done();
      await woken;
      await client.create(configMaps, { metadata: at(`${name}-late`) }).catch(error => refused.push(error));
      return done();
    });
    await manager.start();
    await create('a');
    await home.clock.advance(66_000);
    expect(asked).toEqual(['a', 'a']);
    wake();
    await home.clock.advance(0);
    expect(refused).toMatchObject([{ code: 'ReconcileOver' }]);
    await expect(home.client.get(configMaps, at('a-late'))).rejects.toSatisfy(isNotFound);
  });
});

it('every reconcile is a span, for a tracing library to pick up', async () => {
  const spans: string[] = [];
  const note = (what: string) => (message: unknown) => {
    const { controller, key, id } = message as { controller: string; key: string; id: string };
    spans.push(`${what} ${controller} ${key} ${id === '' ? 'no id' : 'id'}`);
  };
  const handlers = { start: note('start'), asyncEnd: note('end'), end() {}, asyncStart() {}, error: note('error') };
  reconcileChannel.subscribe(handlers);
  observed(() => Promise.reject(new Error('no')), { backoff: { base: 1e6, factor: 1, max: 1e6, jitter: 0 } });
  await manager.start();
  await create('a');
  await home.clock.advance(0);
  reconcileChannel.unsubscribe(handlers);
  const span = 'test/copy home/default/a id';
  expect(spans).toEqual([`start ${span}`, `error ${span}`, `end ${span}`]);
});

it('a key names cluster, namespace and object', () => {
  expect(keyOf({ cluster: 'home', namespace: 'default', name: 'a' })).toBe('home/default/a');
});
