import { EVALUATION_COST_LIMIT, EVALUATION_WORK_LIMIT, MAX_STRING_LENGTH } from '../../limits.ts';

/** Ends an evaluation at once, whatever absorbs errors around it. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded');
  }
}

/**
 * What one evaluation has used. `cost` is Kubernetes' figure, which authors of rules know and which is charged to the
 * request; `work` counts what really happens, see EVALUATION_WORK_LIMIT.
 */
export class Meter {
  cost = 0;
  work = 0;

  charge(cost: number): void {
    this.cost += cost;
    if (this.cost > EVALUATION_COST_LIMIT) throw new CostLimitExceeded();
  }

  step(steps = 1): void {
    this.work += steps;
    if (this.work > EVALUATION_WORK_LIMIT) throw new CostLimitExceeded();
  }

  /** About to read `length` characters. */
  scan(length: number): void {
    this.step(1 + length / 32);
  }

  /** About to build a string of `length` characters. Asked before, not after: memory is spent by then. */
  build(length: number): void {
    if (length > MAX_STRING_LENGTH) throw new CostLimitExceeded();
    this.step(1 + length / 4);
  }
}
