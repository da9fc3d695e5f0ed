import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { KubeObject, ObjectList, WatchEvent } from '@capstan/kube';
import { ApiError, TransportError } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failure, gone, HostileServer } from '../testing/hostile-server.fixture.ts';
import { ManualClock, seededRandom, settle } from '../testing/manual-clock.fixture.ts';
import type { Arrival } from './arrival.ts';
import type { ListCall, ListWatch, WatchCall } from './list-watch.ts';
import { Reflector, type ReflectorState, type Sink } from './reflector.ts';

let stop: AbortController;
beforeEach(() => {
  stop = new AbortController();
});
afterEach(() => stop.abort());

/** A sink that keeps a copy and writes down what it was told. */
class Mirror implements Sink {
  readonly content = new Map<string, string>();
  readonly told: string[] = [];
  version = '';

  replaced(objects: readonly Arrival[]): void {
    this.told.push(`replaced ${objects.map(({ metadata }) => metadata.name)}`);
    this.content.clear();
    for (const { metadata } of objects) this.content.set(metadata.name, metadata.resourceVersion!);
  }

  changed(type: string, { metadata }: Arrival): void | Promise<void> {
    this.told.push(`${type} ${metadata.name}@${metadata.resourceVersion}`);
    if (type === 'DELETED') this.content.delete(metadata.name);
    else this.content.set(metadata.name, metadata.resourceVersion!);
  }

  passed(version: string): void {
    this.version = version;
  }
}

const thing = (name: string, version: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default', uid: name, resourceVersion: version },
});
const event = (type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string, version: string): WatchEvent => ({
  type,
  object: thing(name, version),
});
const bookmark = (version: string, annotations: Record<string, string> = {}): WatchEvent => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'v1', kind: 'Thing', metadata: { name: '', resourceVersion: version, annotations } },
});
const endOfInitial = (version: string): WatchEvent => bookmark(version, { 'k8s.io/initial-events-end': 'true' });
const things = (version: string, names: readonly string[], token?: string): ObjectList => ({
  apiVersion: 'v1',
  kind: 'ThingList',
  metadata: { resourceVersion: version, ...(token !== undefined && { continue: token }) },
  items: names.map(name => thing(name, version)),
});

/** What the server does with the next watch: events, then an error, the end (`end`) or silence. */
type Watch = Error | readonly (WatchEvent | Error | 'end')[];

/** Plays back answers in order, and writes down what it was asked. */
function script(clock: ManualClock, lists: (ObjectList | Error)[], watches: Watch[]) {
  const calls: string[] = [];
  const listWatch: ListWatch = {
    async list({ limit, continue: token }: ListCall) {
      calls.push(`list limit=${limit ?? 'none'}${token === undefined ? '' : ` continue=${token}`}`);
      const answer = lists.shift() ?? failure(500, 'InternalError', 'the script is at its end');
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async watch({ resourceVersion, sendInitialEvents, timeoutSeconds, signal }: WatchCall) {
      expect(timeoutSeconds).toBeGreaterThanOrEqual(300);
      expect(timeoutSeconds).toBeLessThanOrEqual(600);
      calls.push(sendInitialEvents ? 'stream' : `watch ${resourceVersion}`);
      const answer = watches.shift() ?? [];
      if (answer instanceof Error) throw answer;
      const opened = clock.monotonic();
      async function* events(): AsyncGenerator<WatchEvent> {
        for (const item of answer as Exclude<Watch, Error>) {
          if (item === 'end') return;
          if (item instanceof Error) throw item;
          yield item;
        }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      }
      return { events: events(), lastActivity: () => opened };
    },
  };
  return { listWatch, calls };
}

function reflect(lists: (ObjectList | Error)[], watches: Watch[], sink: Sink = new Mirror()) {
  const clock = new ManualClock();
  const states: ReflectorState[] = [];
  const { listWatch, calls } = script(clock, lists, watches);
  const onState = (state: ReflectorState): void => void states.push(state);
  const reflector = new Reflector({ name: 'things', listWatch, sink, clock, random: seededRandom(7), onState });
  const ended = reflector.run(stop.signal);
  return { clock, calls, states, reflector, ended, mirror: sink as Mirror };
}

describe('a reflector', () => {
  it('takes the list as a stream, puts it in place at once, and goes on with the same stream', async () => {
    const { clock, calls, mirror, reflector } = reflect(
      [],
      [[event('ADDED', 'a', '5'), event('ADDED', 'b', '3'), endOfInitial('7'), event('MODIFIED', 'a', '8')]],
    );
    await clock.advance(0);
    expect(mirror.told).toEqual(['replaced a,b', 'MODIFIED a@8']);
    expect(calls).toEqual(['stream']);
    expect(mirror.version).toBe('8');
    expect(reflector.state).toEqual({ name: 'watching', from: '7' });
  });

  it('lists in pages when the server refuses streams, and does not ask again', async () => {
    const refusal = failure(422, 'Invalid', 'sendInitialEvents: Forbidden');
    const { clock, calls, mirror } = reflect(
      [things('9', ['a'], 'next'), things('9', ['b'])],
      [refusal, [event('ADDED', 'c', '10'), gone()], []],
    );
    await clock.advance(0);
    expect(calls).toEqual(['stream', 'list limit=500', 'list limit=500 continue=next', 'watch 9', 'list limit=500']);
    expect(mirror.told.slice(0, 2)).toEqual(['replaced a,b', 'ADDED c@10']);
  });

  it('lists in pages when the server ignores the parameter and never marks the end of the initial events', async () => {
    const { clock, calls, mirror } = reflect([things('9', ['a'])], [[event('ADDED', 'a', '9')]]);
    await clock.advance(30_000);
    expect(calls).toEqual(['stream', 'list limit=500', 'watch 9']);
    expect(mirror.told).toEqual(['replaced a']);
  });

  it('asks for everything at once when the pages expire on the way', async () => {
    const { clock, calls, mirror } = reflect(
      [things('9', ['a'], 'next'), gone(), things('11', ['a', 'b'])],
      [failure(400, 'BadRequest', 'no')],
    );
    await clock.advance(0);
    expect(calls.slice(1)).toEqual(['list limit=500', 'list limit=500 continue=next', 'list limit=none', 'watch 11']);
    expect(mirror.told).toEqual(['replaced a,b']);
  });

  it('resumes at once, from the last bookmark, when the server ends the watch in good order', async () => {
    const { clock, calls } = reflect([], [[endOfInitial('7'), bookmark('20'), 'end'], []]);
    await clock.advance(0);
    expect(calls).toEqual(['stream', 'watch 20']);
  });

  it('does not storm a server that ends every watch at once', async () => {
    const { clock, calls } = reflect(
      [],
      [[endOfInitial('7'), 'end'], ...Array.from({ length: 500 }, () => ['end'] as const)],
    );
    await clock.advance(60_000);
    expect(calls.length).toBeLessThan(12);
  });

  it('lists anew at once after a 410, on connecting or as an event, but not again and again', async () => {
    const { clock, calls, mirror } = reflect(
      [],
      [
        [endOfInitial('7'), { type: 'ERROR', object: gone().status }],
        [event('ADDED', 'a', '9'), endOfInitial('30'), new TransportError('ECONNRESET', 'reset')],
        gone(),
        ...Array.from({ length: 500 }, () => gone()),
      ],
    );
    await clock.advance(0);
    expect(calls).toEqual(['stream', 'stream']);
    expect(mirror.told).toEqual(['replaced ', 'replaced a']);
    await clock.advance(60_000);
    expect(calls.length).toBeLessThan(12);
  });

  it('resumes where it was after a broken connection, later after each failure, and soon again after two minutes of health', async () => {
    const reset = new TransportError('ECONNRESET', 'reset');
    const { clock, states } = reflect([], [reset, reset, reset, [endOfInitial('7')]]);
    await clock.until(() => states.at(-1)?.name === 'watching');
    const waits = () => states.flatMap(state => (state.name === 'backing off' ? [state.milliseconds] : []));
    for (const [n, base] of [800, 1_600, 3_200].entries()) {
      expect(waits()[n]).toBeGreaterThanOrEqual(base);
      expect(waits()[n]).toBeLessThanOrEqual(2 * base);
    }
    await clock.advance(120_000); // the stream is silent, so this is also when it is given up
    expect(states.at(-1)).toMatchObject({ name: 'backing off', next: 'watch' });
    expect(waits()[3]).toBeLessThanOrEqual(1_600);
  });

  it('waits as long as the server asks with Retry-After', async () => {
    const { clock, calls } = reflect([], [failure(429, 'TooManyRequests', 'slow down', 17), []]);
    await clock.advance(16_999);
    expect(calls).toEqual(['stream']);
    await clock.advance(1);
    expect(calls).toEqual(['stream', 'stream']);
  });

  it('gives up a half-open connection by the bytes it does not hear', async () => {
    const { clock, calls, states } = reflect([], [[endOfInitial('7')], []]);
    await clock.advance(119_999);
    expect(calls).toEqual(['stream']);
    await clock.advance(2_000);
    expect(calls).toEqual(['stream', 'watch 7']);
    const because = states.find(state => state.name === 'backing off')?.because;
    expect(String(because)).toContain('things: no byte for 120 s');
  });

  it('lists anew when resuming from a version brings nothing but garbage', async () => {
    const garbage = { type: 'MODIFIED', object: { kind: 'Thing' } } as unknown as WatchEvent;
    const { clock, calls, mirror } = reflect(
      [],
      [[endOfInitial('7'), garbage], [garbage], [garbage], [event('ADDED', 'a', '9'), endOfInitial('9')]],
    );
    await clock.until(() => calls.length === 4);
    expect(calls).toEqual(['stream', 'watch 7', 'watch 7', 'stream']);
    expect(mirror.told).toEqual(['replaced ', 'replaced a']);
  });

  it('never gives up, whatever the refusal', async () => {
    const refusals = [401, 403, 404, 500, 503].map(code => failure(code, '', 'no'));
    const { clock, mirror } = reflect([], [...refusals, [event('ADDED', 'a', '5'), endOfInitial('7')]]);
    await clock.until(() => mirror.told.length > 0);
    expect(mirror.told).toEqual(['replaced a']);
  });

  it('does not tell again what it told, even if the server does', async () => {
    const deleted = event('DELETED', 'a', '9');
    const { clock, mirror } = reflect(
      [],
      [[event('ADDED', 'a', '5'), endOfInitial('7'), deleted, event('MODIFIED', 'a', '8'), deleted, bookmark('6')]],
    );
    await clock.advance(0);
    expect(mirror.told).toEqual(['replaced a', 'DELETED a@9']);
    expect(mirror.version).toBe('9');
  });

  it('reads the next event only when the sink has taken the last', async () => {
    let release = (): void => {};
    class Slow extends Mirror {
      override changed(type: string, arrival: Arrival): Promise<void> {
        super.changed(type, arrival);
        return new Promise(resolve => {
          release = resolve;
        });
      }
    }
    const { clock, mirror } = reflect(
      [],
      [[endOfInitial('7'), event('ADDED', 'a', '8'), event('ADDED', 'b', '9')]],
      new Slow(),
    );
    await clock.advance(0);
    expect(mirror.told).toEqual(['replaced ', 'ADDED a@8']);
    expect(mirror.version).toBe('7');
    release();
    await settle();
    expect(mirror.told.at(-1)).toBe('ADDED b@9');
  });

  it('ends with the error of a sink that throws: that is no fault of the server', async () => {
    class Broken extends Mirror {
      override changed(): void {
        throw new Error('cannot take it');
      }
    }
    const { ended } = reflect([], [[endOfInitial('7'), event('ADDED', 'a', '8')]], new Broken());
    await expect(ended).rejects.toThrow('cannot take it');
  });

  it('goes on when an object turns out to be garbage only when the sink reads it', async () => {
    let first = true;
    class Reading extends Mirror {
      override changed(type: string, arrival: Arrival): void {
        if (first) {
          first = false;
          throw new TransportError('EBADSTREAM', 'the watch sent a line that is not an event');
        }
        super.changed(type, arrival);
      }
    }
    const again = event('ADDED', 'a', '8');
    const { clock, mirror } = reflect([], [[endOfInitial('7'), again], [again]], new Reading());
    await clock.advance(60_000);
    expect(mirror.told).toEqual(['replaced ', 'ADDED a@8']);
  });

  it('stops when it is told to, and leaves no timer behind', async () => {
    const { clock, ended, reflector } = reflect([], [[endOfInitial('7')]]);
    await clock.advance(0);
    stop.abort();
    await ended;
    expect(reflector.state).toEqual({ name: 'stopped' });
    expect(clock.waiting).toBe(0);
  });
});

/** Compares every single thing a reflector tells with what the server did. */
class Auditor extends Mirror {
  readonly problems: string[] = [];
  readonly #server: HostileServer;
  relists = 0;
  events = 0;

  constructor(server: HostileServer) {
    super();
    this.#server = server;
  }

  override replaced(objects: readonly Arrival[], version?: string): void {
    super.replaced(objects);
    this.told.length = 0;
    this.relists++;
    const snapshot = this.#server.snapshots.get(version!);
    if (snapshot === undefined) this.problems.push(`a list of version ${version} was never given`);
    else if (!sameContent(this.content, snapshot))
      this.problems.push(`the list of version ${version} is not what was told`);
  }

  override changed(type: string, arrival: Arrival): void {
    super.changed(type, arrival);
    this.told.length = 0;
    this.events++;
    // Between two lists, every change of the server comes once, in its order: the next version is always the last plus one.
    const oldest = this.#server.log[0]!.version;
    const expected = this.#server.log[Number(this.version) + 1 - oldest];
    if (expected?.object !== arrival.object || expected.type !== type) {
      this.problems.push(
        `after ${this.version} came ${type} ${arrival.metadata.resourceVersion}, not ${expected?.version}`,
      );
    }
  }
}

function sameContent(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): boolean {
  return left.size === right.size && [...left].every(([name, version]) => right.get(name) === version);
}

describe('against a hostile server', () => {
  it.each([
    { seed: 1, streams: true },
    { seed: 2, streams: false },
    { seed: 3, streams: true },
  ])(
    'no state is missed and none is doubled in 100,000 changes (seed $seed, streams $streams)',
    async ({ seed, streams }) => {
      const clock = new ManualClock();
      const random = seededRandom(seed);
      const server = new HostileServer(clock, random, { refuse: 0.3, cut: 0.002 }, 4_000);
      server.supportsStreams = streams;
      const auditor = new Auditor(server);
      const errors = new Set<string>();
      const onState = (state: ReflectorState): void => {
        if (state.name === 'backing off' && state.because instanceof Error) errors.add(nameOf(state.because));
      };
      const reflector = new Reflector({ name: 'things', listWatch: server, sink: auditor, clock, random, onState });
      const ended = reflector.run(stop.signal);
      const heap: number[] = [];
      for (let written = 0; written < 100_000; ) {
        if (written >= 40_000 * (heap.length + 1)) heap.push(heapAfterCollection());
        const burst = 1 + Math.floor(random.next() * 100);
        for (let n = 0; n < burst; n++, written++) {
          const name = `thing-${Math.floor(random.next() * 1_500)}`;
          if (random.next() < 0.2) server.delete(name);
          else server.write(name, written);
        }
        await clock.advance(random.next() < 0.02 ? 150_000 : Math.floor(random.next() * 2_000));
        if (random.next() < 0.01) await restart(server, clock);
      }
      await clock.until(() => auditor.version === String(server.version));
      expect(auditor.problems).toEqual([]);
      expect(
        sameContent(
          auditor.content,
          new Map([...server.objects].map(([name, o]) => [name, o.metadata.resourceVersion!])),
        ),
      ).toBe(true);
      // The run was as hostile as it claims to be.
      expect(auditor.relists).toBeGreaterThan(10);
      expect(auditor.events).toBeGreaterThan(30_000);
      expect([...errors].sort()).toEqual(
        expect.arrayContaining(['403', '429', '500', 'EBADSTREAM', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT']),
      );
      // A request for every few seconds of clock time at most: it never storms.
      expect(server.requests).toBeLessThan(clock.monotonic() / 800);
      expect(heap[1]! - heap[0]!).toBeLessThan(4_000_000);
      stop.abort();
      await ended;
      expect(clock.waiting).toBe(0);
    },
    60_000,
  );
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapAfterCollection(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function nameOf(error: Error): string {
  return error instanceof ApiError ? String(error.code) : error instanceof TransportError ? error.code : error.name;
}

async function restart(server: HostileServer, clock: ManualClock): Promise<void> {
  server.down = true;
  server.wake();
  await clock.advance(10_000);
  server.down = false;
}
