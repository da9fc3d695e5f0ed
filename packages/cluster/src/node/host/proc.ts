/** What Linux tells of processes under /proc. */
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** Together with the pid this names one process for ever: pids are used again, but not with the same start. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot, as text. */
  readonly startTime: string;
}

export function startTimeOf(pid: number): string | undefined {
  try {
    return statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'))[19];
  } catch {
    return undefined;
  }
}

/** The fields after the program's name, which may hold spaces and brackets itself. The first is the state. */
function statFields(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Changes with every start of the machine: what it says of processes is void after that. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/** Processes whose environment holds the assignment `variable=value` for one of the values. */
export async function processesWith(variable: string, values: ReadonlySet<string>): Promise<number[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async pid => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return holdsAny(environment, variable, values) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

function holdsAny(environment: string, variable: string, values: ReadonlySet<string>): boolean {
  const at = environment.startsWith(`${variable}=`) ? 0 : environment.indexOf(`\0${variable}=`) + 1;
  if (at === 0 && !environment.startsWith(`${variable}=`)) return false;
  const begin = at + variable.length + 1;
  const end = environment.indexOf('\0', begin);
  return values.has(environment.slice(begin, end < 0 ? undefined : end));
}

export const isLinux = (): boolean => process.platform === 'linux' && readdirSync('/proc').length > 0;
