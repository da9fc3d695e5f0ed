import { configMaps, isNotFound, leases, TransportError } from '@capstan/kube';
import { beforeEach, describe, expect, it } from 'vitest';
import { done } from '../controller/result.ts';
import { isControllerError } from '../errors.ts';
import type { LeaderElectionOptions } from '../leader/leader.ts';
import { createHome, type Home } from '../testing/home.fixture.ts';
import type { Manager } from './manager.ts';

let home: Home;
beforeEach(async () => {
  home = await createHome();
});

const at = (name: string) => ({ namespace: 'default', name });
const election = (identity: string): LeaderElectionOptions => ({ name: 'capstan', namespace: 'default', identity });
const leaseNow = () => home.client.get(leases, at('capstan'));

/** A manager whose controller notes what it is asked, and does what the test says. */
function candidate(identity: string, work: (manager: Manager, name: string) => Promise<void> = async () => {}) {
  const hung: Error[] = [];
  const manager = home.manager({ leaderElection: election(identity), onHang: error => hung.push(error) });
  const asked: string[] = [];
  manager.controller({
    name: 'test/work',
    for: configMaps,
    async reconcile({ name }) {
      asked.push(name);
      await work(manager, name);
      return done();
    },
  });
  return { manager, asked, hung };
}

/** No answer, until the caller gives up. */
function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

async function stop(...managers: Manager[]): Promise<void> {
  const stopped = Promise.all(managers.map(manager => manager.stop()));
  await home.clock.advance(120_000);
  await stopped;
}

describe('leader election', () => {
  it('lets one of two work, and the other as soon as the first stops', async () => {
    const [a, b] = [candidate('a'), candidate('b')];
    await a.manager.start();
    await home.clock.advance(0);
    await b.manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await home.clock.advance(30_000);
    expect([a.asked, b.asked]).toEqual([['x'], []]);
    const { spec } = await leaseNow();
    expect(spec).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 });
    expect(spec!.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    await a.manager.stop();
    expect((await leaseNow()).spec!.holderIdentity).toBe('');
    await home.clock.advance(3_000);
    expect(b.asked).toEqual(['x']);
    expect((await leaseNow()).spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    await stop(b.manager);
  });

  it('hands over within the Lease when the leader is killed', async () => {
    const dead = { cut: false };
    const [a, b] = [candidate('a'), candidate('b')];
    // A killed process renews nothing: its requests never arrive.
    const transport = home.transport();
    const killed = home.manager({
      leaderElection: election('killed'),
      transport: { ...transport, request: request => (dead.cut ? never(request.signal) : transport.request(request)) },
    });
    await killed.start();
    await home.clock.advance(0);
    expect(killed.leading).toBe(true);
    await a.manager.start();
    await b.manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await home.clock.advance(10_000);
    dead.cut = true;
    await home.clock.advance(18_000);
    expect([...a.asked, ...b.asked]).toEqual(['x']);
    expect(killed.leading).toBe(false);
    expect([a.manager.leading, b.manager.leading].filter(Boolean)).toHaveLength(1);
    await stop(a.manager, b.manager, killed);
  });

  it('does not let a leader write that was paused and wakes up late', async () => {
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    const refused: unknown[] = [];
    const a = candidate('a', async manager => {
      await woken;
      await manager.client.create(configMaps, { metadata: at('late') }).catch(error => refused.push(error));
    });
    await a.manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await home.clock.advance(0);
    expect(a.asked).toEqual(['x']);
    // The process stands still for a minute: no timer fires. Then the reconcile goes on before anything else does.
    home.clock.pause(60_000);
    wake();
    await Promise.resolve();
    await home.clock.advance(0);
    expect(refused).toMatchObject([{ code: 'NotLeading' }]);
    await expect(home.client.get(configMaps, at('late'))).rejects.toSatisfy(isNotFound);
    await stop(a.manager);
  });

  it('stops all work when it loses the Lease, and works again when it wins it back', async () => {
    const a = candidate('a');
    await a.manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await home.clock.advance(0);
    const lease = await leaseNow();
    await home.client.update(leases, { ...lease, spec: { ...lease.spec, holderIdentity: 'thief' } });
    await home.clock.advance(5_000);
    expect(a.manager.leading).toBe(false);
    await home.client.create(configMaps, { metadata: at('y') });
    await home.clock.advance(5_000);
    expect(a.asked).toEqual(['x']);
    await home.clock.advance(20_000);
    expect(a.manager.leading).toBe(true);
    expect(a.asked.toSorted()).toEqual(['x', 'x', 'y']);
    await stop(a.manager);
  });

  it('keeps the Lease while work drains, and releases it only after', async () => {
    const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
    const a = candidate('a', () => finished);
    await a.manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await home.clock.advance(0);
    const stopped = a.manager.stop();
    await home.clock.advance(20_000);
    expect((await leaseNow()).spec!.holderIdentity).toBe('a');
    expect(a.manager.leading).toBe(true);
    finish();
    await stopped;
    expect((await leaseNow()).spec!.holderIdentity).toBe('');
    expect(a.hung).toEqual([]);
  });

  it('calls for a hard end, and does not release the Lease, when work does not stop', async () => {
    const a = candidate('a', () => new Promise(() => {}));
    await a.manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await home.clock.advance(0);
    const stopped = a.manager.stop();
    await home.clock.advance(60_000);
    await stopped;
    expect(a.hung).toHaveLength(1);
    expect(isControllerError(a.hung[0], 'NotStopping')).toBe(true);
    expect(a.hung[0]!.message).toContain('test/work (home/default/x)');
    expect((await leaseNow()).spec!.holderIdentity).toBe('a');
  });
});

describe('a manager', () => {
  it('is ready when its caches are filled, alive while they are watched, and says what is missing', async () => {
    const transport = home.transport();
    let down = true;
    const refused = { refused: { status: 503, headers: {}, body: 'down' } } as const;
    const manager = home.manager({
      transport: {
        ...transport,
        request: async request => (down ? refused.refused : transport.request(request)),
        watch: async request => (down ? refused : transport.watch(request)),
      },
    });
    manager.controller({ name: 'test/a', for: configMaps, reconcile: () => done() });
    const started = manager.start();
    await home.clock.advance(1_000);
    expect(manager.health.ready()).toEqual({
      healthy: false,
      text: '[-] caches: no first list yet: configmaps of home\nnot ok\n',
    });
    down = false;
    await home.clock.until(() => manager.health.ready().healthy);
    await started;
    expect(manager.health.live().healthy).toBe(true);
    down = true;
    await home.clock.advance(1_000_000);
    expect(manager.health.live().text).toContain('not watched: configmaps of home for');
    await stop(manager);
  });

  it('serves health and metrics on loopback', async () => {
    const manager = home.manager({ health: { port: 0 }, metrics: { port: 0 } });
    manager.controller({ name: 'test/a', for: configMaps, reconcile: () => done() });
    await home.client.create(configMaps, { metadata: at('x') });
    await manager.start();
    await home.clock.advance(0);
    const { health, metrics } = manager.served;
    expect(health!.host).toBe('127.0.0.1');
    expect((await fetch(`http://127.0.0.1:${health!.port}/readyz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${health!.port}/healthz`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${health!.port}/metrics`)).status).toBe(404);
    const text = await (await fetch(`http://127.0.0.1:${metrics!.port}/metrics`)).text();
    expect(text).toContain('capstan_reconciles_total{controller="test/a",result="done"} 1');
    await stop(manager);
  });

  it('works on several clusters, each with keys and caches of its own', async () => {
    const other = await createHome(2);
    const manager = home.manager();
    const edge = manager.cluster({ name: 'edge', transport: other.transport() });
    const asked: string[] = [];
    manager.controller({
      name: 'test/both',
      for: configMaps,
      in: [manager.home, edge],
      async reconcile({ cluster, namespace, name }, { cache }) {
        const found = await cache.get(configMaps, { namespace, name });
        asked.push(`${cluster}/${name}=${found?.data?.['at']}`);
        return done();
      },
    });
    await manager.start();
    await home.client.create(configMaps, { metadata: at('x'), data: { at: 'home' } });
    await other.client.create(configMaps, { metadata: at('x'), data: { at: 'edge' } });
    await home.clock.advance(0);
    expect(asked.toSorted()).toEqual(['edge/x=edge', 'home/x=home']);
    await stop(manager);
  });

  it('works on the home cluster while a further one is out of reach, and on that one when it is back', async () => {
    const other = await createHome(2);
    let down = true;
    const transport = other.transport();
    const unreachable = () => Promise.reject(new TransportError('ECONNREFUSED', 'no route'));
    const manager = home.manager();
    const edge = manager.cluster({
      name: 'edge',
      transport: {
        ...transport,
        request: request => (down ? unreachable() : transport.request(request)),
        watch: request => (down ? unreachable() : transport.watch(request)),
      },
    });
    const asked: string[] = [];
    manager.controller({
      name: 'test/both',
      for: configMaps,
      in: [manager.home, edge],
      reconcile({ cluster, name }) {
        asked.push(`${cluster}/${name}`);
        return done();
      },
    });
    await manager.start();
    await home.client.create(configMaps, { metadata: at('x') });
    await other.client.create(configMaps, { metadata: at('y') });
    await home.clock.advance(10_000);
    expect(asked).toEqual(['home/x']);
    expect(manager.health.ready().healthy).toBe(true);
    down = false;
    await home.clock.until(() => asked.includes('edge/y'));
    await manager.removeCluster('edge');
    await other.client.create(configMaps, { metadata: at('z') });
    await home.clock.advance(10_000);
    expect(asked).toEqual(['home/x', 'edge/y']);
    await stop(manager);
    expect(home.clock.waiting).toBe(0);
  });

  it('starts a task again that ends or fails, and tells it to stop', async () => {
    const manager = home.manager();
    const runs: string[] = [];
    manager.task({
      name: 'bridge',
      async run(signal) {
        runs.push('run');
        if (runs.length === 1) throw new Error('broken');
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        runs.push('stopped');
      },
    });
    await manager.start();
    await home.clock.advance(5_000);
    await stop(manager);
    expect(runs).toEqual(['run', 'run', 'stopped']);
  });

  it('refuses two controllers of one name, and changes after the start', async () => {
    const manager = home.manager();
    const add = () => manager.controller({ name: 'test/a', for: configMaps, reconcile: () => done() });
    add();
    expect(add).toThrow('there are two controllers named test/a');
    await manager.start();
    expect(add).toThrow('the controller test/a comes too late: the manager is started');
    await stop(manager);
    await expect(manager.client.create(configMaps, { metadata: at('x') })).rejects.toThrow('it was stopped');
  });

  it('leaves no timer behind', async () => {
    const manager = home.manager({ leaderElection: election('a') });
    manager.controller({ name: 'test/a', for: configMaps, resync: '1m', reconcile: () => done() });
    await manager.start();
    await home.clock.advance(100_000);
    await stop(manager);
    expect(home.clock.waiting).toBe(0);
  });
});
