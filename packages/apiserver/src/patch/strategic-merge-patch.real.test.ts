/** The results of `strategic-merge-patch.cases.fixture.ts`, asked of a real API server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { type Call, callsTo, causesOf, hasRealServer } from '../schema/real-server.fixture.ts';
import { DEPLOYMENT, pick, STRATEGIC_CASES } from './strategic-merge-patch.cases.fixture.ts';

const path = '/apis/apps/v1/namespaces/default/deployments';
let server: RealApiServer | undefined;
let call: Call;
let close: () => Promise<void>;

beforeAll(async () => {
  if (!hasRealServer) return;
  server = await startRealApiServer();
  ({ call, close } = callsTo(server));
  expect(causesOf(await call('POST', path, DEPLOYMENT))).toEqual([]);
});

afterAll(async () => {
  await close?.();
  await server?.stop();
});

test.skipIf(!hasRealServer).each(STRATEGIC_CASES)('$name', async ({ patch, at, expected }) => {
  const type = 'application/strategic-merge-patch+json';
  const answer = await call('PATCH', `${path}/web?dryRun=All`, patch, type);
  expect(causesOf(answer)).toEqual([]);
  expect(pick(answer, at)).toEqual(expected);
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
