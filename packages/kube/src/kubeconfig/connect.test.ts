import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { connect } from './connect.ts';

const folder = mkdtempSync(join(tmpdir(), 'capstan-connect-'));
afterAll(() => rmSync(folder, { recursive: true }));
const home = (name: string, kubeconfig?: string): { HOME: string } => {
  const path = join(folder, name);
  mkdirSync(join(path, '.kube'), { recursive: true });
  if (kubeconfig !== undefined) writeFileSync(join(path, '.kube', 'config'), kubeconfig);
  return { HOME: path };
};
const small = `
current-context: dev
contexts: [{name: dev, context: {cluster: c, user: u, namespace: team}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: t}}]`;
const pod = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '1' };

describe('connecting to the cluster that is meant', () => {
  it('takes the kubeconfig, even inside a Pod', async () => {
    const { transport, ...rest } = await connect({ environment: { ...home('a', small), ...pod } });
    expect(rest).toEqual({ namespace: 'team', description: 'context "dev" (https://127.0.0.1:1)' });
    await transport.close();
  });

  it('takes the cluster around it where there is no kubeconfig', async () => {
    // There is no service account on this machine, and the complaint about that shows the way taken.
    await expect(connect({ environment: { ...home('b'), ...pod } })).rejects.toThrow('the service account of this Pod');
  });

  it('says that there is neither', async () => {
    await expect(connect({ environment: home('c') })).rejects.toMatchObject({ code: 'KUBECONFIG_MISSING' });
  });

  it('passes over no kubeconfig that is wrong, and none that was named', async () => {
    const environment = { ...home('d', 'contexts: 5'), ...pod };
    await expect(connect({ environment })).rejects.toMatchObject({ code: 'KUBECONFIG_BAD_FIELD' });
    const named = { environment: { ...home('e'), ...pod }, path: join(folder, 'nowhere') };
    await expect(connect(named)).rejects.toMatchObject({ code: 'KUBECONFIG_MISSING' });
    const context = { environment: { ...home('f', small), ...pod }, context: 'other' };
    await expect(connect(context)).rejects.toMatchObject({ code: 'KUBECONFIG_UNKNOWN_CONTEXT' });
  });
});
