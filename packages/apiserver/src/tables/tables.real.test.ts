/** Our tables against those of a real API server, made of the same objects at the same time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { hasRealServer } from '../schema/real-server.fixture.ts';
import { kindsOf, ourBookmark, ourTable } from './our-table.fixture.ts';
import { recordTables } from './record-tables.fixture.ts';

let server: RealApiServer | undefined;

beforeAll(async () => {
  if (hasRealServer) server = await startRealApiServer();
});

afterAll(() => server?.stop());

test.skipIf(!hasRealServer)('tables of all kinds are the same', async () => {
  const recordings = await recordTables(server!);
  const kindOf = kindsOf(recordings);
  expect(recordings.map(recording => ourTable(kindOf(recording), recording))).toEqual(
    recordings.map(recording => recording.table),
  );
  expect(recordings.map(recording => ourBookmark(kindOf(recording)))).toEqual(
    recordings.map(recording => recording.bookmark),
  );
});

test('a real server is there to ask', context => requirePeers(context, ['etcd', 'kube-apiserver']));
