import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, deployments, type KubeObject, kubeconfigText, serviceAccounts } from '@capstan/kube';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCluster } from '../cluster/start-cluster.ts';
import { status } from './status.ts';
import { whichKubeconfig } from './which-kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-status-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let said: { out: string; error: string };
beforeEach(() => {
  said = { out: '', error: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation(text => (said.out += text) !== '');
  vi.spyOn(process.stderr, 'write').mockImplementation(text => (said.error += text) !== '');
});
afterEach(() => vi.restoreAllMocks());

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise(resolve => probe.close(resolve));
  return port;
}

describe('capstan status', () => {
  it('ends with 0 when all is well, with 1 when something is not, and with 2 when nobody is there', async () => {
    const cluster = await startCluster({ data: join(folder, 'data'), memory: true, port: await freePort() });
    const { kubeconfig } = cluster;
    expect([await status({ kubeconfig }), said.error]).toEqual([0, '']);
    expect(said.out).toMatch(/^API server .* context "capstan" \(https:.*\), v1\.\d+.*, ready, answers in/);
    expect(said.out).toContain('Everything is as it should be.');

    await createClient({ transport: cluster.server.transport() }).create(deployments, {
      metadata: { namespace: 'default', name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
    said.out = '';
    expect(await status({ kubeconfig, json: true })).toBe(1);
    const { healthy, sections } = JSON.parse(said.out);
    expect(healthy).toBe(false);
    expect(sections.find(({ title }: { title: string }) => title === 'Deployments').findings).toEqual([
      expect.objectContaining({ namespace: 'default', name: 'web', reason: 'NotObserved' }),
    ]);
    expect(await status({ kubeconfig, namespace: 'kube-system' })).toBe(0);

    await cluster.stop();
    expect(await status({ kubeconfig })).toBe(2);
    expect(said.error).toMatch(
      /^capstan: cannot reach context "capstan" .*\nNothing listens there.*start it with "capstan up"/,
    );
  });

  it('says what a user may not see, and judges by the rest', async () => {
    const cluster = await startCluster({ data: join(folder, 'rights'), memory: true, port: await freePort() });
    const client = createClient({ transport: cluster.server.transport() });
    const reference = { namespace: 'default', name: 'stranger' };
    await client.create(serviceAccounts, { metadata: reference });
    const { status: granted } = await client
      .subresource<KubeObject & { status?: { token: string } }>(serviceAccounts, 'token')
      .create(reference, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: { name: 'stranger' },
        spec: {},
      } as KubeObject);
    const kubeconfig = join(folder, 'stranger');
    const credential = { token: granted!.token };
    writeFileSync(
      kubeconfig,
      await kubeconfigText({ name: 'stranger', server: cluster.url, authority: cluster.rootCertificate, credential }),
    );
    expect(await status({ kubeconfig })).toBe(0);
    expect(said.out).toContain('Node          not known: nodes is forbidden');
    await cluster.stop();
  });

  it('names the remedy when there is no kubeconfig, or a context that is not in it', async () => {
    expect(await status({ kubeconfig: join(folder, 'none') })).toBe(2);
    expect(said.error).toContain(
      'Start a cluster with "capstan up" (npm start), or name a kubeconfig with --kubeconfig.',
    );
  });
});

describe('the kubeconfig', () => {
  const place = join(folder, 'place');
  mkdirSync(join(place, '.capstan'), { recursive: true });
  writeFileSync(join(place, '.capstan/kubeconfig'), '{}');

  it.each([
    ['is the one that is named', 'a', { KUBECONFIG: 'b' }, place, 'a'],
    ['is what KUBECONFIG says', undefined, { KUBECONFIG: 'b' }, place, undefined],
    ['is that of the cluster in this folder', undefined, {}, place, join(place, '.capstan/kubeconfig')],
    ['is where kubectl looks, else', undefined, {}, folder, undefined],
  ])('%s', (_, named, environment, here, expected) => {
    expect(whichKubeconfig(named, environment, here)).toBe(expected);
  });
});
