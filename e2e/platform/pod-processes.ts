/** What runs on this machine for the Pods of a data folder, by the marks that the node gives its processes. */
import { readdirSync, readFileSync } from 'node:fs';

export interface PodProcess {
  readonly pid: number;
  /** The container and its instance: a container that was started anew has another one. */
  readonly containerId: string;
  readonly podUid: string;
}

/** @param mark `CAPSTAN_NODE_ID=…` */
export function podProcesses(mark: string): PodProcess[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const environment = environmentOf(name);
      if (!environment.includes(mark)) return [];
      const variable = (key: string): string =>
        environment.find(entry => entry.startsWith(`${key}=`))?.slice(key.length + 1) ?? '';
      return [
        { pid: Number(name), containerId: variable('CAPSTAN_CONTAINER_ID'), podUid: variable('CAPSTAN_TEST_POD_UID') },
      ];
    });
}

/** Throws with what runs, where something does: for waiting until nothing is left. */
export function nothingRuns(mark: string): true {
  const left = podProcesses(mark).map(({ pid }) => `${pid} ${commandOf(pid)}`);
  if (left.length > 0) throw new Error(`still running: ${left.join('; ')}`);
  return true;
}

function commandOf(pid: number): string {
  try {
    const state = /^State:.*$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[0];
    return `${state} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  } catch {
    return 'gone';
  }
}

/** Empty where it ended meanwhile, or is another user's. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
