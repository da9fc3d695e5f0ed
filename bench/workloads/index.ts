/** The embedded cluster with work to do: how soon it is there, how soon Pods run, and what ten thousand of them weigh. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BenchOptions, compare, type Measure, median } from '../measure.ts';
import { capstanUp, type RunningUp } from './capstan-up.ts';
import { createPods, untilAvailable } from './deployments.ts';
import type { SimulatedResult } from './simulated.ts';

const ROUNDS = 5;
const REAL_PODS = 50;
const SIMULATED_PODS = 10_000;
const seconds = (milliseconds: number): number => milliseconds / 1000;

export async function run({ log }: BenchOptions): Promise<readonly Measure[]> {
  spawnSync(process.execPath, [fileURLToPath(new URL('../../scripts/bundle/main.mjs', import.meta.url))]);
  return [...(await starts(log)), await realPods(log), ...(await simulatedPods(log))];
}

/** From the start of the program to its word that everything runs, on new data and on that of a former run. */
async function starts(log: BenchOptions['log']): Promise<Measure[]> {
  const [fresh, again]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    await inFolder(async data => {
      for (const times of [fresh, again]) {
        const capstan = await capstanUp(data);
        times.push(capstan.readyAfter);
        await capstan.stop();
      }
    });
    log(`capstan up: ${fresh.at(-1)!.toFixed(0)} ms, again ${again.at(-1)!.toFixed(0)} ms`);
  }
  const measure = { unit: 'ms', better: 'lower', limit: 1000 } as const;
  return [
    compare({ ...measure, name: 'capstan up to everything running, new data', ours: median(fresh) }),
    compare({ ...measure, name: 'capstan up to everything running, data of a former run', ours: median(again) }),
  ];
}

async function realPods(log: BenchOptions['log']): Promise<Measure> {
  const took = await inFolder(async data => {
    const capstan: RunningUp = await capstanUp(data);
    const client = await capstan.client();
    const began = performance.now();
    await createPods(client, { deployments: 1, replicas: REAL_PODS, image: 'capstan/demo-http' });
    await untilAvailable(client, REAL_PODS);
    const milliseconds = performance.now() - began;
    await client.transport.close();
    await capstan.stop();
    return milliseconds;
  });
  log(`${REAL_PODS} Pods of real processes: ${took.toFixed(0)} ms`);
  const name = `${REAL_PODS} Pods that are Node processes, from their Deployment to available`;
  return compare({ name, unit: 's', better: 'lower', ours: seconds(took), limit: 10 });
}

/** In a process of its own, whose memory is that of the whole cluster. */
async function simulatedPods(log: BenchOptions['log']): Promise<Measure[]> {
  const program = fileURLToPath(new URL('simulated.ts', import.meta.url));
  const result = await inFolder(async data => {
    const child = spawn(process.execPath, [program, data, String(SIMULATED_PODS)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    await once(child, 'exit');
    return JSON.parse(line) as SimulatedResult;
  });
  const megabytes = result.peakBytes / 1e6;
  log(`${SIMULATED_PODS} simulated Pods: ${result.milliseconds.toFixed(0)} ms, ${megabytes.toFixed(0)} MB at most`);
  const name = `${SIMULATED_PODS.toLocaleString('en')} simulated Pods, from their Deployments to available`;
  const note = `${result.processorSeconds.toFixed(1)} s of processor time`;
  return [
    compare({ name, unit: 's', better: 'lower', ours: seconds(result.milliseconds), limit: 60, note }),
    compare({
      name: 'the whole process with them, at its largest',
      unit: 'MB',
      better: 'lower',
      ours: megabytes,
      limit: 1000,
    }),
  ];
}

async function inFolder<T>(work: (data: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  try {
    return await work(join(folder, 'data'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
