/**
 * A controller: a function that makes one object as it should be, and everything that decides when it is called.
 */
import type { Clock, KubeObject, ObjectIdentity, Random, Resource } from '@capstan/kube';
import { sleep } from '@capstan/kube';
import { type Duration, milliseconds } from '../duration.ts';
import type { Log } from '../log/log.ts';
import type { Cluster } from '../manager/cluster.ts';
import type { Metrics } from '../manager/metrics.ts';
import type { Backoff } from '../queue/backoff.ts';
import { Queue } from '../queue/queue.ts';
import { type Reconcile, runReconcile } from './reconcile.ts';
import { HOME, keyOf, requestOf } from './request.ts';
import { forSource, ownsSource, type Source, subscribe, type Watch, type Watched, watchSource } from './source.ts';

export interface ControllerOptions<
  T extends KubeObject = KubeObject,
  W extends readonly KubeObject[] = readonly KubeObject[],
> {
  /** In logs, metrics and messages: `robots/task`. */
  readonly name: string;
  /** The kind that it reconciles: a key is the name of such an object. */
  readonly for: Watched<T>;
  /** Kinds of objects that it creates. A change wakes the object that the controlling owner reference names. */
  readonly owns?: readonly Watched[];
  /** Other kinds that matter, each with a function that says to whom. */
  readonly watches?: { readonly [I in keyof W]: Watch<W[I]> };
  /** The clusters whose objects it reconciles. Default: the home cluster. */
  readonly in?: readonly Cluster[];
  /** How many keys are worked on at a time. Default: 4. */
  readonly workers?: number;
  /** Look at every object again this often, at low priority. Only for what cannot be watched. Default: never. */
  readonly resync?: Duration;
  /** How long one reconcile may take. Default: 60 s. */
  readonly deadline?: Duration;
  /** How long to wait after failures. Default: 5 ms doubling to 5 min. */
  readonly backoff?: Backoff;
  /** `leader` (the default): only where this process leads. `everywhere`: also in processes that stand by; it must not write then. */
  readonly runs?: 'leader' | 'everywhere';
  /**
   * Be woken by changes that are nothing but what the reconcile of that very key wrote itself. Default: false; a reconcile knows what it wrote, and
   * reads of the cache show it.
   */
  readonly wakeOnOwnWrites?: boolean;
  readonly reconcile: Reconcile;
}

export interface ControllerParts {
  readonly home: Cluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}

const DEADLINE = 60_000;

export class Controller {
  readonly name: string;
  readonly runs: 'leader' | 'everywhere';
  readonly #options: ControllerOptions;
  readonly #parts: ControllerParts;
  readonly #clusters: ReadonlyMap<string, Cluster>;
  readonly #sources: readonly Source[];
  readonly #abandoned = new Set<string>();
  /** Ids of reconciles are this and a count: unique among processes, and in order within one. */
  readonly #idPrefix: string;
  #reconciles = 0;

  constructor(options: ControllerOptions, parts: ControllerParts) {
    this.name = options.name;
    this.runs = options.runs ?? 'leader';
    this.#options = options;
    this.#parts = parts;
    this.#idPrefix = Buffer.from(parts.random.bytes(4)).toString('hex');
    const clusters = options.in ?? [parts.home];
    this.#clusters = new Map(clusters.map(cluster => [cluster.name, cluster]));
    this.#sources = sourcesOf(options, clusters);
    for (const { cluster, resource } of this.#sources) cluster.cache.declare(resource);
  }

  /** Keys of reconciles that ignored their signal and still run. They cannot write, but whatever else they do goes on. */
  get abandoned(): readonly string[] {
    return [...this.#abandoned];
  }

  /**
   * Works until `stop` is aborted: then no new reconcile begins, and it resolves when those under way have ended. `abandon`
   * aborts these too.
   */
  async run(stop: AbortSignal, abandon: AbortSignal): Promise<void> {
    const { clock, random, log } = this.#parts;
    const { backoff, workers = 4, wakeOnOwnWrites = false } = this.#options;
    const queue = new Queue({ clock, random, ...(backoff !== undefined && { backoff }) });
    const onError = (error: unknown, source: Source, { namespace, name }: ObjectIdentity): void => {
      const fields = { controller: this.name, error, namespace, object: name };
      log.error(fields, `a function that maps changes of ${source.resource.kind} threw; the change is ignored`);
    };
    const add = queue.add.bind(queue);
    const stops = this.#sources.map(source =>
      subscribe(source, { controller: this.name, add, wakeOnOwnWrites, onError }),
    );
    const close = (): void => {
      for (const unsubscribe of stops) unsubscribe();
      queue.close();
    };
    if (stop.aborted) close();
    else stop.addEventListener('abort', close, { once: true });
    const working = Array.from({ length: workers }, () => this.#work(queue, abandon));
    await Promise.all([...working, this.#resync(queue, stop)]);
  }

  async #work(queue: Queue, abandon: AbortSignal): Promise<void> {
    const { clock, log, metrics, home } = this.#parts;
    const { reconcile, deadline = DEADLINE } = this.#options;
    const controller = this.name;
    for (let item = await queue.take(); item !== undefined; item = await queue.take()) {
      const began = clock.monotonic();
      metrics.queueSeconds.observe({ controller }, item.waited / 1000);
      metrics.queueDepth.set({ controller }, queue.depth);
      metrics.activeWorkers.inc({ controller });
      const cluster = this.#clusters.get(requestOf(item.key).cluster) ?? home;
      const id = `${this.#idPrefix}-${++this.#reconciles}`;
      const { finish, outcome } = await runReconcile(item.key, id, {
        controller,
        reconcile,
        cluster,
        clock,
        log,
        deadline: milliseconds(deadline),
        signal: abandon,
        onAbandoned: (key, ended) => this.#leaveBehind(key, ended),
      });
      metrics.activeWorkers.dec({ controller });
      metrics.reconciles.inc({ controller, result: outcome });
      metrics.reconcileSeconds.observe({ controller }, (clock.monotonic() - began) / 1000);
      queue.finish(item.key, finish);
    }
  }

  #leaveBehind(key: string, ended: Promise<unknown>): void {
    const { log } = this.#parts;
    log.error(
      { controller: this.name, key },
      'the reconcile ignores its signal; it is left behind and may not write any more',
    );
    this.#abandoned.add(key);
    const forget = (): void => void this.#abandoned.delete(key);
    ended.then(forget, forget);
  }

  async #resync(queue: Queue, stop: AbortSignal): Promise<void> {
    const { resync } = this.#options;
    if (resync === undefined) return;
    const { clock, random } = this.#parts;
    const { resource } = this.#sources[0]!;
    while (!stop.aborted) {
      // A tenth of jitter: the controllers of a manager need not all look at everything in the same second.
      await sleep(clock, milliseconds(resync) * (1 + random.next() / 10), stop).catch(() => {});
      if (stop.aborted) return;
      for (const cluster of this.#clusters.values()) {
        for (const { metadata } of cluster.cache.of(resource).now.list()) {
          queue.add(keyOf({ cluster: cluster.name, namespace: metadata.namespace ?? '', name: metadata.name }), 'low');
        }
      }
    }
  }
}

function sourcesOf(options: ControllerOptions, clusters: readonly Cluster[]): Source[] {
  const owner: Resource = 'when' in options.for ? options.for.kind : options.for;
  const { owns = [], watches = [] } = options;
  const elsewhere = watches.flatMap(watch => (watch.in === undefined ? [] : [watchSource(watch, watch.in, HOME)]));
  const here = clusters.flatMap(cluster => [
    forSource(options.for, cluster),
    ...owns.map(owned => ownsSource(owned, cluster, owner)),
    ...watches.filter(watch => watch.in === undefined).map(watch => watchSource(watch, cluster, cluster.name)),
  ]);
  return [...here, ...elsewhere];
}
