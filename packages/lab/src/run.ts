/** One run of a scenario: a fork of its cluster, a clock at its beginning, the faults that are due. */
import type { ApiServer } from '@capstan/apiserver';
import { type Client, type Clock, createClient, type Random, type Transport } from '@capstan/kube';
import { describeFault, type Fault } from './fault.ts';
import { LabProcess, type RunState } from './process.ts';
import { seededRandom } from './seeded-random.ts';
import { SteppedClock } from './stepped-clock.ts';

export interface Scenario {
  readonly name: string;
  /** What is there before the program starts: definitions, objects of the user. Done once, then forked. */
  arrange(client: Client): Promise<void>;
  /** Starts the program under test, anew after every crash. It must reach the world only through what it is given. */
  start(world: World): void | Promise<void>;
  /** What the user does while the program runs; called once, when the program has come to rest for the first time. */
  act?(client: Client): Promise<void>;
  /** The end state, as far as it must not depend on faults: without uids, versions and times. */
  observe(client: Client): Promise<unknown>;
  /** Looks at every version of every object as it is written; what it says is a violation. */
  always?(change: ObservedChange): string | undefined;
  /** By when, in virtual milliseconds, everything has to be done, faults included. */
  readonly deadline: number;
  /** How many writes a run may have beyond the undisturbed one, for each fault. Default: as many as the undisturbed run has. */
  readonly writeBudget?: number;
}

export interface World {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ObservedChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly table: string;
  // biome-ignore lint/suspicious/noExplicitAny: an oracle looks at whatever kind it is about
  readonly object: any;
}

export interface RunResult {
  readonly end: unknown;
  /** All writes of the program, through all its lives. */
  readonly writes: number;
  readonly violations: readonly string[];
}

/** How long a program is down after a crash. */
const DOWNTIME = 1_000;
/** How long nothing may be written once everything is done. */
const SILENCE = 10 * 60_000;

export interface Prepared {
  readonly scenario: Scenario;
  readonly server: ApiServer;
  /** Where the clock of every run begins. */
  readonly start: number;
  readonly seed: number;
}

export async function runOnce(prepared: Prepared, faults: readonly Fault[]): Promise<RunResult> {
  const { scenario, seed } = prepared;
  const clock = new SteppedClock(prepared.start);
  const random = seededRandom(seed);
  const server = prepared.server.fork({ clock, random });
  const { store } = server.backend;
  const client = createClient({ transport: server.transport(), clock, random });
  const violations: string[] = [];
  const begin = clock.now();
  const state: RunState = {
    faults,
    writes: 0,
    compact: () => store.compact(store.revision),
    jump: milliseconds => clock.jump(milliseconds),
  };

  const stopWatching = watchAll(server, change => {
    const violation = scenario.always?.(change);
    if (violation !== undefined) violations.push(violation);
  });
  let process: LabProcess | undefined;
  let ended = false;
  const launch = (): void => {
    process = new LabProcess(server.transport(), clock, state, () => {
      if (!ended) clock.after(DOWNTIME, launch);
    });
    const { transport } = process;
    Promise.resolve(scenario.start({ transport, clock: process.clock, random })).catch((error: unknown) => {
      if (process?.alive) violations.push(`the program failed to start: ${String(error)}`);
    });
  };
  launch();

  if (scenario.act) {
    await clock.runUntil(begin + scenario.deadline / 2);
    await scenario.act(client);
  }
  await clock.runUntil(begin + scenario.deadline);
  const end = await scenario.observe(client);
  const { writes } = state;
  await clock.advance(SILENCE);
  if (state.writes > writes) {
    violations.push(`not silent: ${state.writes - writes} writes after everything was done`);
  }
  ended = true;
  process?.kill();
  stopWatching();
  await server.close();
  return { end, writes, violations };
}

/** Follows every table, those that come into being later included. */
function watchAll({ backend: { store, kinds } }: ApiServer, see: (change: ObservedChange) => void): () => void {
  const tables = new Set([...kinds.all()].map(kind => `${kind.storage.group}/${kind.storage.plural}`));
  const stops = [...tables].map(table =>
    store.watch(table, store.revision, ({ type, entry }) => see({ type, table, object: entry.object })),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

export const describeFaults = (faults: readonly Fault[]): string =>
  faults.length === 0 ? 'no fault' : faults.map(describeFault).join(', ');
