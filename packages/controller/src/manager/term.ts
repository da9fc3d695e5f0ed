import { type Clock, type Random, sleep } from '@capstan/kube';
import type { Controller } from '../controller/controller.ts';
import type { Log } from '../log/log.ts';
import { type Backoff, backoffDelay } from '../queue/backoff.ts';

/** Something that runs for as long as the manager does, besides controllers: a listener, a bridge, a writer of its own. */
export interface Task {
  readonly name: string;
  /** `leader` (the default): only where this process leads. */
  readonly runs?: 'leader' | 'everywhere';
  /** Runs until the signal is aborted. If it ends or throws before, it is started again after a while. */
  run(signal: AbortSignal): Promise<void>;
}

export interface TermParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const RESTART_BACKOFF: Backoff = { base: 1_000, factor: 2, max: 60_000, jitter: 0.2 };
/** What has been told to stop at once is given this long. */
const LAST_MOMENTS = 10_000;

/** A time during which controllers and tasks work: a term of leadership, or the life of the manager. */
export class Term {
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  readonly #parts: TermParts;
  readonly #controllers: readonly Controller[];
  readonly #running = new Map<Controller | Task, Promise<void>>();

  constructor(controllers: readonly Controller[], tasks: readonly Task[], parts: TermParts) {
    this.#parts = parts;
    this.#controllers = controllers;
    for (const controller of controllers) {
      this.#track(controller, controller.run(this.#stop.signal, this.#abandon.signal));
    }
    for (const task of tasks) this.#track(task, this.#keepUp(task));
  }

  /** Begins nothing new, and waits at most `grace` milliseconds for what is under way before it is aborted. */
  async end(grace: number): Promise<readonly string[]> {
    this.#stop.abort();
    if (grace <= 0 || !(await this.#endedWithin(grace))) {
      this.#abandon.abort();
      await this.#endedWithin(LAST_MOMENTS);
    }
    const hanging = this.#controllers.flatMap(({ name, abandoned }) => abandoned.map(key => `${name} (${key})`));
    return [...Array.from(this.#running.keys(), ({ name }) => name), ...hanging];
  }

  /** Does not wait any longer for what is under way. */
  abandon(): void {
    this.#abandon.abort();
  }

  #track(worker: Controller | Task, ended: Promise<void>): void {
    const forget = (): void => void this.#running.delete(worker);
    const failed = (error: unknown): void => {
      forget();
      this.#parts.log.error({ name: worker.name, error }, 'a controller ended with an error');
    };
    this.#running.set(worker, ended.then(forget, failed));
  }

  async #endedWithin(milliseconds: number): Promise<boolean> {
    const giveUp = new AbortController();
    const late = sleep(this.#parts.clock, milliseconds, giveUp.signal).then(
      () => false,
      () => true,
    );
    const ended = Promise.all(this.#running.values()).then(() => true);
    const inTime = await Promise.race([ended, late]);
    giveUp.abort();
    return inTime;
  }

  async #keepUp(task: Task): Promise<void> {
    const { clock, random, log } = this.#parts;
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures++) {
      const began = clock.monotonic();
      try {
        await task.run(signal);
        if (!signal.aborted) log.warn({ task: task.name }, 'a task ended before it was told to; it is started again');
      } catch (error) {
        if (!signal.aborted) log.error({ task: task.name, error }, 'a task failed; it is started again');
      }
      if (clock.monotonic() - began > RESTART_BACKOFF.max) failures = 1;
      await sleep(clock, backoffDelay(RESTART_BACKOFF, failures, random), signal).catch(() => {});
    }
  }
}
