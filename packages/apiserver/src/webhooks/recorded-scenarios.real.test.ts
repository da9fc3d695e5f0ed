import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { RECORDING, recordScenarios } from './record-scenarios.fixture.ts';

test('a real API server still deals with webhooks as it was recorded', async context => {
  requirePeers(context, ['etcd', 'kube-apiserver']);
  expect(await recordScenarios()).toEqual(JSON.parse(readFileSync(RECORDING, 'utf8')));
});
