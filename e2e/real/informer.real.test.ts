import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { afterEach, describe, expect, it, type TestContext } from 'vitest';
import { buildGoProgram } from '../../scripts/peers/program.ts';
import { connect, type Target } from '../differential/target.ts';
import { startEmbedded } from '../embedded/server.ts';
import { neededPeers, startRealApiServer } from './apiserver.ts';
import { type Informer, type ObjectSummary, startInformer, summarise } from './informer.ts';
import { requirePeers } from './require-peers.ts';
import { until } from './until.ts';

const source = fileURLToPath(new URL('../../bench/peers/informer', import.meta.url));
const configmaps = '/api/v1/namespaces/default/configmaps';

/** What the test needs of a server, real or embedded. */
interface Server {
  readonly url: string;
  readonly caData: string;
  readonly token: string;
  readonly kubeconfig: string;
  restart(): Promise<void>;
  compact(): void | Promise<void>;
  stop(): Promise<void>;
}

const servers: Record<string, (context: TestContext) => Promise<Server>> = {
  'the embedded API server': () => startEmbedded(),
  'a real API server': async context => {
    requirePeers(context, neededPeers({}));
    const server = await startRealApiServer();
    // A SIGTERM would wait for the informer's watch to end, for a minute.
    return { ...server, restart: () => server.restart('SIGKILL'), compact: () => compactEtcd(server.etcdUrl) };
  },
};

async function compactEtcd(url: string): Promise<void> {
  const post = async (path: string, body: object) =>
    (await (await request(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })).body.json()) as {
      header: { revision: string };
    };
  const { header } = await post('/v3/maintenance/status', {});
  await post('/v3/kv/compaction', { revision: header.revision, physical: true });
}

describe.each(Object.keys(servers))('client-go’s informer on %s', name => {
  const running: { stop(): Promise<unknown> }[] = [];

  afterEach(async () => {
    for (const one of running.splice(0).reverse()) await one.stop();
  });

  async function start(context: TestContext): Promise<{ server: Server; informer: Informer }> {
    const server = await servers[name]!(context);
    running.push(server);
    const program = await buildGoProgram(source);
    if (program === undefined) context.skip('client-go’s informer: install Go 1.24 or later');
    const informer = await startInformer(program, {
      kubeconfig: server.kubeconfig,
      resource: 'configmaps.v1.',
      namespace: 'default',
    });
    running.push(informer);
    return { server, informer };
  }

  /** One connection for each use: those of before do not survive a restart. */
  async function withTarget<T>(server: Server, use: (target: Target) => Promise<T>): Promise<T> {
    const target = connect(server);
    try {
      return await use(target);
    } finally {
      await target.close();
    }
  }

  async function send(target: Target, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<void> {
    const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
    const answer = await target.send({ method, path, query: {}, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  }

  /** Creates, changes and removes: afterwards half of the new objects are left, each changed once. */
  const churn = (server: Server, prefix: string, count: number): Promise<void> =>
    withTarget(server, async target => {
      for (let index = 0; index < count; index++) {
        await send(target, 'POST', configmaps, { metadata: { name: `${prefix}-${index}` }, data: { a: '<1> & "ü"' } });
        await send(target, 'PATCH', `${configmaps}/${prefix}-${index}`, { data: { b: `${index}` } });
        if (index % 2 === 1) await send(target, 'DELETE', `${configmaps}/${prefix}-${index}`);
      }
    });

  const list = (server: Server): Promise<ObjectSummary[]> =>
    withTarget(server, async target => {
      const { body } = await target.send({ method: 'GET', path: configmaps, query: {}, headers: {} });
      return (body as { items: Record<string, unknown>[] }).items.map(summarise);
    });

  async function untilInStep(server: Server, informer: Informer): Promise<void> {
    const wanted = JSON.stringify(await list(server));
    await until(
      'the informer holds what a list gives',
      async () => JSON.stringify((await informer.state()).objects) === wanted,
    );
  }

  it('fills its store by a watch and stays in step', async context => {
    const { server, informer } = await start(context);
    expect(informer.watchList).toBe(true);
    await churn(server, 'first', 20);
    await untilInStep(server, informer);
    expect((await informer.state()).objects).not.toEqual([]);
    expect(await informer.events()).toMatchObject({ deleted: 10, errors: 0 });
  });

  it('stays in step through restarts of the server', async context => {
    const { server, informer } = await start(context);
    for (const round of ['first', 'second', 'third']) {
      await churn(server, round, 5);
      await server.restart();
      await churn(server, `${round}-after`, 5);
      await untilInStep(server, informer);
    }
    // Nothing is delivered as new twice; what came and went while the server was away may be missed.
    const { added, deleted } = await informer.events();
    expect(added).toBeLessThanOrEqual(30);
    expect(added - deleted).toBe((await informer.state()).objects.length);
  });

  it('lists anew when what it missed is compacted away', async context => {
    const { server, informer } = await start(context);
    await churn(server, 'before', 6);
    await untilInStep(server, informer);
    informer.pause();
    await churn(server, 'missed', 6);
    await withTarget(server, target => send(target, 'DELETE', `${configmaps}/before-0`));
    await server.compact();
    await server.restart();
    informer.resume();
    await untilInStep(server, informer);
    await churn(server, 'later', 4);
    await untilInStep(server, informer);
  });
});
