/** Where the logs of a Pod's containers are: a file for each instance, of which the last two are kept. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@capstan/kube';
import { ContainerLog } from './container-log.ts';
import { parseLine } from './log-line.ts';

export class PodLogs {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #open = new Map<string, ContainerLog>();

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Begins the log of the instance after so many restarts, and forgets the one before the previous. */
  begin(container: string, restarts: number): ContainerLog {
    const log = new ContainerLog(this.fileOf(container, restarts), { clock: this.#clock });
    this.#open.set(container, log);
    const old = this.fileOf(container, restarts - 2);
    rmSync(old, { force: true });
    rmSync(`${old}.1`, { force: true });
    return log;
  }

  fileOf(container: string, restarts: number): string {
    return join(this.#folder, container, `${restarts}.log`);
  }

  /** The log of the instance that runs now, if it is this one. */
  live(container: string, restarts: number): ContainerLog | undefined {
    const log = this.#open.get(container);
    return log?.file === this.fileOf(container, restarts) ? log : undefined;
  }

  /** The last words of an instance, for `terminationMessagePolicy: FallbackToLogsOnError`. */
  lastWords(container: string, restarts: number, { lines = 80, bytes = 2048 } = {}): string {
    let stored: Buffer;
    try {
      stored = readFileSync(this.fileOf(container, restarts));
    } catch {
      return '';
    }
    const rows = stored
      .toString('latin1')
      .split('\n')
      .slice(-lines - 1, -1);
    const text = Buffer.concat(rows.map(row => Buffer.from(parseLine(Buffer.from(row, 'latin1'))?.content ?? [])));
    return text.subarray(-bytes).toString('utf8');
  }
}
