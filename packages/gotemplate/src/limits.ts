/**
 * What one execution may use. A template is a program written by someone else: these keep a hostile or broken one from hanging
 * the process or eating its memory. All are counted, none is a clock, so the same template always ends at the same point.
 */

import { LimitError } from './errors.ts';

export interface Limits {
  /** Nodes visited, functions called, values walked. The largest real charts need some 15,000. */
  readonly steps: number;
  /** Characters written by the outermost template. */
  readonly output: number;
  /** Templates within templates, where JavaScript's stack does not end first (after some 500 by way of `include`). Go: 100,000. */
  readonly depth: number;
  /** Characters of text and eight for each list element that functions may produce in total. */
  readonly memory: number;
}

export const defaultLimits: Limits = {
  steps: 20_000_000,
  output: 64 * 1024 * 1024,
  depth: 1_000,
  memory: 512 * 1024 * 1024,
};

/** What is left of the limits; shared by an execution and the templates it runs through `include` or `tpl`. */
export class Budget {
  readonly limits: Limits;
  #steps = 0;
  #memory = 0;
  depth = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  step(): void {
    if (++this.#steps > this.limits.steps) this.#exceeded('steps', this.limits.steps);
  }

  /** Accounts for work that one step does not cover: hashing, key generation, long texts. A step is about half a microsecond. */
  work(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.limits.steps) this.#exceeded('steps', this.limits.steps);
  }

  /** Accounts for text or lists that a function is about to make: call it before making them. */
  charge(amount: number): void {
    this.#memory += amount;
    if (this.#memory > this.limits.memory) this.#exceeded('memory', this.limits.memory);
  }

  checkOutput(length: number): void {
    if (length > this.limits.output) this.#exceeded('output', this.limits.output);
  }

  #exceeded(limit: 'steps' | 'output' | 'memory', bound: number): never {
    throw new LimitError(limit, `template exceeded its ${limit} limit of ${bound}`);
  }
}

/** The budget of the template that is running. Execution never waits, so there is one at a time. */
let running: Budget | undefined;

/** Runs with a budget in force for everything that walks values. */
export function withBudget<T>(budget: Budget, run: () => T): T {
  const outer = running;
  running = budget;
  try {
    return run();
  } finally {
    running = outer;
  }
}

/**
 * Accounts for visiting one value while printing, encoding, copying or comparing. A value that holds another many times over
 * (`list $x $x`, level upon level) is small in memory and endless to walk: only counting the visits ends that.
 */
export function visit(textLength = 0): void {
  if (!running) return;
  running.step();
  if (textLength > 64) running.charge(textLength);
}

/** Accounts for work beyond a step, where no execution is at hand. */
export function work(steps: number): void {
  running?.work(steps);
}
