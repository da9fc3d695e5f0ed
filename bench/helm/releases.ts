/**
 * A thousand releases of a small chart on the embedded cluster, in a process of its own over HTTPS; beside them, as many as patience
 * allows by the helm program, on the same cluster.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Chart, createHelm, type Helm, install, listReleases, loadChart, upgrade } from '@capstan/helm';
import { connect, createClient } from '@capstan/kube';
import { findPeer } from '../../scripts/peers/find.ts';
import { type BenchOptions, compare, type Measure } from '../measure.ts';

const RELEASES = 1_000;
/** By the helm program, each a process that takes a good part of a second. */
const PEER_RELEASES = 30;
/** As many as Flux's helm-controller works on in its own published figures. */
const AT_ONCE = 10;

const run = promisify(execFile);
const chartFolder = join(import.meta.dirname, '../../e2e/helm/chart');

export async function releaseMeasures({ log }: BenchOptions): Promise<Measure[]> {
  const data = mkdtempSync(join(tmpdir(), 'capstan-bench-helm-'));
  const program = join(import.meta.dirname, '../apiserver/serve.ts');
  const server = spawn(process.execPath, [program, data, '16543'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(createInterface({ input: server.stdout! }), 'line')) as [string];
    const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
    const { transport } = await connect({ path: kubeconfig });
    const helm = createHelm({ client: createClient({ transport }), namespace: 'default' });
    const measures = await compareOn(helm, kubeconfig, log);
    await transport.close();
    return measures;
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}

async function compareOn(helm: Helm, kubeconfig: string, log: BenchOptions['log']): Promise<Measure[]> {
  const chart = await loadChart(chartFolder);
  log(`${RELEASES} installs`);
  const installs = await perSecond(RELEASES, at => install(helm, { name: `r${at}`, chart, values: {} }));
  log(`${RELEASES} upgrades`);
  const upgrades = await perSecond(RELEASES, at => upgradeOne(helm, chart, at));
  log('lists');
  const list = await milliseconds(() => listReleases(helm));

  const helm4 = findPeer('helm4');
  const peerName = 'helm 4';
  const note = helm4 ? `${PEER_RELEASES} releases by helm` : 'no helm here: run "npm run peers -- helm4" (needs Go)';
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  const call = (...args: string[]) => run(helm4!, args, { env, maxBuffer: 64 * 1024 * 1024 });
  let peer: { installs: number; upgrades: number; list: number } | undefined;
  if (helm4) {
    log('the same by helm');
    peer = {
      installs: await perSecond(PEER_RELEASES, at => call('install', `p${at}`, chartFolder)),
      upgrades: await perSecond(PEER_RELEASES, at => call('upgrade', `p${at}`, chartFolder, '--set', 'colour=red')),
      list: await milliseconds(() => call('list', '--max', '0')),
    };
  }
  const shared = { peerName, note, ratioAim: 5 };
  return [
    compare({
      ...shared,
      name: 'releases installed',
      unit: '/s',
      better: 'higher',
      ours: installs,
      peer: peer?.installs,
    }),
    compare({
      ...shared,
      name: 'releases upgraded',
      unit: '/s',
      better: 'higher',
      ours: upgrades,
      peer: peer?.upgrades,
    }),
    compare({
      ...shared,
      name: `list of ${RELEASES} releases`,
      unit: 'ms',
      better: 'lower',
      ours: list,
      peer: peer?.list,
      ratioAim: 1,
    }),
  ];
}

const upgradeOne = (helm: Helm, chart: Chart, at: number) =>
  upgrade(helm, { name: `r${at}`, chart, values: { colour: 'red', extra: false } });

async function perSecond(count: number, one: (at: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const begin = performance.now();
  const worker = async (): Promise<void> => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return count / ((performance.now() - begin) / 1000);
}

async function milliseconds(step: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await step();
  return performance.now() - begin;
}
