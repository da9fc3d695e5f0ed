/** One cluster, three programs: what one of them installs, the others list, show, change and remove. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Chart,
  createHelm,
  getRelease,
  type Helm,
  history,
  install,
  listReleases,
  loadChart,
  rollback,
  uninstall,
  upgrade,
} from '@capstan/helm';
import {
  type Client,
  configMaps,
  connect,
  createClient,
  deployments,
  type KubeObject,
  type ManagedFieldsEntry,
} from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPeer } from '../../scripts/peers/find.ts';
import { startEmbedded } from '../embedded/server.ts';
import { startRealApiServer } from '../real/apiserver.ts';
import { requirePeers } from '../real/require-peers.ts';
import { createHelmProgram, type RunHelm } from './run-helm.ts';

const chartFolder = new URL('./chart', import.meta.url).pathname;

const clusters = [
  { cluster: 'the embedded cluster', start: () => startEmbedded(), peers: [] },
  { cluster: 'a real cluster', start: () => startRealApiServer(), peers: ['kube-apiserver', 'etcd'] },
];

describe.each(clusters)('on $cluster', ({ start, peers }) => {
  let folder = '';
  let stop: (() => Promise<void>) | undefined;
  let helm: Helm;
  let client: Client;
  let chart: Chart;
  const programs = {} as Record<'helm3' | 'helm4', RunHelm>;

  beforeAll(async () => {
    // Each test says what is missing.
    if ([...peers, 'helm3', 'helm4'].some(name => findPeer(name) === undefined)) return;
    chart = await loadChart(chartFolder);
    folder = mkdtempSync(join(tmpdir(), 'capstan-helm-'));
    const server = await start();
    stop = () => server.stop();
    for (const name of ['helm3', 'helm4'] as const) programs[name] = createHelmProgram(name, server.kubeconfig, folder);
    client = createClient({ transport: (await connect({ path: server.kubeconfig })).transport });
    helm = createHelm({ client, namespace: 'default' });
  });
  afterAll(async () => {
    await stop?.();
    if (folder) rmSync(folder, { recursive: true });
  });

  const colour = async (release: string): Promise<string | undefined> =>
    (await client.get(configMaps, { namespace: 'default', name: `${release}-settings` })).data?.['colour'];
  const names = async (release: string): Promise<string[]> => {
    const { items } = await client.list(configMaps, { namespace: 'default' });
    return items.map(({ metadata }) => metadata.name).filter(name => name.startsWith(`${release}-`));
  };
  const owners = ({ metadata }: KubeObject): string[] =>
    (metadata.managedFields ?? []).map(({ manager, operation }: ManagedFieldsEntry) => `${manager} ${operation}`);
  const statuses = async (release: string): Promise<string[]> =>
    (await history(helm, release)).map(({ version, info }) => `${version} ${info.status}`);

  it.for(['helm3', 'helm4'] as const)('%s takes over a release of ours', async (program, context) => {
    requirePeers(context, [...peers, program]);
    const run = programs[program];
    const name = `ours-${program}`;
    await install(helm, { name, chart, values: { colour: 'green' } });

    const listed = JSON.parse(await run('list', '--output', 'json')) as { name: string }[];
    expect(listed.find(each => each.name === name)).toMatchObject({
      namespace: 'default',
      revision: '1',
      status: 'deployed',
      chart: 'shop-1.2.3',
      app_version: '4.5',
    });
    expect(JSON.parse(await run('get', 'values', name, '--output', 'json'))).toEqual({ colour: 'green' });
    expect(await run('get', 'manifest', name)).toContain(`name: ${name}-settings`);
    expect(await run('get', 'hooks', name)).toContain(`name: ${name}-hook`);
    expect(await run('get', 'notes', name)).toContain(`${name} is green.`);
    expect(await run('status', name)).toContain('STATUS: deployed');
    expect(await run('get', 'all', name)).toContain('COMPUTED VALUES:\ncolour: green\nextra: true');

    await run('upgrade', name, chartFolder, '--set', 'colour=red,extra=false');
    expect([await colour(name), await names(name)]).toEqual(['red', [`${name}-hook`, `${name}-settings`]]);
    await run('rollback', name, '1');
    expect([await colour(name), await names(name)]).toEqual([
      'green',
      [`${name}-extra`, `${name}-hook`, `${name}-settings`],
    ]);
    const revisions = JSON.parse(await run('history', name, '--output', 'json')) as { status: string }[];
    expect(revisions.map(({ status }) => status)).toEqual(['superseded', 'superseded', 'deployed']);
    expect(await statuses(name)).toEqual(['1 superseded', '2 superseded', '3 deployed']);
    await run('uninstall', name);
    expect(await names(name)).toEqual([`${name}-hook`]);
    expect(await listReleases(helm, { filter: new RegExp(`^${name}$`) })).toEqual([]);
  });

  it.for(['helm3', 'helm4'] as const)('we take over a release of %s', async (program, context) => {
    requirePeers(context, [...peers, program]);
    const run = programs[program];
    const name = `theirs-${program}`;
    await run('install', name, chartFolder, '--set', 'colour=green');

    const [listed] = await listReleases(helm, { filter: new RegExp(`^${name}$`) });
    expect(listed).toMatchObject({ name, version: 1, config: { colour: 'green' }, info: { status: 'deployed' } });
    expect((await getRelease(helm, name)).info.notes).toContain(`${name} is green.`);

    await upgrade(helm, { name, chart, values: { colour: 'red', extra: false } });
    expect([await colour(name), await names(name)]).toEqual(['red', [`${name}-hook`, `${name}-settings`]]);
    const web = await client.get(deployments, { namespace: 'default', name });
    expect(web.spec.template.spec?.containers[0]).toMatchObject({ env: [{ name: 'COLOUR', value: 'red' }] });
    await rollback(helm, { name });
    expect([await colour(name), await names(name)]).toEqual([
      'green',
      [`${name}-extra`, `${name}-hook`, `${name}-settings`],
    ]);
    expect(await statuses(name)).toEqual(['1 superseded', '2 superseded', '3 deployed']);
    const revisions = JSON.parse(await run('history', name, '--output', 'json')) as { description: string }[];
    expect(revisions.map(({ description }) => description)).toEqual([
      'Install complete',
      'Upgrade complete',
      'Rollback to 1',
    ]);
    expect((await uninstall(helm, { name })).info).toBe('');
    expect(await names(name)).toEqual([`${name}-hook`]);
  });

  it('a release of Helm 3 moves to server-side apply, and its fields go with it', async context => {
    requirePeers(context, [...peers, 'helm3', 'helm4']);
    const name = 'moved';
    await programs.helm3('install', name, chartFolder);
    const settings = () => client.get(configMaps, { namespace: 'default', name: `${name}-settings` });
    expect(owners(await settings())).toEqual(['helm Update']);
    await upgrade(helm, { name, chart, values: { colour: 'red' }, serverSide: 'true' });
    expect(owners(await settings())).toEqual(['helm Apply']);
    await programs.helm4('upgrade', name, chartFolder, '--set', 'colour=green');
    expect(await colour(name)).toBe('green');
    expect((await getRelease(helm, name)).apply_method).toBe('ssa');
    await uninstall(helm, { name });
  });
});
