import { createAuthority } from '@capstan/kube';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, newToken } from './authentication/index.ts';
import { type Listener, listen } from './http.ts';
import { ADMIN, type ApiServer, createApiServer } from './server.ts';

const admin = newToken();
const nobody = newToken();
const authority = createAuthority({ commonName: 'ca' });
const dispatcher = new Agent({ connect: { ca: authority.certificate } });
let server: ApiServer;
let listener: Listener;

beforeAll(async () => {
  server = await createApiServer({
    authorize: 'rbac',
    tokens: [
      { hash: hashToken(admin), user: ADMIN },
      // In no group that anything is bound to, not even that of everyone who is known.
      { hash: hashToken(nobody), user: { name: 'nobody', groups: [] } },
    ],
  });
  const { certificate: cert, key } = authority.issue({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  listener = await listen(server, { tls: { cert, key }, authenticate: server.authenticate });
  for (const name of ['system:discovery', 'system:basic-user', 'system:public-info-viewer']) {
    await send(admin, 'DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/${name}`);
  }
  await send(admin, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGETS);
});

afterAll(async () => {
  await dispatcher.close();
  await listener.close();
  await server.close();
});

const WIDGETS = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

interface Reply {
  readonly status: number;
  readonly message: string;
}

async function send(token: string | undefined, method: string, path: string, body?: object): Promise<Reply> {
  const { statusCode, body: answer } = await request(`${listener.url}${path}`, {
    method: method as 'GET',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body ? JSON.stringify(body) : null,
    dispatcher,
  });
  const text = await answer.text();
  return { status: statusCode, message: text.startsWith('{') ? (JSON.parse(text) as Reply).message : text };
}

const POD = '/api/v1/namespaces/default/pods/p';
const ENDPOINTS: readonly string[] = [
  ...['/', '/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/apis/example.com/v1'].map(
    path => `GET ${path}`,
  ),
  ...['/version', '/livez', '/readyz', '/healthz', '/metrics', '/openapi/v2', '/openapi/v3'].map(path => `GET ${path}`),
  ...['GET /openapi/v3/api/v1', 'GET /nothing/here', 'GET /apis/nothing.here/v1/at/all'],
  ...['GET /api/v1/nodes', 'GET /api/v1/pods', 'GET /api/v1/pods?watch=true', 'GET /api/v1/watch/pods'],
  ...['GET', 'PUT', 'PATCH', 'DELETE'].flatMap(method => [`${method} ${POD}`, `${method} ${POD}/status`]),
  ...['POST', 'DELETE'].map(method => `${method} /api/v1/namespaces/default/pods`),
  ...['log', 'exec', 'attach', 'portforward', 'proxy', 'proxy/a/b'].map(name => `GET ${POD}/${name}`),
  ...['exec', 'attach', 'portforward', 'binding', 'eviction'].map(name => `POST ${POD}/${name}`),
  ...['GET /apis/apps/v1/namespaces/default/deployments/d/scale', 'PUT /api/v1/namespaces/default/finalize'],
  ...['GET /apis/example.com/v1/widgets', 'POST /apis/example.com/v1/namespaces/default/widgets'],
  'POST /api/v1/namespaces/default/serviceaccounts/default/token',
  ...['subjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'].map(
    plural => `POST /apis/authorization.k8s.io/v1/${plural}`,
  ),
  'POST /apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews',
  ...['tokenreviews', 'selfsubjectreviews'].map(plural => `POST /apis/authentication.k8s.io/v1/${plural}`),
];

describe('over HTTPS', () => {
  it.each(ENDPOINTS)('%s needs a token that is known, and the right', async endpoint => {
    const [method, path] = endpoint.split(' ') as [string, string];
    const body = method === 'GET' || method === 'DELETE' ? undefined : {};
    const unauthorized = { status: 401, message: 'Unauthorized' };
    expect(await send(undefined, method, path, body)).toEqual(unauthorized);
    expect(await send(newToken(), method, path, body)).toEqual(unauthorized);
    const refused = await send(nobody, method, path, body);
    expect(refused).toEqual({ status: 403, message: expect.stringMatching(/forbidden: User "nobody" cannot \w+ /) });
  });

  it('who has the right gets further, even to what is not served', async () => {
    expect((await send(admin, 'GET', '/api/v1/nodes/a/proxy')).status).toBe(501);
    expect((await send(admin, 'GET', '/nothing/here')).status).toBe(404);
    expect((await send(admin, 'GET', '/apis/example.com/v1/widgets')).status).toBe(200);
  });

  it('a right that is taken away is gone with the next request', async () => {
    const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
    const apiGroup = 'rbac.authorization.k8s.io';
    const binding = {
      metadata: { name: 'view' },
      roleRef: { apiGroup, kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: 'nobody', apiGroup }],
    };
    expect((await send(admin, 'POST', bindings, binding)).status).toBe(201);
    expect((await send(nobody, 'GET', '/api/v1/pods')).status).toBe(200);
    await send(admin, 'DELETE', `${bindings}/view`);
    expect((await send(nobody, 'GET', '/api/v1/pods')).status).toBe(403);
  });

  it('a service account comes in with its token until it is deleted', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts';
    await send(admin, 'POST', accounts, { metadata: { name: 'robot' } });
    const { body } = await server.transport().request({ method: 'POST', path: `${accounts}/robot/token`, body: {} });
    const { token } = (body as { status: { token: string } }).status;
    expect(await send(token, 'GET', '/api/v1/pods')).toEqual({
      status: 403,
      message:
        'pods is forbidden: User "system:serviceaccount:default:robot" cannot list resource "pods" in API group "" at the cluster scope',
    });
    await send(admin, 'DELETE', `${accounts}/robot`);
    expect((await send(token, 'GET', '/api/v1/pods')).status).toBe(401);
  });
});

describe('a copy of a server', () => {
  it('has the same rights, and goes its own way', async () => {
    const copy = server.fork();
    const asked = { method: 'GET', path: '/api/v1/pods' } as const;
    const view = { name: 'ann', groups: ['readers'] };
    const bind = {
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
      body: {
        metadata: { name: 'readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'Group', name: 'readers', apiGroup: 'rbac.authorization.k8s.io' }],
      },
    } as const;
    expect((await copy.transport(view).request(asked)).status).toBe(403);
    expect((await copy.transport().request(bind)).status).toBe(201);
    expect((await copy.transport(view).request(asked)).status).toBe(200);
    expect((await server.transport(view).request(asked)).status).toBe(403);
    await copy.close();
  });
});
