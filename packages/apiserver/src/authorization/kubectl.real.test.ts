/** What kubectl asks about identity and rights, asked by kubectl itself. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, kubeconfigText } from '@capstan/kube';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../../scripts/peers/find.ts';
import { hashToken, newToken } from '../authentication/index.ts';
import { type Listener, listen } from '../http.ts';
import { ADMIN, type ApiServer, createApiServer } from '../server.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-kubectl-'));
const authority = createAuthority({ commonName: 'ca' });
let server: ApiServer;
let listener: Listener;

beforeAll(async () => {
  const people = { admin: newToken(), bob: newToken() };
  server = await createApiServer({
    authorize: 'rbac',
    tokens: [
      { hash: hashToken(people.admin), user: ADMIN },
      { hash: hashToken(people.bob), user: { name: 'bob', groups: [] } },
    ],
  });
  const { certificate: cert, key } = authority.issue({ commonName: 'capstan', ipAddresses: ['127.0.0.1'] });
  listener = await listen(server, { tls: { cert, key }, authenticate: server.authenticate });
  for (const [name, token] of Object.entries(people)) await writeConfig(name, token);
});

beforeEach(context => requirePeers(context, ['kubectl']));

afterAll(async () => {
  await listener?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

async function writeConfig(name: string, token: string): Promise<void> {
  const entry = { name, server: listener.url, authority: authority.certificate, credential: { token } };
  writeFileSync(join(folder, name), await kubeconfigText({ ...entry, namespace: 'default' }), { mode: 0o600 });
}

/** The output, errors included, as a person sees it. */
function kubectl(who: string, ...words: readonly string[]): Promise<string> {
  const all = ['--kubeconfig', join(folder, who), '--cache-dir', join(folder, 'cache'), ...words];
  return new Promise(resolve =>
    execFile(findPeer('kubectl')!, all, (_error, stdout, stderr) => resolve((stdout + stderr).trim())),
  );
}

test('kubectl tells who one is and what one may', async () => {
  expect(await kubectl('bob', 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo}')).toBe(
    '{"groups":["system:authenticated"],"username":"bob"}',
  );
  expect(await kubectl('bob', 'auth', 'can-i', 'list', 'pods')).toBe('no');
  expect(await kubectl('admin', 'auth', 'can-i', 'list', 'pods')).toBe('yes');
  expect(await kubectl('bob', 'get', 'pods')).toBe(
    'Error from server (Forbidden): pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
  );
  await kubectl('admin', 'create', 'role', 'reader', '--verb=list', '--resource=pods');
  await kubectl('admin', 'create', 'rolebinding', 'bob', '--role=reader', '--user=bob');
  expect(await kubectl('bob', 'auth', 'can-i', 'list', 'pods')).toBe('yes');
  expect(await kubectl('bob', 'auth', 'can-i', 'list', 'pods', '-n', 'kube-system')).toBe('no');
  expect(await kubectl('bob', 'get', 'pods')).toBe('No resources found in default namespace.');
  expect(await kubectl('bob', 'auth', 'can-i', '--list')).toMatch(/^pods +\[\] +\[\] +\[list\]$/m);
});

test('kubectl makes tokens that come in, and acts as others', async () => {
  await kubectl('admin', 'create', 'serviceaccount', 'robot');
  await writeConfig('robot', await kubectl('admin', 'create', 'token', 'robot', '--duration', '20m'));
  expect(await kubectl('robot', 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).toBe(
    'system:serviceaccount:default:robot',
  );
  expect(await kubectl('bob', 'create', 'token', 'robot')).toContain(
    'User "bob" cannot create resource "serviceaccounts/token" in API group "" in the namespace "default"',
  );
  expect(await kubectl('admin', '--as', 'ann', '--as-group', 'staff', 'auth', 'can-i', 'get', 'secrets')).toBe('no');
  expect(await kubectl('bob', '--as', 'ann', 'get', 'pods')).toContain('User "bob" cannot impersonate');
});
