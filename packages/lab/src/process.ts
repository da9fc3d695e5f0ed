import {
  type ApiRequest,
  type ApiResponse,
  type Clock,
  sleep,
  type Timer,
  type Transport,
  TransportError,
  type WatchEvent,
  type WatchStream,
} from '@capstan/kube';
import type { Fault } from './fault.ts';

/** What a run knows of its own progress; shared by all processes of the run, so that writes are counted through crashes. */
export interface RunState {
  readonly faults: readonly Fault[];
  /** Writes sent so far. */
  writes: number;
  /** Expires history on the server. */
  compact(): void;
  jump(milliseconds: number): void;
}

/**
 * One life of the program under test. It reaches the world only through `transport` and `clock`; when it is killed, both stop
 * answering, so whatever code of it still runs can neither act nor wait.
 */
export class LabProcess {
  readonly transport: Transport;
  readonly clock: Clock;
  #dead = false;
  readonly #inner: Transport;
  readonly #world: Clock;
  readonly #run: RunState;
  readonly #timers = new Set<Timer>();
  readonly #streams = new Set<Stream>();
  readonly #onCrash: () => void;

  constructor(inner: Transport, world: Clock, run: RunState, onCrash: () => void) {
    this.#inner = inner;
    this.#world = world;
    this.#run = run;
    this.#onCrash = onCrash;
    this.clock = {
      now: () => world.now(),
      monotonic: () => world.monotonic(),
      after: (milliseconds, callback) => this.#after(milliseconds, callback),
    };
    this.transport = {
      request: request => this.#request(request),
      watch: request => this.#watch(request),
      close: async () => {},
    };
  }

  get alive(): boolean {
    return !this.#dead;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    for (const timer of this.#timers) timer.cancel();
    for (const stream of this.#streams) stream.cut();
    this.#timers.clear();
    this.#streams.clear();
    this.#onCrash();
  }

  #after(milliseconds: number, callback: () => void): Timer {
    if (this.#dead) return DEAD_TIMER;
    const timer = this.#world.after(milliseconds, () => {
      this.#timers.delete(timer);
      callback();
    });
    this.#timers.add(timer);
    return {
      cancel: () => {
        this.#timers.delete(timer);
        timer.cancel();
      },
      unref: () => timer,
    };
  }

  async #request(request: ApiRequest): Promise<ApiResponse> {
    if (this.#dead) return never();
    await this.#delay(request.signal);
    if (this.#dead) return never(); // another request of this process was the one it died at
    if (request.method === 'GET') return this.#alive(await this.#inner.request(request));
    return this.#write(request);
  }

  async #write(request: ApiRequest): Promise<ApiResponse> {
    const number = ++this.#run.writes;
    const due = this.#run.faults.filter(fault => fault.write === number);
    const refusal = due.find(fault => fault.kind === 'refused');
    if (refusal) return refused(refusal.code);
    if (due.some(fault => fault.kind === 'crash' && fault.when === 'before')) {
      this.kill();
      return never();
    }
    const response = await this.#inner.request(request);
    for (const fault of due) this.#afterWrite(fault);
    if (due.some(fault => fault.kind === 'lost-answer')) {
      throw new TransportError('ECONNRESET', 'the connection was reset');
    }
    return this.#alive(response);
  }

  #afterWrite(fault: Fault): void {
    switch (fault.kind) {
      case 'crash':
        this.kill();
        break;
      case 'watches-dropped':
        this.#dropStreams();
        break;
      case 'watches-expired':
        this.#run.compact();
        this.#dropStreams();
        break;
      case 'stale':
        for (const stream of this.#streams) if (stream.table === fault.table) stream.pause(fault.milliseconds);
        break;
      case 'clock-jump':
        this.#run.jump(fault.milliseconds);
        break;
      case 'lost-answer':
      case 'refused':
      case 'slow':
        break;
    }
  }

  #dropStreams(): void {
    for (const stream of this.#streams) stream.drop();
    this.#streams.clear();
  }

  async #delay(signal: AbortSignal | undefined): Promise<void> {
    const slow = this.#run.faults.find(fault => fault.kind === 'slow' && this.#run.writes >= fault.write);
    if (slow?.kind === 'slow') await sleep(this.clock, slow.milliseconds, signal);
  }

  #alive<T>(value: T): T | Promise<never> {
    return this.#dead ? never() : value;
  }

  async #watch(request: ApiRequest): Promise<WatchStream> {
    if (this.#dead) return never();
    await this.#delay(request.signal);
    const opened = await this.#inner.watch(request);
    if (this.#dead) return never();
    if (opened.refused) return opened;
    const stream = new Stream(opened.events, tableOf(request.path), this.clock, () => this.#streams.delete(stream));
    this.#streams.add(stream);
    return { events: stream, lastActivity: opened.lastActivity };
  }
}

const DEAD_TIMER: Timer = { cancel: () => {}, unref: () => DEAD_TIMER };

/** What a dead process waits for. */
const never = (): Promise<never> => new Promise(() => {});

/** `/apis/apps/v1/namespaces/default/deployments` is `apps/deployments`. */
function tableOf(path: string): string {
  const parts = path.split('/').filter(part => part !== '');
  const group = parts[0] === 'apis' ? parts[1] : '';
  const rest = parts.slice(parts[0] === 'apis' ? 3 : 2);
  return `${group}/${rest[0] === 'namespaces' && rest.length > 2 ? rest[2] : rest[0]}`;
}

/** A watch that can be cut, dropped or paused from outside. */
class Stream implements AsyncIterable<WatchEvent> {
  readonly table: string;
  readonly #inner: AsyncIterator<WatchEvent>;
  readonly #clock: Clock;
  readonly #closed: () => void;
  #state: 'open' | 'cut' | 'dropped' = 'open';
  #pausedUntil = 0;
  #fail: (error: unknown) => void = () => {};

  constructor(inner: AsyncIterable<WatchEvent>, table: string, clock: Clock, closed: () => void) {
    this.#inner = inner[Symbol.asyncIterator]();
    this.table = table;
    this.#clock = clock;
    this.#closed = closed;
  }

  /** The reader is dead: it hears nothing more, and the server forgets it. */
  cut(): void {
    this.#state = 'cut';
    void this.#inner.return?.();
  }

  drop(): void {
    this.#state = 'dropped';
    void this.#inner.return?.();
    this.#fail(broken());
  }

  pause(milliseconds: number): void {
    this.#pausedUntil = this.#clock.monotonic() + milliseconds;
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent> {
    return {
      next: () => this.#next(),
      return: async () => {
        this.#closed();
        await this.#inner.return?.();
        return { done: true, value: undefined };
      },
    };
  }

  async #next(): Promise<IteratorResult<WatchEvent>> {
    if (this.#state === 'dropped') throw broken();
    const dropped = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    dropped.catch(() => {});
    const result = await Promise.race([this.#inner.next(), dropped]);
    const wait = this.#pausedUntil - this.#clock.monotonic();
    if (wait > 0) await Promise.race([sleep(this.#clock, wait), dropped]);
    return this.#state === 'cut' ? never() : result;
  }
}

const broken = (): TransportError => new TransportError('ECONNRESET', 'the watch was cut');

function refused(code: 409 | 429 | 500): ApiResponse {
  const reason = { 409: 'Conflict', 429: 'TooManyRequests', 500: 'InternalError' }[code];
  const message = `refused on purpose with ${code}`;
  const details = code === 429 ? { retryAfterSeconds: 1 } : {};
  return {
    status: code,
    headers: code === 429 ? { 'retry-after': '1' } : {},
    body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message, details, code },
  };
}
