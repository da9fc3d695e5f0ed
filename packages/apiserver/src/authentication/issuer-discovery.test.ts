import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../server.ts';
import { newServiceAccountKey } from './service-account-tokens.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await createApiServer({ authorize: 'rbac', serviceAccountKey: newServiceAccountKey() });
});
afterAll(() => server.close());

const CONFIGURATION = '/.well-known/openid-configuration';
const KEYS = '/openid/v1/jwks';
const get = (path: string, groups = ['system:serviceaccounts']) =>
  server.transport({ name: 'anyone', groups }).request({ method: 'GET', path, headers: { host: 'localhost:6443' } });

describe('the issuer of service account tokens', () => {
  it('says who it is and where its keys are: where the client asked', async () => {
    const { status, body, headers } = await get(CONFIGURATION);
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=3600']);
    expect(body).toEqual({
      issuer: 'https://kubernetes.default.svc',
      jwks_uri: 'https://localhost:6443/openid/v1/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });

  it('gives keys that its tokens can be checked with, and never the private one', async () => {
    const admin = server.transport();
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await admin.request({ method: 'POST', path: accounts, body: { metadata: { name: 'robot' } } });
    const issued = await admin.request({ method: 'POST', path: `${accounts}/robot/token`, body: { spec: {} } });
    const { token } = (issued.body as { status: { token: string } }).status;
    const [header, claims, signature] = token.split('.') as [string, string, string];

    const { keys } = JSON.parse(String((await get(KEYS)).body)) as { keys: [Record<string, string>] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(keys[0]['kid']);
    const key = createPublicKey({ key: keys[0], format: 'jwk' });
    const isGood = verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect(isGood).toBe(true);
  });

  it('is for service accounts, and for reading only', async () => {
    for (const path of [CONFIGURATION, KEYS]) {
      expect((await get(path, ['system:authenticated'])).status).toBe(403);
      expect((await server.transport().request({ method: 'POST', path })).status).toBe(405);
      expect((await get(`${path}/`)).status).toBe(200);
    }
  });
});
