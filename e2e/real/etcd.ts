import { join } from 'node:path';
import { request } from 'undici';
import { type Leashed, startLeashed } from './leash.ts';
import { freePorts } from './ports.ts';
import { GaveUp, until } from './until.ts';

export interface Etcd {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** One etcd on loopback. `durable: false` leaves out fsync, which tests do not need and benchmarks must not leave out. */
export async function startEtcd(program: string, folder: string, durable: boolean): Promise<Etcd> {
  const [client, peer] = await freePorts(2);
  const url = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const etcd = startLeashed(
    'etcd',
    [
      program,
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=default=${peerUrl}`,
      '--log-level=warn',
      ...(durable ? [] : ['--unsafe-no-fsync']),
    ],
    join(folder, 'etcd.log'),
    folder,
  );
  await untilAnswers(etcd, `${url}/health`);
  return { url, stop: () => etcd.stop() };
}

async function untilAnswers(program: Leashed, url: string): Promise<void> {
  await until(`${program.name} answers`, async () => {
    throwIfGone(program);
    const { statusCode, body } = await request(url);
    await body.dump();
    return statusCode === 200;
  });
}

/** A program that ended while it was waited for will not answer any more: says what it wrote last. */
export function throwIfGone(program: Leashed): void {
  const code = program.exitCode();
  if (code !== undefined) throw new GaveUp(`${program.name} ended with code ${code}:\n${program.lastLines()}`);
}
