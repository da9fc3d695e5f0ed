/**
 * The manager: what controllers share. It keeps caches, elects a leader, runs controllers where this process leads, answers health
 * checks, and ends all of it in order.
 *
 * Its life: caches are filled, then the Lease is fought for, then workers begin. A process that does not lead keeps its caches warm and takes over
 * within the Lease. To stop, workers finish what they have, then the Lease is released, then the caches end.
 */
import {
  type Client,
  type Clock,
  createClient,
  type KubeObject,
  type Random,
  sleep,
  systemClock,
  systemRandom,
  type Transport,
} from '@capstan/kube';
import type { Registry } from 'prom-client';
import type { Cache } from '../cache/cache.ts';
import { Controller, type ControllerOptions } from '../controller/controller.ts';
import { HOME } from '../controller/request.ts';
import { type Duration, milliseconds } from '../duration.ts';
import { ControllerError } from '../errors.ts';
import { createRecorder, type Recorder } from '../events/events.ts';
import { Elector, type LeaderElectionOptions } from '../leader/leader.ts';
import { createLog, type Log } from '../log/log.ts';
import { type Cluster, type ClusterOptions, createCluster } from './cluster.ts';
import { cachesSynced, Health, watchesAlive } from './health.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Listen, type Served, serve } from './serve.ts';
import { type Task, Term } from './term.ts';

export interface ManagerOptions {
  /** How the home cluster is reached. */
  readonly transport: Transport;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Where metrics are counted. Default: a registry of its own. */
  readonly registry?: Registry;
  /** Needed as soon as more than one process may run; without it this process always leads. */
  readonly leaderElection?: LeaderElectionOptions | undefined;
  /** Serve `/healthz`, `/livez` and `/readyz` here. Default: nowhere. */
  readonly health?: Listen | undefined;
  /** Serve `/metrics` here. Default: nowhere. */
  readonly metrics?: Listen | undefined;
  /** How long reconciles under way may take when the manager stops. Default: 30 s. */
  readonly gracePeriod?: Duration;
  /**
   * Called when something does not stop although it was told to: the process should end, hard, since the Lease is not released while something may
   * still act. Default: an error in the log.
   */
  readonly onHang?: (error: ControllerError) => void;
  /** Shown in the server's audit log. Default: `capstan`. */
  readonly userAgent?: string;
}

export interface Manager {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  /** The cluster that this process lives in, and short cuts to its parts. */
  readonly home: Cluster;
  readonly client: Client;
  readonly cache: Cache;
  /** Whether this process may write at this moment. */
  readonly leading: boolean;
  /** Where health and metrics are served, once started. */
  readonly served: { readonly health?: Served; readonly metrics?: Served };
  /** Adds a controller. Before `start`. */
  controller<T extends KubeObject, const W extends readonly KubeObject[]>(options: ControllerOptions<T, W>): void;
  /** Adds something else that runs. Before `start`. */
  task(task: Task): void;
  /**
   * Adds a further cluster, with a client and caches of its own. At any time. It may be out of reach: what needs it fails and is tried
   * again, everything else goes on.
   */
  cluster(options: ClusterOptions): Cluster;
  /** Ends the caches of a further cluster and forgets it. Controllers that name it must not be running. */
  removeCluster(name: string): Promise<void>;
  /** Events in the name of `component`; `host` is the node that they happened on, where that matters. */
  recorder(component: string, options?: { readonly host?: string }): Recorder;
  /** Resolves when the caches of the home cluster are filled; from then on controllers run whenever this process leads. */
  start(): Promise<void>;
  /** Ends everything, in order. */
  stop(): Promise<void>;
  /** Starts, and stops when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createManager(options: ManagerOptions): Manager {
  return new RunningManager(options);
}

/** Events are worth a moment, not more. */
const FLUSH_TIMEOUT = 5_000;

class RunningManager implements Manager {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health = new Health();
  readonly home: Cluster;
  readonly served: { health?: Served; metrics?: Served } = {};
  readonly #options: ManagerOptions;
  readonly #elector: Elector | undefined;
  readonly #clusters = new Map<string, Cluster>();
  readonly #controllers: Controller[] = [];
  readonly #tasks: Task[] = [];
  readonly #recorders: Recorder[] = [];
  readonly #stopping = new AbortController();
  readonly #work: Promise<unknown>[] = [];
  readonly #caches = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>();
  #state: 'new' | 'started' | 'stopped' = 'new';
  #stopped: Promise<void> | undefined;

  constructor(options: ManagerOptions) {
    const { transport, clock = systemClock, random = systemRandom, leaderElection, userAgent = 'capstan' } = options;
    this.#options = options;
    this.clock = clock;
    this.random = random;
    this.log = options.log ?? createLog({ clock });
    this.metrics = createMetrics(options.registry);
    if (leaderElection !== undefined) {
      const client = createClient({ transport, clock, random, userAgent });
      this.#elector = new Elector(leaderElection, { client, clock, random, log: this.log });
    }
    this.home = this.cluster({ name: HOME, transport });
    // A further cluster may be down for days: neither a restart of ours nor waiting helps, and home has to be looked after.
    this.health.addLive('watches', watchesAlive(this.home));
    this.health.addReady('caches', cachesSynced(this.home));
  }

  get client(): Client {
    return this.home.client;
  }

  get cache(): Cache {
    return this.home.cache;
  }

  get leading(): boolean {
    return this.#state !== 'stopped' && (this.#elector === undefined || this.#elector.leading);
  }

  controller<T extends KubeObject, const W extends readonly KubeObject[]>(options: ControllerOptions<T, W>): void {
    this.#beforeStart(`the controller ${options.name}`);
    if (this.#controllers.some(({ name }) => name === options.name)) {
      throw new ControllerError('Misuse', `there are two controllers named ${options.name}`);
    }
    const { home, clock, random, log, metrics } = this;
    const parts = { home, clock, random, log, metrics };
    this.#controllers.push(new Controller(options as unknown as ControllerOptions, parts));
  }

  task(task: Task): void {
    this.#beforeStart(`the task ${task.name}`);
    this.#tasks.push(task);
  }

  cluster(options: ClusterOptions): Cluster {
    const { name } = options;
    if (this.#clusters.has(name)) throw new ControllerError('Misuse', `there are two clusters named ${name}`);
    if (name === '' || name.includes('/'))
      throw new ControllerError('Misuse', `"${name}" cannot be the name of a cluster`);
    const { clock, random, log, metrics } = this;
    const { userAgent = 'capstan' } = this.#options;
    const cluster = createCluster(options, {
      clock,
      random,
      log,
      metrics,
      userAgent,
      mayWrite: () => this.#mayWrite(),
    });
    this.#clusters.set(name, cluster);
    if (this.#state === 'started') this.#keep(cluster);
    return cluster;
  }

  async removeCluster(name: string): Promise<void> {
    if (name === HOME) throw new ControllerError('Misuse', 'the home cluster cannot be removed');
    const caches = this.#caches.get(name);
    this.#clusters.delete(name);
    this.#caches.delete(name);
    caches?.stop.abort();
    await caches?.ended;
  }

  recorder(component: string, { host }: { readonly host?: string } = {}): Recorder {
    const { client, clock, random, log } = this;
    const recorder = createRecorder({ client, clock, random, log, component, host });
    this.#recorders.push(recorder);
    return recorder;
  }

  async start(): Promise<void> {
    this.#beforeStart('the manager');
    this.#state = 'started';
    const { health, metrics } = this.#options;
    if (health !== undefined) this.served.health = await serve(health, { health: this.health });
    if (metrics !== undefined) this.served.metrics = await serve(metrics, { metrics: this.metrics.registry });
    for (const cluster of this.#clusters.values()) this.#keep(cluster);
    await this.cache.whenSynced(this.#stopping.signal);
    const everywhere = this.#term('everywhere');
    this.#work.push(this.#untilStopping().then(() => this.#endTerm(everywhere)));
    this.#work.push(this.#elector === undefined ? this.#leadAlways() : this.#leadWhenElected(this.#elector));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async run(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>(resolve => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const started = this.start();
    await Promise.race([started.then(() => aborted), aborted]);
    started.catch(() => {});
    await this.stop();
  }

  async #stop(): Promise<void> {
    this.#stopping.abort(new ControllerError('Misuse', 'the manager was stopped'));
    await Promise.all(this.#work);
    this.#state = 'stopped';
    const caches = [...this.#caches.values()];
    for (const { stop } of caches) stop.abort();
    const ended = caches.map(({ ended }) => ended);
    await Promise.all([...ended, this.served.health?.close(), this.served.metrics?.close()]);
  }

  #keep({ name, cache }: Cluster): void {
    const stop = new AbortController();
    const ended = cache.run(stop.signal).catch((error: unknown) => {
      this.log.error({ cluster: name, error }, 'a cache broke; this process should be restarted');
      this.health.addLive(`caches of ${name}`, () => 'broken');
    });
    this.#caches.set(name, { stop, ended });
  }

  #beforeStart(what: string): void {
    if (this.#state === 'new') return;
    throw new ControllerError('Misuse', `${what} comes too late: the manager is ${this.#state}`);
  }

  #mayWrite(): void {
    if (this.leading) return;
    const why = this.#state === 'stopped' ? 'it was stopped' : 'another process holds, or may hold, the Lease';
    throw new ControllerError('NotLeading', `this process may not write: ${why}`);
  }

  #term(runs: 'leader' | 'everywhere'): Term {
    const controllers = this.#controllers.filter(controller => controller.runs === runs);
    const tasks = this.#tasks.filter(task => (task.runs ?? 'leader') === runs);
    return new Term(controllers, tasks, this);
  }

  #untilStopping(): Promise<'stopping'> {
    const { signal } = this.#stopping;
    return new Promise(resolve => {
      if (signal.aborted) resolve('stopping');
      else signal.addEventListener('abort', () => resolve('stopping'), { once: true });
    });
  }

  async #leadAlways(): Promise<void> {
    this.metrics.leading.set(1);
    const term = this.#term('leader');
    await this.#untilStopping();
    await this.#endTerm(term);
  }

  async #leadWhenElected(elector: Elector): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.metrics.leading.set(0);
      await elector.acquire(signal);
      if (signal.aborted) break;
      this.metrics.leading.set(1);
      this.log.info({ identity: elector.identity }, 'this process leads');
      if (!(await this.#leadOnce(elector))) return;
    }
    // It may have become leader in the very moment it was told to stop.
    await elector.release();
  }

  /** One term of leadership. False when something of it does not end: then this process must not lead again. */
  async #leadOnce(elector: Elector): Promise<boolean> {
    const release = new AbortController();
    const term = this.#term('leader');
    const held = elector.hold(release.signal);
    const why = await Promise.race([held, this.#untilStopping()]);
    if (why === 'lost') this.log.error({ identity: elector.identity }, 'the leadership is lost; all work is stopped');
    // The Lease is renewed while work drains. If it is lost meanwhile, there is nothing to wait for.
    void held.then(end => end === 'lost' && term.abandon());
    const ended = await this.#endTerm(term, why === 'lost' ? 0 : undefined);
    release.abort();
    await held;
    if (ended) await elector.release();
    return ended;
  }

  async #endTerm(term: Term, grace = milliseconds(this.#options.gracePeriod ?? '30s')): Promise<boolean> {
    const hanging = await term.end(grace);
    // While this process may still write.
    await this.#flushEvents();
    if (hanging.length === 0) return true;
    const message = `did not stop although told to: ${hanging.join(', ')}; the Lease is not released`;
    const error = new ControllerError('NotStopping', message);
    this.log.error({ error }, message);
    this.#options.onHang?.(error);
    return false;
  }

  async #flushEvents(): Promise<void> {
    const enough = new AbortController();
    const flushed = Promise.all(this.#recorders.map(recorder => recorder.flush()));
    await Promise.race([flushed, sleep(this.clock, FLUSH_TIMEOUT, enough.signal).catch(() => {})]);
    enough.abort();
  }
}
