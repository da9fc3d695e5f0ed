/**
 * Mirrors a selection of objects into a sink, for as long as it runs, whatever the server does.
 *
 * ```
 *             ┌────────────── expired, or resuming brings nothing ───────────────┐
 *             ▼                                                                  │
 *   ┌──▶  listing  ──listed──▶  watching  ──ended in good order──▶  watching  ───┤
 *   │         │                                                                  │
 *   └── backing off  ◀── refused, broken, silent, garbage ───────────────────────┘
 * ```
 *
 * There is no state from which it does not go on. A list is taken as a stream (WatchList) where the server can, else in
 * pages. The sink is called in the order of events, and the next one is read when it has taken the last.
 */
import type { Clock, KubeObject, ObjectEvent, Random, WatchEvent } from '@capstan/kube';
import { ApiError, sleep, TransportError } from '@capstan/kube';
import { type Attempt, attempt } from '../attempt.ts';
import { type Arrival, arrivalOf, arrived } from './arrival.ts';
import { classify, decide, type History, NEW_HISTORY, NoInitialEventsEnd, type Outcome, Silence } from './decision.ts';
import { listPages } from './list-pages.ts';
import type { ListWatch, OpenWatch } from './list-watch.ts';
import { compareVersions, isComparable } from './resource-version.ts';

/** Where the mirror goes. Nothing else is told until the returned promise, if any, is settled. */
export interface Sink<T extends KubeObject = KubeObject> {
  /** This is all there is, as of `resourceVersion`: put it in place of what was there. */
  replaced(arrivals: readonly Arrival<T>[], resourceVersion: string): void | Promise<void>;
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', arrival: Arrival<T>): void | Promise<void>;
  /** Everything up to this version has been told. Follows every change too. */
  passed(resourceVersion: string): void;
}

export type ReflectorState =
  | { readonly name: 'listing'; readonly how: 'stream' | 'pages' }
  | { readonly name: 'watching'; readonly from: string }
  | {
      readonly name: 'backing off';
      readonly next: 'list' | 'watch';
      readonly milliseconds: number;
      readonly because: unknown;
    }
  | { readonly name: 'stopped' };

export interface ReflectorOptions<T extends KubeObject> {
  /** What it mirrors, for messages: `pods in default`. */
  readonly name: string;
  readonly listWatch: ListWatch<T>;
  readonly sink: Sink<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Told of every step; for logs and metrics. */
  readonly onState?: (state: ReflectorState) => void;
  /** Milliseconds without a byte after which a watch is taken to be dead. */
  readonly idleTimeout?: number;
}

/** API servers send a bookmark about every minute: two minutes of silence is a dead connection, or a server that a cheap reconnect does not hurt. */
const IDLE_TIMEOUT = 120_000;
/** Silence while the initial events come in: the server has nothing to wait for then. */
const INITIAL_IDLE_TIMEOUT = 30_000;
/** For headers to come in, and for each page of a list. */
const ANSWER_TIMEOUT = 60_000;
/** An attempt shorter than this that brought nothing counts as a failure. */
const HICCUP = 5_000;
const END_OF_INITIAL_EVENTS = 'k8s.io/initial-events-end';

export class Reflector<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  #state: ReflectorState = { name: 'stopped' };
  #stateSince = 0;
  #streams = true;
  #version: string | undefined;
  #progressed = false;

  constructor(options: ReflectorOptions<T>) {
    this.#options = options;
  }

  get state(): ReflectorState {
    return this.#state;
  }

  /** Milliseconds since the mirror was last known to be connected; 0 while it watches. */
  get disconnectedFor(): number {
    return this.#state.name === 'watching' ? 0 : this.#options.clock.monotonic() - this.#stateSince;
  }

  /** Runs until the signal is aborted; never rejects for what the server does. A sink that throws ends it with that error. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    let history: History = NEW_HISTORY;
    let next: 'list' | 'watch' = 'list';
    while (!signal.aborted) {
      const began = clock.monotonic();
      this.#progressed = false;
      const outcome = await this.#try(next, signal);
      if (signal.aborted) break;
      if (outcome.type === 'unsupported') this.#streams = false;
      if (outcome.type === 'expired') this.#version = undefined;
      const healthy = this.#progressed || clock.monotonic() - began >= HICCUP;
      const decision = decide(outcome, history, {
        now: clock.monotonic(),
        random,
        resumable: this.#version !== undefined,
        healthy,
      });
      ({ next, history } = decision);
      if (decision.delay > 0) {
        const because = 'error' in outcome ? outcome.error : undefined;
        this.#enter({ name: 'backing off', next, milliseconds: decision.delay, because });
        await sleep(clock, decision.delay, signal).catch(() => {});
      }
    }
    this.#enter({ name: 'stopped' });
  }

  async #try(next: 'list' | 'watch', signal: AbortSignal): Promise<Outcome> {
    const how = next === 'watch' ? 'watch' : this.#streams ? 'stream' : 'pages';
    const current = attempt(this.#options.clock, signal);
    try {
      return how === 'pages' ? await this.#listPages(current) : await this.#watch(how, current);
    } catch (error) {
      if (error instanceof SinkFailed) throw error.cause;
      return classify(current.error ?? error, how);
    } finally {
      current.end();
    }
  }

  async #listPages(current: Attempt): Promise<Outcome> {
    this.#enter({ name: 'listing', how: 'pages' });
    const { items, resourceVersion } = await listPages(this.#options.listWatch, current, ANSWER_TIMEOUT);
    await this.#replace(items.map(arrived), resourceVersion);
    return { type: 'listed' };
  }

  async #watch(how: 'stream' | 'watch', current: Attempt): Promise<Outcome> {
    const { listWatch, random, name, idleTimeout = IDLE_TIMEOUT } = this.#options;
    const from = how === 'watch' ? this.#version! : '';
    if (how === 'stream') this.#enter({ name: 'listing', how });
    // Spread over 5 to 10 minutes, so that the watches of a whole cluster do not end together.
    const timeoutSeconds = Math.round(300 * (1 + random.next()));
    current.deadline(ANSWER_TIMEOUT, () => new Silence(name, ANSWER_TIMEOUT));
    const call = { resourceVersion: from, sendInitialEvents: how === 'stream', timeoutSeconds, signal: current.signal };
    const stream = await listWatch.watch(call);
    if (how === 'stream') {
      current.watchSilence(stream, INITIAL_IDLE_TIMEOUT, () => new NoInitialEventsEnd());
    } else {
      current.watchSilence(stream, idleTimeout, () => new Silence(name, idleTimeout));
      this.#enter({ name: 'watching', from });
    }
    return this.#consume(stream, how === 'stream' ? new Map() : undefined, current);
  }

  /** Takes in events until the stream ends. `initial` gathers the initial events, until their end is marked. */
  async #consume(
    stream: OpenWatch<T>,
    initial: Map<string, Arrival<T>> | undefined,
    current: Attempt,
  ): Promise<Outcome> {
    const { name, idleTimeout = IDLE_TIMEOUT } = this.#options;
    for await (const event of stream.events) {
      if (event.type === 'ERROR') throw new ApiError(event.object);
      const version = checkedVersion(event);
      if (initial === undefined) {
        const taken = this.#change(event, version);
        if (taken !== undefined) await taken;
      } else if (event.type !== 'BOOKMARK') {
        gather(initial, event);
      } else if (event.object.metadata.annotations?.[END_OF_INITIAL_EVENTS] === 'true') {
        const arrivals = [...initial.values()];
        initial = undefined;
        await this.#replace(arrivals, version);
        this.#enter({ name: 'watching', from: version });
        current.watchSilence(stream, idleTimeout, () => new Silence(name, idleTimeout));
      }
    }
    if (current.error !== undefined) throw current.error;
    if (initial !== undefined) throw new NoInitialEventsEnd();
    return { type: 'ended' };
  }

  #change(event: Exclude<WatchEvent<T>, { type: 'ERROR' }>, version: string): void | Promise<void> {
    // A watch tells versions in order: what is not newer was told before, and telling it again could bring back the dead.
    if (isComparable(this.#version) && isComparable(version) && compareVersions(version, this.#version) <= 0) return;
    if (event.type === 'BOOKMARK') {
      this.#pass(version);
      return;
    }
    // Most sinks take an event at once: waiting for nothing would cost more than the rest of this method.
    const taken = intoSink(() => this.#options.sink.changed(event.type, arrivalOf(event)));
    if (taken === undefined) this.#pass(version);
    else return taken.then(() => this.#pass(version));
  }

  #pass(version: string): void {
    this.#version = version;
    this.#progressed = true;
    this.#options.sink.passed(version);
  }

  async #replace(arrivals: readonly Arrival<T>[], resourceVersion: string): Promise<void> {
    await intoSink(() => this.#options.sink.replaced(arrivals, resourceVersion));
    this.#pass(resourceVersion);
  }

  #enter(state: ReflectorState): void {
    if (this.#state.name === 'watching' || this.#state.name === 'stopped' || state.name === 'watching') {
      this.#stateSince = this.#options.clock.monotonic();
    }
    this.#state = state;
    this.#options.onState?.(state);
  }
}

/** A sink that throws is a mistake of ours, not of the server: it must not look like a dropped watch. */
class SinkFailed extends Error {}

function intoSink(call: () => void | Promise<void>): void | Promise<void> {
  try {
    const result = call();
    return result?.catch(error => {
      throw new SinkFailed('the sink failed', { cause: error });
    });
  } catch (error) {
    // An object that is parsed only now and turns out to be garbage is the server's fault after all.
    if (error instanceof TransportError) throw error;
    throw new SinkFailed('the sink failed', { cause: error });
  }
}

function gather<T extends KubeObject>(arrivals: Map<string, Arrival<T>>, event: ObjectEvent<T>): void {
  const arrival = arrivalOf(event);
  const { namespace = '', name } = arrival.identity;
  if (event.type === 'DELETED') arrivals.delete(`${namespace}/${name}`);
  else arrivals.set(`${namespace}/${name}`, arrival);
}

/** The event's version, after making sure that the line is an event at all. */
function checkedVersion(event: Exclude<WatchEvent, { type: 'ERROR' }>): string {
  const metadata: { readonly name?: unknown; readonly resourceVersion?: unknown } | undefined =
    (event as Partial<ObjectEvent>).identity ?? (event as { object?: Partial<KubeObject> }).object?.metadata;
  const known =
    event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED' || event.type === 'BOOKMARK';
  const named = event.type === 'BOOKMARK' || (typeof metadata?.name === 'string' && metadata.name !== '');
  if (!known || !named || typeof metadata?.resourceVersion !== 'string' || metadata.resourceVersion === '') {
    throw new TransportError('EBADSTREAM', 'a line of the watch is not an event');
  }
  return metadata.resourceVersion;
}
