import { REQUEST_COST_LIMIT, REQUEST_WORK_LIMIT } from './limits.ts';

/**
 * What the rules for one request may still cost, together. Make one a request and hand it to every evaluation.
 *
 * @example
 * const budget = new CostBudget();
 * const outcome = rule.evaluate({ self, oldSelf }, budget);
 */
export class CostBudget {
  #cost: number;
  #work = REQUEST_WORK_LIMIT;

  constructor(cost = REQUEST_COST_LIMIT) {
    this.#cost = cost;
  }

  /** In Kubernetes' cost units. Negative once the budget is overdrawn. */
  get remaining(): number {
    return this.#cost;
  }

  get isExhausted(): boolean {
    return this.#cost <= 0 || this.#work <= 0;
  }

  /** False when this was more than there was. */
  spend(cost: number, work: number): boolean {
    this.#cost -= cost;
    this.#work -= work;
    return this.#cost >= 0 && this.#work >= 0;
  }
}
