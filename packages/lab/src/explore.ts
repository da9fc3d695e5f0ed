/** Runs a scenario with every crash there can be, and compares each run with the undisturbed one. */
import { isDeepStrictEqual } from 'node:util';
import { createApiServer } from '@capstan/apiserver';
import { createClient, systemClock } from '@capstan/kube';
import type { Fault } from './fault.ts';
import { describeFaults, type Prepared, type RunResult, runOnce, type Scenario } from './run.ts';
import { seededRandom } from './seeded-random.ts';
import { SteppedClock } from './stepped-clock.ts';

export interface ExploreOptions {
  /** Default: 1. */
  readonly seed?: number;
  /** Singles, or singles and all pairs. Default: pairs. */
  readonly depth?: 'singles' | 'pairs';
  /** Further schedules to run, beyond the crashes. */
  readonly also?: readonly (readonly Fault[])[];
  /** Stop after so many failures; the rest would say the same. Default: all are run. */
  readonly failFast?: number;
}

export interface Failure {
  readonly faults: readonly Fault[];
  readonly seed: number;
  /** One sentence for each oracle that objected. */
  readonly why: readonly string[];
}

export interface Exploration {
  readonly scenario: string;
  /** Writes of the undisturbed run. */
  readonly writes: number;
  readonly schedules: number;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

/** All single crash points (before and after each write) and all pairs of them, each followed to the end. */
export async function explore(scenario: Scenario, options: ExploreOptions = {}): Promise<Exploration> {
  const { seed = 1, depth = 'pairs', also = [], failFast = Number.POSITIVE_INFINITY } = options;
  const begin = systemClock.monotonic();
  const prepared = await prepare(scenario, seed);
  const baseline = await runOnce(prepared, []);
  const failures: Failure[] = [];
  let schedules = 1;
  const objections = judge(baseline, baseline, scenario, []);
  if (objections.length > 0) failures.push({ faults: [], seed, why: objections });

  const attempt = async (faults: readonly Fault[]): Promise<RunResult> => {
    schedules++;
    const result = await runOnce(prepared, faults);
    const why = judge(result, baseline, scenario, faults);
    if (why.length > 0) failures.push({ faults, seed, why });
    return result;
  };
  const enough = (): boolean => failures.length >= failFast;

  for (const first of crashes(1, baseline.writes)) {
    if (enough()) break;
    const { writes } = await attempt([first]);
    if (depth === 'singles') continue;
    // The second crash is counted in the run that the first one made: it may have more writes than the undisturbed one.
    for (const second of crashes(first.write + 1, writes)) {
      if (enough()) break;
      await attempt([first, second]);
    }
  }
  for (const faults of also) if (!enough()) await attempt(faults);
  const seconds = (systemClock.monotonic() - begin) / 1000;
  return { scenario: scenario.name, writes: baseline.writes, schedules, failures, seconds };
}

/** One schedule alone, as a failure names it: for looking closer. */
export async function replay(scenario: Scenario, faults: readonly Fault[], seed = 1): Promise<readonly string[]> {
  const prepared = await prepare(scenario, seed);
  const baseline = await runOnce(prepared, []);
  return judge(await runOnce(prepared, faults), baseline, scenario, faults);
}

async function prepare(scenario: Scenario, seed: number): Promise<Prepared> {
  const clock = new SteppedClock();
  const random = seededRandom(seed);
  const server = await createApiServer({ clock, random });
  await scenario.arrange(createClient({ transport: server.transport(), clock, random }));
  return { scenario, server, start: clock.now(), seed };
}

type Crash = Extract<Fault, { kind: 'crash' }>;

function* crashes(from: number, to: number): Generator<Crash> {
  for (let write = from; write <= to; write++) {
    yield { kind: 'crash', when: 'before', write };
    yield { kind: 'crash', when: 'after', write };
  }
}

function judge(result: RunResult, baseline: RunResult, scenario: Scenario, faults: readonly Fault[]): string[] {
  const why = [...new Set(result.violations)];
  if (!isDeepStrictEqual(result.end, baseline.end)) {
    why.push(`another end: ${JSON.stringify(result.end)} instead of ${JSON.stringify(baseline.end)}`);
  }
  const budget = baseline.writes + faults.length * (scenario.writeBudget ?? baseline.writes);
  if (result.writes > budget) why.push(`${result.writes} writes, ${budget} would do`);
  return why;
}

/** A few lines for a person: how many, how fast, and each failure with what repeats it. */
export function report({ scenario, writes, schedules, failures, seconds }: Exploration): string {
  const rate = Math.round(schedules / seconds);
  const head = `${scenario}: ${schedules} schedules of ${writes} writes, ${failures.length} failed, ${rate} schedules/s`;
  const lines = failures.slice(0, 10).map(({ faults, seed, why }) => {
    return `  seed ${seed}, ${describeFaults(faults)}\n${why.map(text => `    ${text}`).join('\n')}`;
  });
  if (failures.length > 10) lines.push(`  … and ${failures.length - 10} more`);
  return [head, ...lines].join('\n');
}
