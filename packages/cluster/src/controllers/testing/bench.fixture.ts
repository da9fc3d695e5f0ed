/** An API server in this process, controllers on it, a clock that a test moves, and Pods that do as the test says. */
import { createApiServer } from '@capstan/apiserver';
import { createManager, silentLog } from '@capstan/controller';
import { type Client, createClient, events, type KubeObject, type Resource } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { onTestFinished } from 'vitest';
import type { BuiltinController } from '../builtin-controller.ts';
import { type PodLife, simulatedPods } from './simulated-pods.fixture.ts';

export interface Bench {
  readonly client: Client;
  readonly clock: SteppedClock;
  /** How Pods live from now on. */
  life: PodLife;
  /** Lets time pass. */
  pass(seconds: number): Promise<void>;
  /** All of a kind in the namespace `default`, by name. */
  all<T extends KubeObject>(resource: Resource<T>): Promise<readonly T[]>;
  get<T extends KubeObject>(resource: Resource<T>, name: string): Promise<T>;
  /** `Reason: message` of every Event about an object, in order of name. */
  told(name: string): Promise<readonly string[]>;
}

export async function createBench(controllers: readonly BuiltinController[], life: PodLife = {}): Promise<Bench> {
  const clock = new SteppedClock();
  const random = seededRandom(1);
  const server = await createApiServer({ clock, random });
  const client = createClient({ transport: server.transport(), clock, random, userAgent: 'someone' });
  const manager = createManager({ transport: server.transport(), clock, random, log: silentLog });
  const bench: Bench = {
    client,
    clock,
    life,
    pass: seconds => clock.advance(seconds * 1000),
    all: async resource => {
      const { items } = await client.list(resource, { namespace: 'default' });
      return items.toSorted((left, right) => left.metadata.name.localeCompare(right.metadata.name));
    },
    get: (resource, name) => client.get(resource, { namespace: 'default', name }),
    told: async name => {
      const { items } = await client.list(events, { namespace: 'default' });
      return items
        .filter(event => event.involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`);
    },
  };
  for (const controller of [...controllers, simulatedPods(() => bench.life)]) controller.setup(manager);
  await manager.start();
  onTestFinished(async () => {
    const stopped = manager.stop();
    await clock.advance(60_000);
    await stopped;
    await server.close();
  });
  return bench;
}
