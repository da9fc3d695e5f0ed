import { Agent, request } from 'node:https';
import { type CertificateAndKey, createAuthority, systemClock } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, newToken } from '../authentication/index.ts';
import { type Listener, listen } from '../http.ts';
import { type ApiServer, createApiServer } from '../server.ts';

const authority = createAuthority({ commonName: 'ca' });
const stranger = createAuthority({ commonName: 'ca' });
const token = newToken();
let now = systemClock.now();
let server: ApiServer;
let listener: Listener;

beforeAll(async () => {
  server = await createApiServer({
    authorize: 'rbac',
    clock: { ...systemClock, now: () => now },
    tokens: [{ hash: hashToken(token), user: { name: 'token-user', groups: [] } }],
  });
  const { certificate: cert, key } = authority.issue({ commonName: 'server', ipAddresses: ['127.0.0.1'] });
  listener = await listen(server, {
    tls: { cert, key, clientAuthority: authority.certificate },
    hostNames: ['api.test'],
    authenticate: server.authenticate,
  });
});
afterAll(async () => {
  await listener.close();
  await server.close();
});

const REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

interface Asking {
  readonly shown?: CertificateAndKey;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
}

/** Who the server takes us for, or with which status it refuses us. */
function whoAmI({ shown, headers = {}, agent }: Asking): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${listener.url}${REVIEW}`,
      {
        method: 'POST',
        ca: authority.certificate,
        agent: agent ?? false,
        checkServerIdentity: () => undefined, // it goes by the Host header, which is what some of these tests change
        ...(shown && { cert: shown.certificate, key: shown.key }),
        headers: { 'content-type': 'application/json', ...headers },
      },
      incoming => {
        let text = '';
        incoming.on('data', chunk => {
          text += chunk;
        });
        incoming.on('end', () => {
          const body = JSON.parse(text);
          const { username, groups } = body.status?.userInfo ?? {};
          resolve(incoming.statusCode === 201 ? [username, ...groups] : [incoming.statusCode, body.message]);
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' }));
  });
}

const bearer = { authorization: `Bearer ${token}` };
const REFUSED = [401, 'Unauthorized'];
const ann = (more = {}): CertificateAndKey =>
  authority.issue({ commonName: 'ann', organizations: ['staff', 'ops'], usages: ['client'], ...more });

describe('a client certificate over HTTPS', () => {
  it('is who one is: the common name the user, the organizations the groups', async () => {
    expect(await whoAmI({ shown: ann() })).toEqual(['ann', 'staff', 'ops', 'system:authenticated']);
  });

  it('wins over a token', async () => {
    expect(await whoAmI({ shown: ann(), headers: bearer })).toContain('ann');
    expect(await whoAmI({ shown: ann(), headers: { authorization: 'Bearer wrong' } })).toContain('ann');
  });

  it.each([
    ['of another authority', () => stranger.issue({ commonName: 'ann', usages: ['client'] })],
    ['that is no longer valid', () => ann({ validFor: -1000 })],
    ['that is for servers', () => ann({ usages: ['server'] })],
    ['without a name', () => authority.issue({ commonName: '', usages: ['client'] })],
  ])('%s is nobody; a token beside it still counts', async (_, shown) => {
    expect(await whoAmI({ shown: shown() })).toEqual(REFUSED);
    expect(await whoAmI({ shown: shown(), headers: bearer })).toContain('token-user');
  });

  it('ends while its connection lives on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const shown = ann({ validFor: 60_000 });
    expect(await whoAmI({ shown, agent })).toContain('ann');
    now += 61_000;
    expect(await whoAmI({ shown, agent })).toEqual(REFUSED);
    now -= 61_000;
    agent.destroy();
  });

  it('is not asked for: a token alone does, and nothing at all is nobody', async () => {
    expect(await whoAmI({ headers: bearer })).toContain('token-user');
    expect(await whoAmI({})).toEqual(REFUSED);
  });
});

describe('a name that is not ours', () => {
  it('is refused before anyone asks who it is, whatever the credentials', async () => {
    const host = { host: 'evil.example:6443' };
    const refused = [403, expect.stringContaining('the host "evil.example:6443" is not a name of this server')];
    expect(await whoAmI({ headers: host })).toEqual(refused);
    expect(await whoAmI({ shown: ann(), headers: { ...host, ...bearer } })).toEqual(refused);
  });

  it.each(['localhost:1234', '127.0.0.1', 'kubernetes.default.svc', 'api.test'])('is not %s', async host => {
    expect(await whoAmI({ headers: { host, ...bearer } })).toContain('token-user');
  });
});
