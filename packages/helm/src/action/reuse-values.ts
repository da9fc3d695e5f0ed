/** Which values an upgrade stands on: those given, those of the last release, or both. */
import type { Chart } from '../chart/chart.ts';
import type { Release } from '../release/release.ts';
import { coalesceValues, fillTable } from '../values/coalesce.ts';
import { copyValues, type Values } from '../values/values.ts';
import { defaultHelmVersion } from '../version.ts';
import { chartFromStored } from './rendering.ts';

/**
 * - `default`: as Helm: the last release's values if none are given, else only those given
 * - `reset`: only those given, on the chart's own
 * - `reuse`: those given over the last release's, on the old chart's own
 * - `reset-then-reuse`: those given over the last release's, on the new chart's own
 */
export type ValuesPolicy = 'default' | 'reset' | 'reuse' | 'reset-then-reuse';

export interface ReusedValues {
  readonly chart: Chart;
  readonly values: Values;
}

export function reuseValues(policy: ValuesPolicy, chart: Chart, given: Values, last: Release): ReusedValues {
  const before: Values = last.config ?? {};
  switch (policy) {
    case 'reset':
      return { chart, values: given };
    case 'reuse': {
      const old = last.chart ? coalesceValues(chartFromStored(last.chart), before, { helm: defaultHelmVersion }) : {};
      return { chart: { ...chart, values: old }, values: over(given, before) };
    }
    case 'reset-then-reuse':
      return { chart, values: over(given, before) };
    case 'default': {
      const nothingGiven = Object.keys(given).length === 0;
      return { chart, values: nothingGiven ? before : given };
    }
  }
}

const over = (given: Values, before: Values): Values =>
  fillTable(copyValues(given), before, { merge: false, warn: () => {} });
