/** Walks everything that the server says it has, and what it has besides: nobody gets in without a token, or on without the right. */
import type { OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { createAuthority } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, newToken } from './authentication/index.ts';
import { type Listener, listen } from './http.ts';
import { ADMIN, type ApiServer, createApiServer } from './server.ts';

const admin = newToken();
const nobody = newToken();
const authority = createAuthority({ commonName: 'ca' });
const agent = new Agent({
  keepAlive: true,
  maxSockets: 8,
  ca: authority.certificate,
  checkServerIdentity: () => undefined, // it goes by the Host header, which one of these tests changes
});
let server: ApiServer;
let listener: Listener;

const WIDGETS = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { status: { type: 'object' } } } },
      },
    ],
  },
};

beforeAll(async () => {
  server = await createApiServer({
    authorize: 'rbac',
    tokens: [
      { hash: hashToken(admin), user: ADMIN },
      { hash: hashToken(nobody), user: { name: 'nobody', groups: [] } },
    ],
  });
  const { certificate: cert, key } = authority.issue({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  const tls = { cert, key, clientAuthority: authority.certificate };
  listener = await listen(server, { tls, authenticate: server.authenticate });
  // What everyone who is known may do.
  for (const name of ['system:discovery', 'system:basic-user', 'system:public-info-viewer']) {
    await send(admin, 'DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${name}`);
  }
  await send(admin, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
});
afterAll(async () => {
  agent.destroy();
  await listener.close();
  await server.close();
});

interface Reply {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  readonly body: any;
}

function send(
  token: string | undefined,
  method: string,
  path: string,
  body?: object,
  more: OutgoingHttpHeaders = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { ...authorization, 'content-type': 'application/json', ...more };
    const outgoing = request(`${listener.url}${path}`, { method, agent, headers }, incoming => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', chunk => {
        text += chunk;
      });
      incoming.on('end', () => {
        const isJson = incoming.headers['content-type'] === 'application/json';
        resolve({ code: incoming.statusCode!, body: isJson ? JSON.parse(text) : text });
      });
    });
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ code: 101, body: undefined });
    });
    outgoing.on('error', reject);
    outgoing.end(body && JSON.stringify(body));
  });
}

const status = (code: number, reason: string, message: string, details?: object) => ({
  code,
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  },
});
const UNAUTHORIZED = status(401, 'Unauthorized', 'Unauthorized');

interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** What somebody without the right is told. */
  readonly forbidden: ReturnType<typeof status>;
}

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

const METHODS: Readonly<Record<string, string>> = {
  ...{ get: 'GET', list: 'GET', watch: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH' },
  ...{ delete: 'DELETE', deletecollection: 'DELETE' },
};
const ON_OBJECTS: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);

/** Every verb that discovery names for a resource, as a request in a namespace and, where that is to be had, in all of them. */
function endpointsOf(groupVersion: string, { name, namespaced, verbs }: Resource): Endpoint[] {
  const group = groupVersion.includes('/') ? groupVersion.split('/')[0]! : '';
  const root = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
  const [plural, subresource] = name.split('/') as [string, string?];
  return verbs.flatMap(verb => {
    const isObject = ON_OBJECTS.has(verb) || subresource !== undefined;
    const scopes = namespaced ? ['default', ...(verb === 'list' || verb === 'watch' ? [''] : [])] : [''];
    return scopes.map(scope => {
      const parts = [root, ...(scope ? ['namespaces', scope] : []), plural, ...(isObject ? ['a'] : [])];
      const path = [...parts, ...(subresource ? [subresource] : [])].join('/');
      const namespace = plural === 'namespaces' && isObject ? 'a' : scope;
      const qualified = group === '' ? plural : `${plural}.${group}`;
      const what = isObject ? `${qualified} "a"` : qualified;
      const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope';
      const message = `${what} is forbidden: User "nobody" cannot ${verb} resource "${name}" in API group "${group}" ${where}`;
      const details = { ...(isObject && { name: 'a' }), ...(group && { group }), kind: plural };
      return {
        method: METHODS[verb]!,
        path: verb === 'watch' ? `${path}?watch=true` : path,
        forbidden: status(403, 'Forbidden', message, details),
      };
    });
  });
}

async function resources(): Promise<[groupVersion: string, Resource][]> {
  const { body } = await send(admin, 'GET', '/apis');
  const groupVersions: string[] = body.groups.flatMap((group: { versions: { groupVersion: string }[] }) =>
    group.versions.map(version => version.groupVersion),
  );
  const found: [string, Resource][] = [];
  for (const groupVersion of ['v1', ...groupVersions]) {
    const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
    for (const resource of (await send(admin, 'GET', root)).body.resources) found.push([groupVersion, resource]);
  }
  return found;
}

async function refusals({ method, path }: Endpoint): Promise<Reply[]> {
  return [
    await send(undefined, method, path),
    await send(newToken(), method, path),
    await send('', method, path),
    await send(nobody, method, path),
  ];
}

describe('every endpoint, over HTTPS', () => {
  it('of every resource that discovery has refuses who is not known, and who has no right, in the words of Kubernetes', async () => {
    const endpoints = (await resources()).flatMap(([groupVersion, resource]) => endpointsOf(groupVersion, resource));
    const paths = endpoints.map(({ path }) => path);
    for (const known of ['pods/a/log', 'pods/a/exec', 'pods/a/attach', 'pods/a/portforward', 'pods/a/proxy']) {
      expect(paths).toContain(`/api/v1/namespaces/default/${known}`);
    }
    expect(paths).toContain('/apis/example.com/v1/namespaces/default/widgets/a/status');
    expect(paths).toContain('/apis/authorization.k8s.io/v1/subjectaccessreviews');
    expect(endpoints.length).toBeGreaterThan(300);
    const wrong: unknown[] = [];
    await Promise.all(
      endpoints.map(async endpoint => {
        const replies = await refusals(endpoint);
        const expected = [UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED, endpoint.forbidden];
        if (JSON.stringify(replies) !== JSON.stringify(expected)) wrong.push({ endpoint, replies });
      }),
    );
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it('that is no resource does so too', async () => {
    const { body } = await send(admin, 'GET', '/');
    expect(body.paths).toEqual(expect.arrayContaining(['/metrics', '/version', '/livez', '/openid/v1/jwks']));
    const more = [
      '/',
      '/openapi/v3/api/v1',
      '/openapi/v3/apis/apps/v1',
      '/nothing/here',
      '/livez/ping',
      '/apis/nothing',
    ];
    for (const path of [...body.paths, ...more]) {
      const message = `forbidden: User "nobody" cannot get path "${path}"`;
      const forbidden = status(403, 'Forbidden', message, {});
      expect([path, ...(await refusals({ method: 'GET', path, forbidden }))]).toEqual([
        path,
        ...[UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED, forbidden],
      ]);
    }
  });

  it.each(['exec?command=sh', 'attach', 'portforward?ports=80'])(
    'hands no connection over to who is not known or may not: %s',
    async stream => {
      const path = `/api/v1/namespaces/default/pods/a/${stream}`;
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-protocol': 'v5.channel.k8s.io',
      };
      expect(await send(undefined, 'GET', path, undefined, upgrade)).toEqual(UNAUTHORIZED);
      expect(await send(newToken(), 'GET', path, undefined, upgrade)).toEqual(UNAUTHORIZED);
      expect((await send(nobody, 'GET', path, undefined, upgrade)).code).toBe(403);
      const misled = await send(admin, 'GET', path, undefined, { ...upgrade, host: 'evil.example' });
      expect([misled.code, misled.body.message]).toEqual([
        403,
        expect.stringContaining('is not a name of this server'),
      ]);
    },
  );
});
