/** The words of `validate.cases.fixture.ts`, asked of a real API server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { type Call, callsTo, causesOf, hasRealServer } from '../schema/real-server.fixture.ts';
import { CRD_CASES } from './validate.cases.fixture.ts';

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

test.skipIf(!hasRealServer).each(CRD_CASES)('$name', async ({ crd, messages }) => {
  const { status: _status, ...body } = crd;
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All&fieldValidation=Ignore';
  expect(new Set(causesOf(await call('POST', path, body)))).toEqual(new Set(messages));
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
