import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { RECORDING, recordDecisions } from './record-decisions.fixture.ts';

test('a real API server still decides as it was recorded', async context => {
  requirePeers(context, ['etcd', 'kube-apiserver', 'kube-controller-manager']);
  expect(await recordDecisions()).toEqual(JSON.parse(readFileSync(RECORDING, 'utf8')));
});
