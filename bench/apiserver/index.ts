/**
 * The embedded API server against kube-apiserver with etcd: the same client, the same requests, HTTPS and a durable store on both
 * sides, one after the other on the same machine.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApiServer } from '@capstan/apiserver';
import { startRealApiServer } from '../../e2e/real/apiserver.ts';
import { findPeer } from '../../scripts/peers/find.ts';
import { type BenchOptions, compare, type Measure } from '../measure.ts';
import { Load, type Target } from './load.ts';

const OBJECTS = 10_000;
const WATCHERS = 100;
const EVENTS = 1_000;

interface Figures {
  readonly creates: number;
  readonly updates: number;
  readonly applies: number;
  readonly list: number;
  readonly fanOut: number;
  /** Resident megabytes with all objects in it. */
  readonly memory: number;
}

export async function run({ log }: BenchOptions): Promise<readonly Measure[]> {
  const ours = await embedded(log);
  const peer = findPeer('kube-apiserver') && findPeer('etcd') ? await real(log) : undefined;
  const note = peer ? undefined : 'no kube-apiserver here: run "npm run peers" (needs Go)';
  const peerName = 'kube-apiserver + etcd';
  const measure = (
    name: string,
    key: keyof Figures,
    unit: string,
    better: 'higher' | 'lower',
    ratioAim: number,
  ): Measure => compare({ name, unit, better, ours: ours[key], peer: peer?.[key], peerName, note, ratioAim });
  return [
    measure('creates', 'creates', '/s', 'higher', 3),
    measure('updates', 'updates', '/s', 'higher', 3),
    measure('server-side applies', 'applies', '/s', 'higher', 3),
    measure(`list of ${OBJECTS}`, 'list', 'ms', 'lower', 3),
    measure(`${WATCHERS} watchers × ${EVENTS} events`, 'fanOut', 'events/s', 'higher', 3),
    measure(`memory at ${OBJECTS} objects`, 'memory', 'MB', 'lower', 1),
    compare({ name: 'fork of 200 objects', unit: 'ms', better: 'lower', ours: await fork(), limit: 0.2 }),
  ];
}

async function figures(target: Target, pids: () => readonly number[], log: BenchOptions['log']): Promise<Figures> {
  const load = new Load(target);
  try {
    log('warm-up');
    await load.warmUp(2_000);
    log('creates');
    const creates = await load.creates(OBJECTS);
    const memory = pids().reduce((sum, pid) => sum + resident(pid), 0);
    log('updates');
    const updates = await load.updates(OBJECTS / 2);
    log('applies');
    const applies = await load.applies(OBJECTS / 2);
    log('lists');
    const list = await load.list();
    log('watchers');
    const fanOut = await load.fanOut(target, WATCHERS, EVENTS);
    return { creates, updates, applies, list, fanOut, memory };
  } finally {
    await load.close();
  }
}

async function embedded(log: BenchOptions['log']): Promise<Figures> {
  log('embedded API server');
  const data = mkdtempSync(join(tmpdir(), 'capstan-bench-'));
  const program = join(import.meta.dirname, 'serve.ts');
  const child = spawn(process.execPath, [program, data, '16443'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [first] = await Array.fromAsync(take(createInterface({ input: child.stdout }), 1));
    const { kubeconfig } = JSON.parse(first!) as { kubeconfig: string };
    const config = JSON.parse(readFileSync(kubeconfig, 'utf8'));
    const { server: url, 'certificate-authority-data': ca } = config.clusters[0].cluster;
    const target = { url, ca: Buffer.from(ca, 'base64').toString(), token: config.users[0].user.token };
    return await figures(target, () => [child.pid!], log);
  } finally {
    child.kill('SIGTERM');
    await new Promise(resolve => child.once('exit', resolve));
  }
}

async function real(log: BenchOptions['log']): Promise<Figures> {
  log('kube-apiserver and etcd');
  const server = await startRealApiServer({ durable: true });
  try {
    const target = { url: server.url, ca: Buffer.from(server.caData, 'base64').toString(), token: server.token };
    return await figures(
      target,
      () => [...pidsWith('kube-apiserver', server.url), ...pidsWith('etcd', server.etcdUrl)],
      log,
    );
  } finally {
    await server.stop();
  }
}

async function* take<T>(items: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  let left = count;
  for await (const item of items) {
    yield item;
    if (--left === 0) return;
  }
}

/** The processes of this program that were told to listen on the port of this address. */
function* pidsWith(program: string, url: string): Generator<number> {
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    const file = `/proc/${pid}/cmdline`;
    const [path = '', ...flags] = existsSync(file) ? readFileSync(file, 'utf8').split('\0') : [];
    if (path.endsWith(`/${program}`) && flags.some(flag => flag.includes(new URL(url).port))) yield Number(pid);
  }
}

function resident(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1] ?? 0) / 1024;
}

/** Milliseconds, the median of many: forks are what the fault explorer lives on. */
async function fork(): Promise<number> {
  const server = await createApiServer();
  const transport = server.transport();
  for (let n = 0; n < 200; n++) {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `fork-${n}` }, data: { n: String(n) } };
    await transport.request({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body });
  }
  const times: number[] = [];
  for (let turn = 0; turn < 501; turn++) {
    const begin = performance.now();
    const copy = server.fork();
    times.push(performance.now() - begin);
    await copy.close();
  }
  return times.sort((a, b) => a - b)[250]!;
}
