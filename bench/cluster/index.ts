/**
 * How long a cluster takes to be there: from the start of the program to its first answered request, beside kube-apiserver with etcd.
 * HTTPS, an authority of its own and a durable store on both sides; all of these are made anew in every round.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, loadKubeconfig, namespaces, transportFromKubeconfig } from '@capstan/kube';
import { startRealApiServer } from '../../e2e/real/apiserver.ts';
import { findPeer } from '../../scripts/peers/find.ts';
import { type BenchOptions, compare, type Measure, median } from '../measure.ts';

const ROUNDS = 7;
const REAL_ROUNDS = 3;
const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export async function run({ log }: BenchOptions): Promise<readonly Measure[]> {
  spawnSync(process.execPath, [inRepository('scripts/bundle/main.mjs')], { stdio: 'inherit' });
  const fresh: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
    fresh.push(await startOurs(folder));
    again.push(await startOurs(folder));
    rmSync(folder, { recursive: true, force: true });
    log(`ours: ${fresh.at(-1)!.toFixed(0)} ms, again ${again.at(-1)!.toFixed(0)} ms`);
  }
  const real = findPeer('kube-apiserver') && findPeer('etcd') ? await startReal(log) : undefined;
  const note = real ? undefined : 'no kube-apiserver here: run "npm run peers" (needs Go)';
  const name = 'start to first answered request, new data';
  const measure = { unit: 'ms', better: 'lower', peer: real, peerName: 'kube-apiserver + etcd', note } as const;
  return [
    compare({ ...measure, name, ours: median(fresh), ratioAim: 20 }),
    compare({ ...measure, name, ours: median(fresh), limit: 300 }),
    compare({
      name: 'start to first answered request, data of a former run',
      unit: 'ms',
      better: 'lower',
      ours: median(again),
      limit: 300,
    }),
  ];
}

async function startOurs(folder: string): Promise<number> {
  const began = performance.now();
  const program = spawn(
    process.execPath,
    [inRepository('packages/cli/bin/capstan.mjs'), 'cluster', '--data', join(folder, 'data')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise<number | null>(resolve => program.once('exit', resolve));
  const said = new Promise<void>(resolve => program.stdout.once('data', () => resolve()));
  const code = await Promise.race([said, ended]);
  if (typeof code === 'number') throw new Error(`capstan cluster ended with ${code}`);
  const transport = await transportFromKubeconfig(await loadKubeconfig({ path: join(folder, 'data/kubeconfig') }));
  await createClient({ transport }).get(namespaces, { name: 'default' });
  const milliseconds = performance.now() - began;
  await transport.close();
  program.kill('SIGTERM');
  await ended;
  return milliseconds;
}

async function startReal(log: BenchOptions['log']): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < REAL_ROUNDS; round++) {
    const began = performance.now();
    const server = await startRealApiServer({ durable: true });
    times.push(performance.now() - began);
    await server.stop();
    log(`kube-apiserver + etcd: ${times.at(-1)!.toFixed(0)} ms`);
  }
  return median(times);
}
