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

/** Empty where it ended meanwhile, or is another user's. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
