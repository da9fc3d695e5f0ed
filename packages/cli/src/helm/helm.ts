/** `capstan helm`: Helm's verbs with Helm's flags. What a verb needs is loaded when it runs. */
import type { Command } from 'commander';
import { addChartVerbs } from './chart-verbs.ts';
import { addReleaseVerbs } from './release-verbs.ts';

export function addHelmVerbs(helm: Command): void {
  addChartVerbs(helm);
  addReleaseVerbs(helm);
}
