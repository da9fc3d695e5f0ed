/** From what a user calls a chart to the chart. */
import { text as readAll } from 'node:stream/consumers';
import { type Chart, findChart, type PullOptions } from '@capstan/helm';

export interface ChartFlags {
  readonly version?: string;
  readonly devel?: boolean;
  readonly repo?: string;
  readonly username?: string;
  readonly passwordStdin?: boolean;
  readonly passCredentials?: boolean;
  readonly plainHttp?: boolean;
}

/** How to reach it. A password on the command line would be seen by every user of the machine. */
export async function pullOptions(flags: ChartFlags): Promise<PullOptions> {
  const password = flags.passwordStdin ? (await readAll(process.stdin)).trimEnd() : '';
  return {
    ...(flags.version ? { version: flags.version } : flags.devel && { version: '>0.0.0-0' }),
    ...(flags.repo && { repository: flags.repo }),
    ...(flags.username && { credentials: { username: flags.username, password } }),
    passCredentials: flags.passCredentials ?? false,
    plainHttp: flags.plainHttp ?? false,
  };
}

export async function chartFrom(name: string, flags: ChartFlags, options: PullOptions = {}): Promise<Chart> {
  return findChart(name, { ...options, ...(await pullOptions(flags)) });
}
