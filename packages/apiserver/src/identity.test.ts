import { createHttpTransport, type Impersonation, type Transport } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from './http.ts';
import { ADMIN, type ApiServer, createApiServer } from './server.ts';

let server: ApiServer;
beforeEach(async () => {
  server = await createApiServer();
});
afterEach(() => server.close());

const REVIEWS = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const REVIEW = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

async function whoAmI(transport: Transport, impersonate?: Impersonation): Promise<unknown> {
  const { body } = await transport.request({ method: 'POST', path: REVIEWS, body: REVIEW, impersonate });
  return (body as { status: { userInfo: unknown } }).status.userInfo;
}

const BOB: Impersonation = {
  user: 'bob',
  uid: '7',
  groups: ['builders', 'readers'],
  extra: { 'example.org/reason': ['drill', 'test'] },
};
const BOB_IS = {
  username: 'bob',
  uid: '7',
  groups: ['builders', 'readers', 'system:authenticated'],
  extra: { 'example.org/reason': ['drill', 'test'] },
};

describe('the server tells a client who it is', () => {
  it('by its credentials', async () => {
    expect(await whoAmI(server.transport())).toEqual({ username: ADMIN.name, groups: ADMIN.groups });
  });

  it('when it acts as someone else, in the process', async () => {
    expect(await whoAmI(server.transport(), BOB)).toEqual(BOB_IS);
  });

  it('when it acts as someone else, over HTTP', async () => {
    const listener = await listen(server, { authenticate: () => ADMIN });
    const transport = createHttpTransport({ server: listener.url });
    expect(await whoAmI(transport, BOB)).toEqual(BOB_IS);
    await transport.close();
    await listener.close();
  });

  it('with the groups of a ServiceAccount', async () => {
    expect(await whoAmI(server.transport(), { user: 'system:serviceaccount:shop:cart' })).toEqual({
      username: 'system:serviceaccount:shop:cart',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    });
  });
});

describe('acting as someone else', () => {
  it('is for administrators', async () => {
    const transport = server.transport({ name: 'alice', groups: ['system:authenticated'] });
    const { body } = await transport.request({ method: 'POST', path: REVIEWS, body: REVIEW, impersonate: BOB });
    expect(body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: expect.stringContaining('User "alice" cannot impersonate-on:user-info:create resource'),
    });
  });
});
