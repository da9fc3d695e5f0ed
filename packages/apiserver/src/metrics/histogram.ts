import type { HistogramState } from './exposition.ts';

/** Counts values by size. `bounds` ascend. */
export class Histogram implements HistogramState {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length);
  }

  observe(value: number): void {
    this.sum += value;
    this.count++;
    // Most values are small, so looking from the bottom ends soonest.
    for (let at = 0; at < this.bounds.length; at++) {
      if (value <= this.bounds[at]!) {
        this.counts[at]!++;
        return;
      }
    }
  }
}
