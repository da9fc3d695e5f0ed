/**
 * The kit against its peers: controller-runtime (Go) and the informer of client-node, on one recorded stream of 20,000 Pods, as JSON over HTTP on
 * loopback. Each side runs in a process of its own, one after the other; medians of three.
 */
import { type BenchOptions, compare, type Measure, median } from '../measure.ts';
import { against, type Figures, goPeer, node, ours as oursWith } from './processes.ts';

const PODS = 20_000;
const RATE = 1_000;
const LATENCY_EVENTS = 10_000;
const RESTART_PODS = 10_000;
const ROUNDS = 3;
const MEGABYTE = 1_000_000;

export async function run({ log }: BenchOptions): Promise<readonly Measure[]> {
  log('building the Go peer');
  const go = await goPeer();
  const missing = go === undefined ? 'Go is not installed' : undefined;
  const goClient = (...args: readonly string[]) =>
    go === undefined ? undefined : (server: string) => [go, '--server', server, ...args];

  const times = async (
    what: string,
    scenario: string,
    server: readonly string[],
    client: ((server: string) => readonly string[]) | undefined,
  ) => {
    if (client === undefined) return undefined;
    const runs: Figures[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      runs.push(await against(scenario, server, client));
      log(`${what}: ${JSON.stringify(runs.at(-1))}`);
    }
    return (figure: string): number => median(runs.map(each => each[figure]!));
  };

  const pods = String(PODS);
  const ours = (await times('ours, ingest', 'ingest', [pods], server => oursWith('ingest', server, pods)))!;
  const reading = (await times('ours, ingest with every object read', 'ingest', [pods], server =>
    oursWith('read', server, pods),
  ))!;
  const clientNode = (await times('client-node, ingest', 'ingest', [pods], server =>
    node('client-node.ts', 'ingest', server, pods),
  ))!;
  const typed = await times('Go typed, ingest', 'ingest', [pods], goClient('--mode', 'typed', '--events', pods));
  const loose = await times(
    'Go unstructured, ingest',
    'ingest',
    [pods],
    goClient('--mode', 'unstructured', '--events', pods),
  );

  const count = String(LATENCY_EVENTS);
  const paced = [count, String(RATE)];
  const quick = (await times('ours, latency', 'latency', paced, server => oursWith('latency', server, count)))!;
  const goQuick = await times('Go, latency', 'latency', paced, goClient('--measure', 'latency', '--events', count));

  const restart = (await times('ours, restart', 'restart', [String(RESTART_PODS)], server =>
    oursWith('restart', server, '1'),
  ))!;

  const ingest = { unit: 'events/s', better: 'higher', ours: ours('eventsPerSecond') } as const;
  const memory = { unit: 'MB', better: 'lower', ours: ours('rssBytes') / MEGABYTE } as const;
  const latency = {
    unit: 'ms',
    better: 'lower',
    limit: 5,
    peerName: 'controller-runtime, same load',
    note: missing,
  } as const;
  const effort = {
    unit: 's',
    better: 'lower',
    ours: ours('processorSeconds'),
    name: 'processor time of the whole process',
  } as const;
  const inMegabytes = (figure: number | undefined) => (figure === undefined ? undefined : figure / MEGABYTE);
  return [
    compare({
      ...ingest,
      name: 'ingest',
      peer: typed?.('eventsPerSecond'),
      peerName: 'controller-runtime, typed',
      ratioAim: 1.5,
      note: missing,
    }),
    compare({
      ...ingest,
      name: 'ingest',
      peer: loose?.('eventsPerSecond'),
      peerName: 'controller-runtime, unstructured',
      ratioAim: 1.5,
      note: missing,
    }),
    compare({ ...ingest, name: 'ingest', peer: clientNode('eventsPerSecond'), peerName: 'client-node', ratioAim: 5 }),
    compare({
      ...ingest,
      name: 'ingest with every object read',
      ours: reading('eventsPerSecond'),
      peer: clientNode('eventsPerSecond'),
      peerName: 'client-node',
      ratioAim: 1,
    }),
    compare({
      ...effort,
      peer: typed?.('processorSeconds'),
      peerName: 'controller-runtime, typed',
      ratioAim: 1.5,
      note: missing,
    }),
    compare({ ...effort, peer: clientNode('processorSeconds'), peerName: 'client-node', ratioAim: 1 }),
    compare({
      ...memory,
      name: 'settled memory',
      peer: inMegabytes(typed?.('rssBytes')),
      peerName: 'controller-runtime, typed',
      ratioAim: 1,
      note: missing,
    }),
    compare({
      ...memory,
      name: 'settled memory',
      peer: clientNode('rssBytes') / MEGABYTE,
      peerName: 'client-node',
      ratioAim: 1,
    }),
    compare({
      ...latency,
      name: 'event → reconcile at 1,000/s, p50',
      ours: quick('p50Milliseconds'),
      peer: goQuick?.('p50Milliseconds'),
    }),
    compare({
      ...latency,
      name: 'event → reconcile at 1,000/s, p99',
      ours: quick('p99Milliseconds'),
      peer: goQuick?.('p99Milliseconds'),
    }),
    compare({
      name: `fresh change after a restart with ${RESTART_PODS.toLocaleString('en')} objects`,
      unit: 'ms',
      better: 'lower',
      ours: restart('milliseconds'),
      limit: 1_000,
      note: 'reconciles of 10 ms, 10 workers: first in, first out would take 10 s',
    }),
  ];
}
