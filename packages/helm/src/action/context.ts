/** What every action needs of the world. */
import {
  type Client,
  type Clock,
  createDiscovery,
  type Discovery,
  type Random,
  systemClock,
  systemRandom,
  uuid,
} from '@capstan/kube';
import { createReleaseStore, type ReleaseStore } from '../release/store.ts';
import type { OnProgress } from '../wait/progress.ts';

export interface HelmOptions {
  readonly client: Client;
  /** Where the release lives; its objects too, unless they say otherwise. */
  readonly namespace: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Handed in to share what is known of the server's kinds between actions. */
  readonly discovery?: Discovery;
  /** Told what goes on; see `Progress`. */
  readonly onProgress?: OnProgress;
  /** Shown to others who want the same release: a host, a Pod. */
  readonly holder?: string;
  /** Ends an action as if it had failed: the release says so. */
  readonly signal?: AbortSignal;
}

export interface Helm {
  readonly client: Client;
  readonly namespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly discovery: Discovery;
  readonly store: ReleaseStore;
  readonly onProgress: OnProgress;
  /** One life of one program; never the same again. */
  readonly holder: string;
  readonly signal: AbortSignal;
}

/**
 * A place to act on: hand it to `install`, `upgrade` and the others.
 *
 * @example
 * const helm = createHelm({ client: createClient(await connect()), namespace: 'shop' });
 * await install(helm, { name: 'web', chart: await loadChart('./web'), values: {} });
 */
export function createHelm(options: HelmOptions): Helm {
  const { client, namespace, clock = systemClock, random = systemRandom } = options;
  return {
    client,
    namespace,
    clock,
    random,
    discovery: options.discovery ?? createDiscovery(client, { clock }),
    store: createReleaseStore(client, namespace, clock),
    onProgress: options.onProgress ?? (() => {}),
    holder: `${options.holder ?? 'capstan'}/${uuid(random).slice(0, 8)}`,
    signal: options.signal ?? new AbortController().signal,
  };
}
