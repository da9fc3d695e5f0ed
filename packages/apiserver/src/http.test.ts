import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listener, listen } from './http.ts';
import { ADMIN, type ApiServer, createApiServer } from './server.ts';

let server: ApiServer;
let listener: Listener;
beforeEach(async () => {
  server = await createApiServer();
  listener = await listen(server, { authenticate: () => ADMIN });
  await server.transport().request({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: { metadata: { name: 'kept' } },
  });
});
afterEach(async () => {
  await listener.close();
  await server.close();
});

/** The request line goes out as it is: every library would tidy the path up first. */
function raw(method: string, target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1', () => {
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    });
    let answer = '';
    socket.on('data', data => {
      answer += data;
    });
    socket.on('end', () => resolve(Number(answer.split(' ')[1])));
    socket.on('error', reject);
  });
}

describe('a path', () => {
  it.each([
    '/api/v1/namespaces/default/configmaps/%2e',
    '/api/v1/namespaces/default/configmaps/.',
    '/api/v1/namespaces/default/configmaps/%2e%2E',
    '/api/v1/namespaces/default/configmaps/..',
    '/api/v1/namespaces/default/configmaps/%2e%2e/configmaps',
  ])('is never shortened: a DELETE of %s removes nothing', async target => {
    expect(await raw('DELETE', target)).toBeGreaterThanOrEqual(400);
    expect(await raw('GET', '/api/v1/namespaces/default/configmaps/kept')).toBe(200);
    const { body } = await server.transport().request({ method: 'GET', path: '/api/v1/namespaces/default' });
    expect((body as { metadata: object }).metadata).not.toHaveProperty('deletionTimestamp');
  });

  it('of another host is none of ours', async () => {
    expect(await raw('GET', '//evil/api/v1/namespaces/default')).toBe(404);
  });

  it('may be long: a selector of 100,000 characters is read', async () => {
    const labels = encodeURIComponent(`a in (${'x,'.repeat(30_000)}x)`);
    expect(await raw('GET', `/api/v1/namespaces/default/configmaps?labelSelector=${labels}`)).toBe(200);
  });
});
