/** One cluster, three programs: what one of them installs, the others list, show, change and remove. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHelm, type Helm, install } from '@capstan/helm';
import { connect, createClient } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chartOf, configMap, plainRenderer as render } from '../../packages/helm/src/action/chart.fixture.ts';
import { startEmbedded } from '../embedded/server.ts';
import { requirePeers } from '../real/require-peers.ts';
import { createHelmProgram, type RunHelm } from './run-helm.ts';

describe('the embedded cluster', () => {
  let folder: string;
  let stop: () => Promise<void>;
  let helm: Helm;
  const programs = {} as Record<'helm3' | 'helm4', RunHelm>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-helm-'));
    const server = await startEmbedded();
    stop = server.stop;
    for (const name of ['helm3', 'helm4'] as const) programs[name] = createHelmProgram(name, server.kubeconfig, folder);
    const { transport } = await connect({ path: server.kubeconfig });
    helm = createHelm({ client: createClient({ transport }), namespace: 'default' });
  });
  afterAll(async () => {
    await stop?.();
    rmSync(folder, { recursive: true });
  });

  it.each(['helm3', 'helm4'] as const)('our releases are listed by %s', async (name, context) => {
    requirePeers(context as never, [name]);
    const release = `ours-${name}`;
    const chart = chartOf({ documents: [configMap(release)], notes: 'hello' });
    await install(helm, { name: release, chart, values: { a: 1 }, render });
    const listed = JSON.parse(await programs[name]('list', '--output', 'json')) as { name: string; status: string }[];
    expect(listed.find(each => each.name === release)).toMatchObject({ status: 'deployed', chart: 'app-1.0.0' });
  });
});
