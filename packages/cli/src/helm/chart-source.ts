/** From what a user calls a chart to the chart. */
import { type Chart, loadChart } from '@capstan/helm';

export interface ChartFlags {
  readonly version?: string;
  readonly repo?: string;
}

export async function chartFrom(name: string, _flags: ChartFlags): Promise<Chart> {
  return loadChart(name);
}
