/** Client certificates and host names, as kubectl uses them. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateUsage, createAuthority } from '@capstan/kube';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { findPeer } from '../../../../scripts/peers/find.ts';
import { type Listener, listen } from '../http.ts';
import { type ApiServer, createApiServer } from '../server.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-certificates-'));
const authority = createAuthority({ commonName: 'ca' });
let server: ApiServer;
let listener: Listener;

beforeAll(async () => {
  server = await createApiServer({ authorize: 'rbac' });
  const { certificate: cert, key } = authority.issue({
    commonName: 'capstan',
    ipAddresses: ['127.0.0.1'],
    dnsNames: ['localhost'],
  });
  const tls = { cert, key, clientAuthority: authority.certificate };
  listener = await listen(server, { tls, authenticate: server.authenticate });
});
beforeEach(context => requirePeers(context, ['kubectl']));
afterAll(async () => {
  await listener?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

function showing(
  commonName: string,
  organizations: readonly string[],
  usages: readonly CertificateUsage[] = ['client'],
) {
  const { certificate, key } = authority.issue({ commonName, organizations, usages });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [
      {
        name: 'it',
        cluster: { server: listener.url, 'certificate-authority-data': base64(authority.certificate) },
      },
    ],
    users: [{ name: 'it', user: { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  };
  const file = join(folder, `${commonName}-${usages}`);
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return (...words: readonly string[]): Promise<string> =>
    new Promise(resolve =>
      execFile(
        findPeer('kubectl')!,
        ['--kubeconfig', file, '--cache-dir', join(folder, 'cache'), ...words],
        (_error, stdout, stderr) => resolve((stdout + stderr).trim()),
      ),
    );
}

test('kubectl comes in with a certificate, as the user and with the groups that it names', async () => {
  const ann = showing('ann', ['staff']);
  expect(await ann('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}')).toBe(
    'ann ["staff","system:authenticated"]',
  );
  expect(await ann('get', 'secrets')).toContain('User "ann" cannot list resource "secrets"');
  const root = showing('root', ['system:masters']);
  expect(await root('get', 'namespaces', '-o', 'name')).toContain('namespace/default');
});

test('a certificate for servers lets nobody in', async () => {
  const imposter = showing('imposter', ['system:masters'], ['server']);
  expect(await imposter('get', 'namespaces')).toContain('Unauthorized');
});

test('kubectl may call the server localhost, and come in through a forwarded port', async () => {
  const forward = createServer(socket => {
    socket.pipe(connect(listener.port, '127.0.0.1')).pipe(socket);
  });
  await new Promise<void>(resolve => forward.listen(0, '127.0.0.1', resolve));
  const { port } = forward.address() as AddressInfo;
  const root = showing('root', ['system:masters']);
  expect(await root('--server', `https://localhost:${port}`, 'get', 'namespaces', '-o', 'name')).toContain('default');
  forward.close();
});

test('kubectl reads the metrics', async () => {
  const root = showing('root', ['system:masters']);
  expect(await root('get', '--raw', '/metrics')).toMatch(/^apiserver_request_total\{.*resource="namespaces".*\} \d+$/m);
  expect(await showing('ann', [])('get', '--raw', '/metrics')).toContain('User "ann" cannot get path "/metrics"');
});
