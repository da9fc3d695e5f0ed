/** Every document of built-in kinds, beside that of a real API server. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { builtinKinds } from '../builtins/index.ts';
import { apiResources } from '../discovery/api-resource.ts';
import { type Call, callsTo, hasRealServer } from '../schema/real-server.fixture.ts';
import { documentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';
import { resourcesByPath } from './published.ts';

let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
});
afterAll(async () => {
  await close?.();
  await server?.stop();
});

/** What ours leave out: it means nothing to clients. */
const LEFT_OUT = ['x-kubernetes-unions'];
/** Names every group and version that has the options, hundreds of them. */
const DELETE_OPTIONS = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions';

type Schemas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Of the definitions that both have. */
function differences(ours: Schemas, real: Schemas): string[] {
  return Object.keys(ours).filter(name => {
    if (name === DELETE_OPTIONS) return false;
    const expected = Object.fromEntries(Object.entries(real[name] ?? {}).filter(([key]) => !LEFT_OUT.includes(key)));
    return !isDeepStrictEqual(ours[name], expected);
  });
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: object;
}

/** `get /api/v1/pods` → what is said about it. */
function operations(paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): Record<string, object> {
  const found: Record<string, object> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (method === 'parameters') continue;
      const { operationId, description, 'x-kubernetes-action': action } = operation;
      found[`${method} ${path}`] = {
        operationId,
        description,
        action,
        of: operation['x-kubernetes-group-version-kind'],
      };
    }
  }
  return found;
}

test.skipIf(!hasRealServer).each([...resourcesByPath(builtinKinds())])('version 3 of %s', async (path, resources) => {
  const real = await call('GET', `/openapi/v3/${path}`);
  const ours = JSON.parse(JSON.stringify(documentV3(resources)));
  expect(differences(ours.components.schemas, real.components.schemas)).toEqual([]);
  expect(operations(real.paths)).toMatchObject(operations(ours.paths));
});

test('version 2 of everything', async context => {
  requirePeers(context, ['etcd', 'kube-apiserver']);
  const real = await call('GET', '/openapi/v2');
  const ours = JSON.parse(JSON.stringify(documentV2(apiResources(builtinKinds()))));
  expect(differences(ours.definitions, real.definitions)).toEqual([]);
  expect(operations(real.paths)).toMatchObject(operations(ours.paths));
});
