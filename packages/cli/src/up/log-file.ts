/** The log of everything that runs in the cluster, as lines of JSON in the data folder; the terminal is for the person. */
import { createWriteStream, existsSync, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createLog, type Log } from '@capstan/controller';
import { systemClock } from '@capstan/kube';

export interface LogFile {
  readonly path: string;
  readonly log: Log;
  close(): Promise<void>;
}

/** Beyond this the file of the former runs is put aside, as `.old`, at the next start. */
const LARGEST = 10_000_000;

export function openLogFile(dataFolder: string): LogFile {
  const path = join(dataFolder, 'capstan.log');
  if (existsSync(path) && statSync(path).size > LARGEST) renameSync(path, `${path}.old`);
  const stream: WriteStream = createWriteStream(path, { flags: 'a', mode: 0o600 });
  // A full disk must not end the cluster for the sake of its log.
  stream.on('error', () => {});
  return {
    path,
    log: createLog({ clock: systemClock, destination: stream }),
    close: () => new Promise(resolve => stream.end(resolve)),
  };
}
