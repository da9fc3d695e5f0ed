/** Our side, as a process of its own: `ours.ts <scenario> <server> <events>`. Prints one line of JSON. */
import { createManager, done, silentLog } from '@capstan/controller';
import { createHttpTransport, pods, systemClock } from '@capstan/kube';
import { settledMemory } from './settled-memory.ts';
import { microsecondsNow } from './wall-clock.ts';

const [scenario, server = '', count = '0'] = process.argv.slice(2);
const wanted = Number(count);
const transport = createHttpTransport({ server });
const manager = createManager({ transport, log: silentLog });

/** `reads`: every object is looked at as it comes in, so that nothing is saved by leaving it unparsed. */
async function ingest(reads: boolean): Promise<object> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let seen = 0;
  const cache = manager.cache.declare(pods);
  cache.subscribe(change => {
    if (reads && change.object.metadata.name === '') throw new Error('a Pod without a name');
    if (++seen === wanted) finish();
  });
  const began = performance.now();
  await manager.start();
  await finished;
  const milliseconds = performance.now() - began;
  const rssBytes = await settledMemory();
  return { eventsPerSecond: (wanted / milliseconds) * 1000, milliseconds, objects: cache.size, rssBytes };
}

/** Delays from sending to the start of the reconcile, in milliseconds. `work` is how long each reconcile takes. */
async function delays(work: number): Promise<number[]> {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const seen: number[] = [];
  manager.controller({
    name: 'bench/pods',
    for: pods,
    workers: 10,
    async reconcile({ namespace, name }, { cache }) {
      const now = microsecondsNow();
      const sent = (await cache.get(pods, { namespace, name }))?.metadata.annotations?.['bench.capstan.dev/sent'];
      if (sent !== undefined && seen.push((now - Number(sent)) / 1000) === wanted) finish();
      if (work > 0) await new Promise<void>(resolve => systemClock.after(work, resolve));
      return done();
    },
  });
  await manager.start();
  await finished;
  return seen.sort((left, right) => left - right);
}

async function latency(): Promise<object> {
  const sorted = await delays(0);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)]!;
  return { p50Milliseconds: at(0.5), p99Milliseconds: at(0.99), maxMilliseconds: sorted.at(-1) };
}

const result =
  scenario === 'ingest' || scenario === 'read'
    ? await ingest(scenario === 'read')
    : scenario === 'latency'
      ? await latency()
      : { milliseconds: (await delays(10))[0] };
console.log(JSON.stringify(result));
process.exit(0);
