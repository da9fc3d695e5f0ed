import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { RECORDING as DECISIONS, recordDecisions } from './record-decisions.fixture.ts';
import { RECORDING as POLICY, recordDefaultPolicy } from './record-default-policy.fixture.ts';

const read = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'));

test('a real API server still decides as it was recorded', async context => {
  requirePeers(context, ['etcd', 'kube-apiserver', 'kube-controller-manager']);
  expect(await recordDecisions()).toEqual(read(DECISIONS));
});

test('a real API server still begins with the roles that we begin with', async context => {
  requirePeers(context, ['etcd', 'kube-apiserver']);
  expect(await recordDefaultPolicy()).toEqual(read(POLICY));
});
