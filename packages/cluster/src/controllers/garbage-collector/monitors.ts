/** A metadata-only cache for every kind that can be deleted, as long as there is such a kind. */
import { Cache, type CacheChange } from '@capstan/controller';
import {
  apiVersionOf,
  type Clock,
  type DiscoveredResource,
  metadataOnly,
  type Random,
  type Resource,
  type Transport,
} from '@capstan/kube';

export interface MonitorsOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly onChange: (resource: Resource, change: CacheChange) => void;
  /** A kind is not watched any more. */
  readonly onGone: (resource: Resource) => void;
}

interface Monitor {
  readonly resource: Resource;
  readonly cache: Cache;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Events are never owned, and there are many of them. */
const IGNORED: ReadonlySet<string> = new Set(['events.', 'events.events.k8s.io']);

const LONGEST_WAIT = 30_000;

/** The kinds to watch: each once, in the version that its group prefers. */
export function collectableKinds(all: readonly DiscoveredResource[]): Map<string, Resource> {
  const kinds = new Map<string, Resource>();
  for (const kind of all) {
    const key = `${kind.plural}.${kind.group}`;
    const complete = ['delete', 'list', 'watch'].every(verb => kind.verbs.includes(verb));
    if (complete && !IGNORED.has(key) && !kinds.has(key)) kinds.set(key, metadataOnly(kind));
  }
  return kinds;
}

export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();

  constructor(options: MonitorsOptions) {
    this.#options = options;
  }

  /**
   * Watches these kinds and no others. Resolves when the new ones have their first list, or have been waited for long enough: one
   * kind that cannot be listed must not keep all others from being collected. Owners of such a kind are asked for one by one.
   */
  async watch(kinds: ReadonlyMap<string, Resource>, signal: AbortSignal): Promise<void> {
    for (const [key, monitor] of this.#monitors) {
      const wanted = kinds.get(key);
      if (wanted !== undefined && apiVersionOf(wanted) === apiVersionOf(monitor.resource)) continue;
      this.#monitors.delete(key);
      monitor.stop.abort();
      this.#options.onGone(monitor.resource);
    }
    const begun = [...kinds]
      .filter(([key]) => !this.#monitors.has(key))
      .map(([key, resource]) => {
        const monitor = this.#begin(resource);
        this.#monitors.set(key, monitor);
        return monitor;
      });
    const enough = new AbortController();
    const late = this.#options.clock.after(LONGEST_WAIT, () => enough.abort());
    const waiting = AbortSignal.any([signal, enough.signal]);
    await Promise.all(begun.map(({ cache }) => cache.whenSynced(waiting).catch(() => {})));
    late.cancel();
  }

  async stop(): Promise<void> {
    const monitors = [...this.#monitors.values()];
    this.#monitors.clear();
    for (const { stop } of monitors) stop.abort();
    await Promise.all(monitors.map(({ ended }) => ended));
  }

  #begin(resource: Resource): Monitor {
    const { transport, clock, random, onChange } = this.#options;
    const cache = new Cache({ transport, clock, random });
    const stop = new AbortController();
    cache.declare(resource).subscribe(change => {
      if (!stop.signal.aborted) onChange(resource, change);
    });
    return { resource, cache, stop, ended: cache.run(stop.signal) };
  }
}
