/** Ends what an earlier Capstan on the same folder left running, and nothing else. */
import { type Clock, sleep, systemClock } from '@capstan/kube';
import { bootId, processesWith, startTimeOf } from './proc.ts';
import type { RunningFiles, RunningRecord } from './running-files.ts';

/** Marks every process of a container, and so what it started, wherever that went. */
export const CONTAINER_VARIABLE = 'CAPSTAN_CONTAINER_ID';
/** The same for all containers of one data folder. */
export const NODE_VARIABLE = 'CAPSTAN_NODE_ID';
/** The same for all containers of one run of Capstan: what cleans up after one must spare the next, which may have begun already. */
export const RUN_VARIABLE = 'CAPSTAN_RUN_ID';

/** How many processes it ended. After it, none of them is left and the records are gone. */
export async function endLeftBehind(files: RunningFiles, clock: Clock = systemClock): Promise<number> {
  const records = files.all();
  if (records.length === 0) return 0;
  const boot = bootId();
  let ended = 0;
  for (const record of records) {
    if (record.bootId === boot && isStill(record)) ended += signalGroup(record.pid) ? 1 : 0;
  }
  ended += await endMarked(new Set(records.map(({ containerId }) => containerId)), clock);
  for (const { containerId } of records) files.remove(containerId);
  return ended;
}

/** SIGKILL works soon, not at once. */
const PATIENCE = 2_000;
const BETWEEN_LOOKS = 5;

/** Ends every process that carries the mark of one of these containers, in their own group or not, and waits until they are gone. */
export async function endMarked(containerIds: ReadonlySet<string>, clock: Clock): Promise<number> {
  const ended = new Set<number>();
  const enough = clock.monotonic() + PATIENCE;
  for (;;) {
    const pids = await processesWith(CONTAINER_VARIABLE, containerIds);
    if (pids.length === 0 || clock.monotonic() > enough) return ended.size;
    for (const pid of pids) if (signal(pid)) ended.add(pid);
    await sleep(clock, BETWEEN_LOOKS);
  }
}

/** A pid that was used again belongs to someone else: its start tells. */
function isStill({ pid, startTime }: RunningRecord): boolean {
  return pid > 1 && startTimeOf(pid) === startTime;
}

export function signalGroup(leader: number): boolean {
  return leader > 1 && signal(-leader);
}

function signal(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
