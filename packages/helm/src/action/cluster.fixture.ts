/** A cluster inside the test, on a clock that stands still until it is moved. */
import { createApiServer } from '@capstan/apiserver';
import { type Client, configMaps, createClient, secrets } from '@capstan/kube';
import { SteppedClock, seededRandom } from '@capstan/lab';
import { decodeRelease } from '../release/encode.ts';
import type { Progress } from '../wait/progress.ts';
import { createHelm, type Helm } from './context.ts';

export interface TestCluster {
  readonly client: Client;
  readonly clock: SteppedClock;
  readonly helm: Helm;
  readonly told: Progress[];
  /** Another program on another machine. */
  another(): Helm;
  /** Moves the clock until the promise has settled, and gives what came of it. */
  settle<T>(promise: Promise<T>, milliseconds?: number): Promise<T>;
  /** The data of a ConfigMap; undefined if it is not there. */
  data(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** `1 deployed: Install complete` for each record. */
  records(): Promise<string[]>;
}

export async function startCluster(): Promise<TestCluster> {
  const clock = new SteppedClock();
  const random = seededRandom(7);
  const server = await createApiServer({ clock, random });
  const client = createClient({ transport: server.transport(), clock, random });
  const told: Progress[] = [];
  const open = (holder: string): Helm =>
    createHelm({ client, namespace: 'default', clock, random, holder, onProgress: progress => told.push(progress) });
  return {
    client,
    clock,
    told,
    helm: open('here'),
    another: () => open('there'),

    async settle(promise, milliseconds = 20 * 60_000) {
      let settled = false;
      const done = promise.finally(() => {
        settled = true;
      });
      done.catch(() => {});
      for (let passed = 0; !settled && passed < milliseconds; passed += 1_000) await clock.advance(1_000);
      if (!settled) throw new Error(`nothing came of it in ${milliseconds} ms`);
      return done;
    },

    async data(name) {
      const { items } = await client.list(configMaps, { namespace: 'default', fields: { 'metadata.name': name } });
      return items[0] && (items[0].data ?? {});
    },

    async records() {
      const { items } = await client.list(secrets, { namespace: 'default', labels: { owner: 'helm' } });
      return items.map(({ data }) => {
        const release = decodeRelease(Buffer.from(data!['release']!, 'base64').toString());
        return `${release.version} ${release.info.status}: ${release.info.description}`;
      });
    },
  };
}
