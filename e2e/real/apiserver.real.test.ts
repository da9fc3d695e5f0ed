import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPeer } from '../../scripts/peers/find.ts';
import { connect } from '../differential/target.ts';
import { neededPeers, type RealApiServer, startRealApiServer } from './apiserver.ts';
import { requirePeers } from './require-peers.ts';
import { until } from './until.ts';

describe('a real API server', () => {
  let server: RealApiServer | undefined;
  let dispatcher: Agent | undefined;

  beforeAll(async () => {
    if (neededPeers({}).some(name => findPeer(name) === undefined)) return;
    server = await startRealApiServer();
    dispatcher = new Agent({ connect: { ca: Buffer.from(server.caData, 'base64') } });
  });

  afterAll(async () => {
    await dispatcher?.close();
    await server?.stop();
  });

  async function send(method: 'GET' | 'POST', path: string, body?: object) {
    const answer = await request(`${server!.url}${path}`, {
      method,
      dispatcher: dispatcher!,
      headers: { authorization: `Bearer ${server!.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: (await answer.body.json()) as Record<string, unknown> };
  }

  it('tells the version that it was built from', async context => {
    requirePeers(context, neededPeers({}));
    expect(await send('GET', '/version')).toMatchObject({
      status: 200,
      body: { major: '1', gitVersion: expect.stringMatching(/^v1\.\d+\.\d+$/) },
    });
  });

  it('lists a ConfigMap that was created', async context => {
    requirePeers(context, neededPeers({}));
    const path = '/api/v1/namespaces/default/configmaps';
    const created = await send('POST', path, { metadata: { name: 'greeting' }, data: { text: 'hello' } });
    expect(created.status).toBe(201);
    const list = await send('GET', path);
    expect(list.body['items']).toMatchObject([{ metadata: { name: 'greeting' }, data: { text: 'hello' } }]);
  });

  it('keeps its data and its address through a restart', async context => {
    requirePeers(context, neededPeers({}));
    const path = '/api/v1/namespaces/default/configmaps';
    await send('POST', path, { metadata: { name: 'survivor' } });
    await server!.restart('SIGKILL');
    expect((await send('GET', `${path}/survivor`)).status).toBe(200);
  });
});

describe('a real API server with controllers', () => {
  let server: RealApiServer | undefined;

  afterAll(() => server?.stop());

  it('makes Pods of a Deployment', async context => {
    requirePeers(context, neededPeers({ controllerManager: true }));
    server = await startRealApiServer({ controllerManager: true });
    const target = connect(server);
    const send = (method: 'GET' | 'POST', path: string, body?: object) =>
      target.send({
        method,
        path,
        query: {},
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const created = await send('POST', '/apis/apps/v1/namespaces/default/deployments', {
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'example/main' }] },
        },
      },
    });
    expect(created.status).toBe(201);
    await until('there are two Pods', async () => {
      const { body } = await send('GET', '/api/v1/namespaces/default/pods');
      return (body as { items: unknown[] }).items.length === 2;
    });
    await target.close();
  });
});
