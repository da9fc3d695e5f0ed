/** Charts and releases against the helm program. */
import type { BenchOptions, Measure } from '../measure.ts';
import { releaseMeasures } from './releases.ts';
import { renderMeasures } from './rendering.ts';

export async function run(options: BenchOptions): Promise<readonly Measure[]> {
  return [...(await renderMeasures(options)), ...(await releaseMeasures(options))];
}
