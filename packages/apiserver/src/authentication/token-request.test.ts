import type { ApiRequest } from '@capstan/kube';
import { SteppedClock } from '@capstan/lab';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../server.ts';
import { readToken } from './jwt.ts';

let clock: SteppedClock;
let server: ApiServer;

beforeEach(async () => {
  clock = new SteppedClock();
  server = await createApiServer({ clock });
  for (const name of ['robot', 'other']) await create('serviceaccounts', { metadata: { name } });
  await create('secrets', { metadata: { name: 's' } });
  const containers = [{ name: 'c', image: 'i' }];
  await create('pods', { metadata: { name: 'p' }, spec: { serviceAccountName: 'robot', nodeName: 'n', containers } });
});
afterEach(() => server.close());

interface Reply {
  readonly code?: number;
  readonly message?: string;
  readonly metadata: { readonly uid: string };
  readonly spec: object;
  readonly status: { readonly token: string; readonly expirationTimestamp: string };
}

async function send(request: ApiRequest): Promise<Reply> {
  return (await server.transport().request(request)).body as Reply;
}

const NAMESPACE = '/api/v1/namespaces/default';
const create = (plural: string, body: object) => send({ method: 'POST', path: `${NAMESPACE}/${plural}`, body });
const ask = (spec: object, metadata: object = {}, name = 'robot') =>
  create(`serviceaccounts/${name}/token`, { metadata, spec });
const review = (token: string, audiences?: readonly string[]) =>
  send({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { spec: { token, ...(audiences && { audiences }) } },
  });
const bound = (kind: string, name: string, uid?: string, apiVersion = 'v1') => ({
  boundObjectRef: { kind, apiVersion, name, ...(uid !== undefined && { uid }) },
});

describe('a token request', () => {
  it('gives a token for an hour and for the API server, where it says nothing else', async () => {
    const { spec, status, metadata } = await ask({});
    expect(spec).toEqual({
      audiences: ['https://kubernetes.default.svc'],
      expirationSeconds: 3600,
      boundObjectRef: null,
    });
    const expiry = clock.now() + 3600_000;
    expect(Math.abs(Date.parse(status.expirationTimestamp) - expiry)).toBeLessThan(1000);
    expect(readToken(status.token)?.claims).toMatchObject({
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:default:robot',
      exp: Math.floor(expiry / 1000),
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid: metadata.uid } },
    });
  });

  it('gives a Pod the token that outlives clients which never read it again', async () => {
    const { status } = await ask({ expirationSeconds: 3607, ...bound('Pod', 'p') });
    const now = Math.floor(clock.now() / 1000);
    expect(readToken(status.token)?.claims).toMatchObject({
      exp: now + 365 * 24 * 3600,
      'kubernetes.io': { warnafter: now + 3607, node: { name: 'n' }, pod: { name: 'p' } },
    });
  });

  const refusals: readonly [what: string, spec: object, metadata: object, code: number, message: string][] = [
    [
      'too short',
      { expirationSeconds: 599 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    [
      'too long',
      { expirationSeconds: 2 ** 32 + 1 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
    ],
    [
      'of another name',
      {},
      { name: 'x' },
      422,
      'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "x": must match the service account name if specified',
    ],
    [
      'of another namespace',
      {},
      { namespace: 'x' },
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'with attestations',
      { attestations: { a: ['b'] } },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.attestations: Invalid value: {"a":["b"]}: attestations may only be specified with a webhook bound object reference',
    ],
    ['bound to a Pod that is not there', bound('Pod', 'x'), {}, 404, 'pods "x" not found'],
    [
      'bound to another Secret of the name',
      bound('Secret', 's', 'x'),
      {},
      409,
      'Operation cannot be fulfilled on Secret "s": the UID in the bound object reference (x) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'bound to a ConfigMap',
      bound('ConfigMap', 'x'),
      {},
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
    [
      'bound to a Deployment',
      bound('Deployment', 'x', undefined, 'apps/v1'),
      {},
      400,
      'cannot bind token to object of type apps/v1, Kind=Deployment',
    ],
  ];
  it.each(refusals)('%s is refused in the words of Kubernetes', async (_what, spec, metadata, code, message) => {
    expect(await ask(spec, metadata)).toMatchObject({ code, message });
  });

  it('for an account that is not there, of another uid, or for the Pod of another account is refused', async () => {
    expect(await ask({}, {}, 'none')).toMatchObject({ code: 404, message: 'serviceaccounts "none" not found' });
    const { metadata } = await ask({});
    expect(await ask({}, { uid: 'x' })).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (x) does not match the UID of the service account (${metadata.uid})`,
    });
    expect(await ask(bound('Pod', 'p'), {}, 'other')).toMatchObject({
      code: 400,
      message: 'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    });
  });
});

describe('a token review', () => {
  it('says whose token it is', async () => {
    const { status, metadata } = await ask({ audiences: ['vault'] });
    expect((await review(status.token, ['x', 'vault'])).status).toEqual({
      authenticated: true,
      audiences: ['vault'],
      user: {
        username: 'system:serviceaccount:default:robot',
        uid: metadata.uid,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[\da-f-]{36}$/)] },
      },
    });
  });

  it('says why it is none', async () => {
    const { status } = await ask(bound('Secret', 's'));
    expect((await review(status.token)).status).toMatchObject({ authenticated: true });
    await send({ method: 'DELETE', path: `${NAMESPACE}/secrets/s` });
    expect((await review(status.token)).status).toEqual({
      user: {},
      error: '[invalid bearer token, service account token has been invalidated]',
    });
    expect((await review('nonsense')).status).toEqual({ user: {}, error: 'invalid bearer token' });
    expect(await review('')).toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  });
});
