import { writeFile } from 'node:fs/promises';
import { createClient, loadKubeconfig, transportFromKubeconfig } from '@capstan/kube';
import { afterAll, describe, expect, it } from 'vitest';
import { neededPeers, type RealApiServer, startRealApiServer } from '../../../../e2e/real/apiserver.ts';
import { requirePeers } from '../../../../e2e/real/require-peers.ts';
import { until } from '../../../../e2e/real/until.ts';
import { infrastructureScript } from '../testing/infrastructure-script.fixture.ts';

const file = new URL('./fixtures/infrastructure.json', import.meta.url);
let server: RealApiServer | undefined;
afterAll(async () => server?.stop());

/** `RECORD=1` writes down what Kubernetes does; without it, what was written down has to be still so. */
describe("Kubernetes' own controllers", () => {
  it('do what was recorded of them', { timeout: 180_000 }, async context => {
    requirePeers(context, neededPeers({ controllerManager: true }));
    server = await startRealApiServer({ controllerManager: true });
    const transport = await transportFromKubeconfig(await loadKubeconfig({ path: server.kubeconfig }));
    const found = await infrastructureScript(createClient({ transport }), until);
    if (process.env['RECORD'] === '1') await writeFile(file, `${JSON.stringify(found, null, 2)}\n`);
    const { default: recorded } = await import('./fixtures/infrastructure.json', { with: { type: 'json' } });
    expect(found).toEqual(recorded);
  });
});
