/**
 * Rendering a chart, warm in a process that runs (as a controller does it) and cold in one that starts (as a person does it), against
 * `helm template` on the same chart in the same run. Public charts come from CAPSTAN_CHARTS, a folder of them.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Chart, loadChart, render, templateText } from '@capstan/helm';
import { publicCharts } from '../../packages/helm/src/testing/public-charts.ts';
import { findPeer } from '../../scripts/peers/find.ts';
import { type BenchOptions, compare, type Measure, median } from '../measure.ts';

const ROUNDS = 15;
const PROCESS_ROUNDS = 7;
const capstan = join(import.meta.dirname, '../../packages/cli/bin/capstan.mjs');

interface Timing {
  readonly name: string;
  readonly folder: string;
  /** Characters of output. */
  readonly size: number;
  readonly warm: number;
  readonly peer: number | undefined;
}

function milliseconds(rounds: number, operation: () => void): number {
  const times = Array.from({ length: rounds }, () => {
    const start = process.hrtime.bigint();
    operation();
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
  return median(times);
}

const values = { lokiAddress: 'http://loki' };

function renderOnce(chart: Chart): string {
  return templateText(render(chart, { values, release: { name: 'rel', namespace: 'ns' } }));
}

function processTime(program: string, args: readonly string[]): number {
  return milliseconds(PROCESS_ROUNDS, () => {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  });
}

const argumentsFor = (folder: string): string[] => [
  ...['template', 'rel', folder, '--namespace', 'ns'],
  ...['--set', `lokiAddress=${values.lokiAddress}`],
];

async function time(folder: string, name: string, helm: string | undefined): Promise<Timing> {
  const chart = await loadChart(folder);
  const { length: size } = renderOnce(chart);
  milliseconds(ROUNDS, () => void renderOnce(chart)); // until the engine has compiled what is hot
  const warm = milliseconds(ROUNDS, () => void renderOnce(chart));
  return { name, size, warm, folder, peer: helm === undefined ? undefined : processTime(helm, argumentsFor(folder)) };
}

export async function renderMeasures({ log }: BenchOptions): Promise<Measure[]> {
  const charts = publicCharts();
  if (charts.length === 0) {
    log('rendering is not measured: CAPSTAN_CHARTS names no folder of charts');
    return [];
  }
  const helm = findPeer('helm4');
  const timings: Timing[] = [];
  for (const { name, folder } of charts) {
    const timing = await time(folder, name, helm);
    timings.push(timing);
    log(
      `${name}: ${timing.warm.toFixed(1)} ms, helm ${timing.peer?.toFixed(0) ?? 'missing'} ms, ${timing.size} characters`,
    );
  }
  const bySize = timings.toSorted((left, right) => right.size - left.size);
  const large = bySize[0]!;
  const middle = timings.toSorted((left, right) => left.warm - right.warm)[Math.floor(timings.length / 2)]!;
  const cold = processTime(process.execPath, [capstan, 'helm', ...argumentsFor(large.folder)]);
  const pair = (what: string, { name, warm, peer }: Timing, ratioAim: number, limit: number): Measure[] => {
    const shared = { unit: 'ms', better: 'lower', ours: warm, peer, peerName: 'helm template' } as const;
    const note = helm === undefined ? 'npm run peers -- helm4 to compare' : name;
    return [
      compare({ ...shared, name: `render warm, ${what}`, note, ratioAim }),
      compare({ ...shared, name: `render warm, ${what}`, note, limit }),
    ];
  };
  return [
    ...pair('largest chart', large, 5, 60),
    ...pair('median chart', middle, 30, 10),
    compare({
      name: 'render cold, largest chart, as a new process',
      unit: 'ms',
      better: 'lower',
      ours: cold,
      peer: large.peer,
      peerName: 'helm template',
      ratioAim: 1,
    }),
  ];
}
