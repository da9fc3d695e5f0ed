import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { type Clock, systemClock } from '@capstan/kube';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../kind.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { firstOf, requestAuthenticator } from './authenticator.ts';
import { bearerToken } from './bearer.ts';
import { API_AUDIENCES, type BoundObject, claimsFor, ISSUER } from './service-account-claims.ts';
import { newServiceAccountKey, ServiceAccountTokens } from './service-account-tokens.ts';
import { hashToken, newToken, staticTokens } from './static-tokens.ts';

const key = newServiceAccountKey();
const MINUTE = 60_000;

let now: number;
let store: MemoryStore;
let tokens: ServiceAccountTokens;

beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  const clock: Clock = { ...systemClock, now: () => now };
  store = new MemoryStore();
  tokens = new ServiceAccountTokens(key, store, clock);
  await put('/serviceaccounts', 'default/robot', { name: 'robot', namespace: 'default', uid: 'account-1' });
});

const put = (table: string, path: string, metadata: Draft['metadata']) =>
  store.write(table, path, store.head(table, path), { metadata });
const drop = (table: string, path: string) =>
  store.remove(table, path, store.head(table, path)!, { metadata: { ...store.head(table, path)!.object.metadata } });

function issue(bound?: BoundObject, audiences = API_AUDIENCES): string {
  const account = store.get('/serviceaccounts', 'default/robot')!.object;
  return tokens.sign(claimsFor(account, bound, audiences, { seconds: 3600 }, { now, id: 'token-1' }));
}

const ask = (token: string, audiences = API_AUDIENCES) => tokens.authenticate(token, audiences);

describe('a service account token', () => {
  it('speaks for its account', () => {
    expect(ask(issue())).toEqual({
      outcome: 'known',
      audiences: [ISSUER],
      user: {
        name: 'system:serviceaccount:default:robot',
        uid: 'account-1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:default'],
        extra: { 'authentication.kubernetes.io/credential-id': ['JTI=token-1'] },
      },
    });
  });

  it('ends with its time and a minute of leeway', () => {
    const token = issue();
    now += 61 * MINUTE;
    expect(ask(token).outcome).toBe('known');
    now += 1;
    expect(ask(token)).toEqual({ outcome: 'refused', why: 'service account token has expired' });
  });

  it('does not hold before it was issued', () => {
    const token = issue();
    now -= 61_000;
    expect(ask(token)).toEqual({ outcome: 'refused', why: 'service account token is not valid yet' });
  });

  it('is for those it names only', () => {
    const token = issue(undefined, ['vault', 'other']);
    expect(ask(token)).toEqual({
      outcome: 'refused',
      why: `token audiences ["vault" "other"] is invalid for the target audiences ["${ISSUER}"]`,
    });
    expect(ask(token, ['x', 'vault'])).toMatchObject({ outcome: 'known', audiences: ['vault'] });
  });

  it('ends with its account, also when another one has its name', async () => {
    const token = issue();
    await drop('/serviceaccounts', 'default/robot');
    expect(ask(token)).toEqual({ outcome: 'refused', why: 'serviceaccounts "robot" not found' });
    await put('/serviceaccounts', 'default/robot', { name: 'robot', namespace: 'default', uid: 'account-2' });
    expect(ask(token)).toEqual({
      outcome: 'refused',
      why: 'service account UID (account-2) does not match claim (account-1)',
    });
  });

  it('ends with the Pod that it is bound to', async () => {
    const metadata = { name: 'p', namespace: 'default', uid: 'pod-1' };
    await put('/pods', 'default/p', metadata);
    const token = issue({ kind: 'Pod', object: store.get('/pods', 'default/p')!.object, node: { name: 'n' } });
    expect(ask(token)).toMatchObject({
      outcome: 'known',
      user: {
        extra: {
          'authentication.kubernetes.io/node-name': ['n'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['pod-1'],
        },
      },
    });
    await put('/pods', 'default/p', { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' });
    now += MINUTE;
    expect(ask(token).outcome).toBe('known');
    now += MINUTE;
    expect(ask(token)).toEqual({ outcome: 'refused', why: 'service account token has been invalidated' });
    await put('/pods', 'default/p', { ...metadata, uid: 'pod-2' });
    expect(ask(token)).toEqual({
      outcome: 'refused',
      why: 'pod UID (pod-2) does not match service account pod ref claim (pod-1)',
    });
    await drop('/pods', 'default/p');
    expect(ask(token)).toEqual({ outcome: 'refused', why: 'service account token has been invalidated' });
  });

  it('is not believed from another key, in another algorithm, or with other claims', () => {
    const [header, payload, signature] = issue().split('.') as [string, string, string];
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = encode({ ...claims, sub: 'system:serviceaccount:kube-system:root' });
    const publicPem = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'pem' });
    const { keyId } = { keyId: (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid };
    const symmetric = encode({ alg: 'HS256', kid: keyId });
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const der = sign('sha256', Buffer.from(`${header}.${payload}`), createPrivateKey(key)).toString('base64url');
    const refused = [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.${sign('sha256', Buffer.from(`${header}.${payload}`), { key: other, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`,
      `${encode({ alg: 'none' })}.${payload}.AA`,
      `${symmetric}.${payload}.${createHmac('sha256', publicPem).update(`${symmetric}.${payload}`).digest('base64url')}`,
      `${encode({ alg: 'ES256', kid: 'other' })}.${payload}.${signature}`,
      `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      `${header}.${payload}.${der}`,
    ];
    for (const token of refused) expect(ask(token)).toEqual({ outcome: 'refused', why: 'invalid signature' });
    for (const token of [
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `.${payload}.${signature}`,
      `${header}..${signature}`,
    ]) {
      expect(ask(token)).toEqual({ outcome: 'unknown' });
    }
  });

  it('of another issuer is none of ours', () => {
    const account = store.get('/serviceaccounts', 'default/robot')!.object;
    const claims = claimsFor(account, undefined, API_AUDIENCES, { seconds: 3600 }, { now, id: 'x' });
    expect(ask(tokens.sign({ ...claims, iss: 'https://elsewhere' }))).toEqual({ outcome: 'unknown' });
  });
});

describe('a header', () => {
  const secret = newToken();
  const authenticate = () =>
    requestAuthenticator(
      firstOf([staticTokens([{ hash: hashToken(secret), user: { name: 'ann', groups: ['staff'] } }]), tokens]),
      API_AUDIENCES,
    );

  it('is read as Kubernetes reads it', () => {
    expect(bearerToken({ authorization: 'Bearer a' })).toBe('a');
    expect(bearerToken({ authorization: '  bEARER a b ' })).toBe('a');
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer  a', 'Basic a', 'Bearera', 'a']) {
      expect(bearerToken({ authorization })).toBeUndefined();
    }
    expect(bearerToken({})).toBeUndefined();
  });

  it('with a known token is that user, who is authenticated', () => {
    expect(authenticate()({ authorization: `Bearer ${secret}` })).toEqual({
      name: 'ann',
      groups: ['staff', 'system:authenticated'],
    });
  });

  it('of any other shape is nobody, and never an error', () => {
    const who = authenticate();
    const good = issue();
    const cut = fc.tuple(fc.nat(good.length - 1), fc.string()).map(([at, text]) => good.slice(0, at) + text);
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map(json => Buffer.from(json).toString('base64url')),
      fc.string(),
    );
    const threeParts = fc.tuple(part, part, part).map(parts => parts.join('.'));
    const claims = fc
      .json()
      .map(json => `${good.split('.')[0]}.${Buffer.from(json).toString('base64url')}.${good.split('.')[2]}`);
    const token = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), cut, threeParts, claims);
    fc.assert(
      fc.property(token, fc.constantFrom('Bearer ', 'bearer ', '', 'Basic ', 'Bearer\t'), (text, scheme) => {
        fc.pre(text !== good && text.split(' ')[0] !== good);
        expect(who({ authorization: `${scheme}${text}` })).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
