import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock, seededRandom } from '../testing/manual-clock.fixture.ts';
import { Queue, type QueueItem } from './queue.ts';

function newQueue(options: { ageAfter?: number } = {}): { clock: ManualClock; queue: Queue } {
  const clock = new ManualClock();
  return { clock, queue: new Queue({ clock, random: seededRandom(1), ...options }) };
}

async function takeNow(queue: Queue): Promise<string | undefined> {
  return queue.depth === 0 ? undefined : (await queue.take())?.key;
}

describe('the queue', () => {
  it('gives keys first in, first out, each once however often it was added', async () => {
    const { queue } = newQueue();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect([await takeNow(queue), await takeNow(queue), await takeNow(queue), await takeNow(queue)]).toEqual([
      'a',
      'b',
      'c',
      undefined,
    ]);
  });

  it('keeps a key that was added while a worker has it until that worker is finished', async () => {
    const { queue } = newQueue();
    queue.add('a');
    await queue.take();
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.finish('a', { type: 'done' });
    expect(await takeNow(queue)).toBe('a');
  });

  it('gives fresh work before low-priority work, and a low key that changes moves up', async () => {
    const { queue } = newQueue();
    for (const key of ['old-1', 'old-2', 'old-3']) queue.add(key, 'low');
    queue.add('fresh');
    queue.add('old-3');
    const order = [await takeNow(queue), await takeNow(queue), await takeNow(queue), await takeNow(queue)];
    expect(order).toEqual(['fresh', 'old-3', 'old-1', 'old-2']);
  });

  it('lets low-priority work that has waited long take every second turn', async () => {
    const { clock, queue } = newQueue({ ageAfter: 1_000 });
    queue.add('old-1', 'low');
    queue.add('old-2', 'low');
    await clock.advance(1_000);
    for (const key of ['new-1', 'new-2', 'new-3']) queue.add(key);
    const order = [];
    while (queue.depth > 0) order.push(await takeNow(queue));
    expect(order).toEqual(['old-1', 'new-1', 'old-2', 'new-2', 'new-3']);
  });

  it('waits longer after each failure in a row, up to five minutes, and forgets after a success', async () => {
    const { clock, queue } = newQueue();
    const waits: number[] = [];
    queue.add('a');
    for (let failure = 0; failure < 20; failure++) {
      await queue.take();
      queue.finish('a', { type: 'failed' });
      const start = clock.now();
      await clock.until(() => queue.depth === 1);
      waits.push(clock.now() - start);
    }
    expect(waits[0]).toBeLessThan(7);
    for (let n = 1; n < 14; n++) expect(waits[n]! / waits[n - 1]!).toBeGreaterThan(1.5);
    expect(Math.max(...waits)).toBeLessThanOrEqual(360_000);
    expect((await queue.take())?.failures).toBe(20);
    queue.finish('a', { type: 'done' });
    queue.add('a');
    expect((await queue.take())?.failures).toBe(0);
  });

  it('comes back after the time that was asked for, or sooner when the key is added, and then not twice', async () => {
    const { clock, queue } = newQueue();
    queue.add('a');
    await queue.take();
    queue.finish('a', { type: 'after', milliseconds: 60_000 });
    await clock.advance(59_999);
    expect(queue.depth).toBe(0);
    queue.add('a');
    await queue.take();
    queue.finish('a', { type: 'done' });
    await clock.advance(120_000);
    expect(queue.depth).toBe(0);
    expect(queue.size).toBe(0);
  });

  it('takes the sooner of two delays', async () => {
    const { clock, queue } = newQueue();
    queue.addAfter('a', 500);
    queue.addAfter('a', 100);
    queue.addAfter('a', 300);
    await clock.advance(100);
    expect(await takeNow(queue)).toBe('a');
    queue.finish('a', { type: 'done' });
    await clock.advance(1_000);
    expect(queue.size).toBe(0);
  });

  it('tells those who wait that it was closed, and hands out nothing more', async () => {
    const { queue } = newQueue();
    const waiting = queue.take();
    queue.close();
    queue.add('a');
    expect(await waiting).toBeUndefined();
    expect(await queue.take()).toBeUndefined();
  });

  it('says so when a key is finished that no worker has', () => {
    expect(() => newQueue().queue.finish('a', { type: 'done' })).toThrow('"a" was finished but no worker has it');
  });

  it('leaves nothing behind for keys that are done', async () => {
    const { queue } = newQueue();
    for (let n = 0; n < 10_000; n++) queue.add(`key-${n}`, n % 2 ? 'low' : 'normal');
    for (let n = 0; n < 10_000; n++) queue.finish((await queue.take())!.key, { type: 'done' });
    expect(queue.size).toBe(0);
  });
});

type Step =
  | { do: 'add' | 'low'; key: string }
  | { do: 'later'; key: string; by: number }
  | { do: 'finish'; worker: number; how: 'done' | 'after' | 'failed' }
  | { do: 'pass'; by: number };

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'low' as const), key }),
  fc.record({ do: fc.constant('later' as const), key, by: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ do: fc.constant('finish' as const), worker: fc.nat(2), how: fc.constantFrom('done', 'after', 'failed') }),
  fc.record({ do: fc.constant('pass' as const), by: fc.integer({ min: 1, max: 20_000 }) }),
);

/** Three workers that hold what they take until a step says that they are finished. */
class Workers {
  readonly held: (QueueItem | undefined)[] = [undefined, undefined, undefined];
  readonly queue: Queue;
  /** Keys asked for that no worker has begun since. */
  readonly owed = new Set<string>();
  readonly problems: string[] = [];

  constructor(queue: Queue) {
    this.queue = queue;
    for (let worker = 0; worker < this.held.length; worker++) this.#take(worker);
  }

  #take(worker: number): void {
    void this.queue.take().then(item => {
      if (item === undefined) return;
      if (this.held.some(other => other?.key === item.key)) this.problems.push(`${item.key} runs twice at once`);
      this.held[worker] = item;
      this.owed.delete(item.key);
    });
  }

  finish(worker: number, how: 'done' | 'after' | 'failed'): void {
    const item = this.held[worker];
    if (item === undefined) return;
    this.held[worker] = undefined;
    if (how !== 'done') this.owed.add(item.key);
    this.queue.finish(item.key, how === 'after' ? { type: 'after', milliseconds: 500 } : { type: how });
    this.#take(worker);
  }
}

describe('whatever is done to the queue', () => {
  it('no key runs twice at once, none is lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), async steps => {
        const { clock, queue } = newQueue({ ageAfter: 1_000 });
        const workers = new Workers(queue);
        for (const action of steps) {
          if (action.do === 'pass') await clock.advance(action.by);
          else if (action.do === 'finish') workers.finish(action.worker, action.how);
          else {
            workers.owed.add(action.key);
            if (action.do === 'later') queue.addAfter(action.key, action.by);
            else queue.add(action.key, action.do === 'low' ? 'low' : 'normal');
          }
          await clock.advance(0);
          expect(workers.problems).toEqual([]);
        }
        // Everybody works and succeeds from here on: whatever was asked for must have been begun since.
        for (let round = 0; round < 60 && queue.size > 0; round++) {
          for (let worker = 0; worker < 3; worker++) workers.finish(worker, 'done');
          await clock.advance(60_000);
        }
        expect(workers.problems).toEqual([]);
        expect([...workers.owed]).toEqual([]);
        expect(queue.size).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('no key starves while fresh work never ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 50 }), async (low, pace) => {
        const { clock, queue } = newQueue({ ageAfter: 1_000 });
        for (let n = 0; n < low; n++) queue.add(`low-${n}`, 'low');
        const begun = new Set<string>();
        let turns = 0;
        for (let fresh = 0; begun.size < low; fresh++) {
          // Two arrive for every one that is worked on: the normal lane is never empty.
          queue.add(`fresh-${fresh}-a`);
          queue.add(`fresh-${fresh}-b`);
          const item = (await queue.take())!;
          if (item.key.startsWith('low')) begun.add(item.key);
          queue.finish(item.key, { type: 'done' });
          clock.pause(pace);
          turns++;
          expect(turns).toBeLessThanOrEqual(Math.ceil(1_000 / pace) + 2 * low + 1);
        }
      }),
      { numRuns: 100 },
    );
  });
});
