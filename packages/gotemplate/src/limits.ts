/**
 * What one execution may use. A template is a program written by someone else: these keep a hostile or broken one from hanging
 * the process or eating its memory. All are counted, none is a clock, so the same template always ends at the same point.
 */

import { LimitError } from './errors.ts';

export interface Limits {
  /** Nodes visited and functions called. The largest real charts need some 200,000. */
  readonly steps: number;
  /** Characters written by the outermost template. */
  readonly output: number;
  /** Templates within templates. JavaScript's stack ends far before Go's 100,000. */
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
