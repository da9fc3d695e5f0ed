/** The informer of `@kubernetes/client-node`, as a process of its own: `client-node.ts ingest|latency <server> <events>`. */
import { CoreV1Api, KubeConfig, makeInformer, type V1Pod } from '@kubernetes/client-node';
import { settledMemory } from './settled-memory.ts';
import { microsecondsNow } from './wall-clock.ts';

const [scenario, server = '', count = '0'] = process.argv.slice(2);
const wanted = Number(count);
const config = new KubeConfig();
config.loadFromClusterAndUser({ name: 'replay', server, skipTLSVerify: true }, { name: 'nobody' });
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces());
const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
const delays: number[] = [];
let seen = 0;
const count1 = (pod: V1Pod): void => {
  const sent = pod.metadata?.annotations?.['bench.capstan.dev/sent'];
  if (sent !== undefined) delays.push((microsecondsNow() - Number(sent)) / 1000);
  if (++seen === wanted) finish();
};
informer.on('add', count1);
informer.on('update', count1);
informer.on('error', error => {
  console.error(error);
  process.exit(1);
});
const began = performance.now();
await informer.start();
await finished;
const milliseconds = performance.now() - began;
if (scenario === 'ingest') {
  const rssBytes = await settledMemory();
  console.log(
    JSON.stringify({
      eventsPerSecond: (wanted / milliseconds) * 1000,
      milliseconds,
      objects: informer.list().length,
      rssBytes,
    }),
  );
} else {
  delays.sort((left, right) => left - right);
  const at = (share: number): number => delays[Math.floor(delays.length * share)]!;
  console.log(JSON.stringify({ p50Milliseconds: at(0.5), p99Milliseconds: at(0.99), maxMilliseconds: delays.at(-1) }));
}
process.exit(0);
