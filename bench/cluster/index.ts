/**
 * How long a cluster takes to be there: from the start of the program to its first answered request, beside kube-apiserver with etcd.
 * HTTPS, an authority of its own and a durable store on both sides; all of these are made anew in every round.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  await ask(join(folder, 'data/kubeconfig'));
  const milliseconds = performance.now() - began;
  program.kill('SIGTERM');
  await ended;
  return milliseconds;
}

/** One request of the administrator's, with as little of a client as possible. */
async function ask(kubeconfig: string): Promise<void> {
  const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8'));
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
  const headers = { authorization: `Bearer ${users[0].user.token}` };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const options = { ca: Buffer.from(ca, 'base64'), headers, agent: false };
    const sent = request(`${server}/api/v1/namespaces/default`, options, answer => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.once('error', reject).end();
  });
  if (status !== 200) throw new Error(`the first request was answered with ${status}`);
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
