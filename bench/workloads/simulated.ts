/** `node simulated.ts <data folder> <Pods>`: a durable cluster with a simulated node, all of it in this process. Prints a `SimulatedResult`. */
import { readFileSync } from 'node:fs';
import { startPlatform } from '@capstan/cli';
import { startSimulatedNode } from '@capstan/cluster';
import { silentLog } from '@capstan/controller';
import { createClient } from '@capstan/kube';
import { createPods, untilAvailable } from './deployments.ts';

export interface SimulatedResult {
  readonly milliseconds: number;
  /** Of the processor, in all threads of the process, its start included. */
  readonly processorSeconds: number;
  /** The largest resident set of the process so far. */
  readonly peakBytes: number;
}

const [data = '', count = '0'] = process.argv.slice(2);
const REPLICAS = 100;

const platform = await startPlatform({ data }, new Set(['controllers']));
const transport = platform.cluster.server.transport();
const node = await startSimulatedNode({ transport, log: silentLog });
const client = createClient({ transport });
const began = performance.now();
await createPods(client, { deployments: Number(count) / REPLICAS, replicas: REPLICAS, image: 'anything' });
await untilAvailable(client, Number(count));
const milliseconds = performance.now() - began;
const { user, system } = process.cpuUsage();
const result: SimulatedResult = { milliseconds, processorSeconds: (user + system) / 1e6, peakBytes: peak() };
console.log(JSON.stringify(result));
await node.stop();
await platform.stop();
process.exit(0);

function peak(): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}
