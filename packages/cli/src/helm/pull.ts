import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadArchive, pullChart } from '@capstan/helm';
import { type ChartFlags, pullOptions } from './chart-source.ts';
import { print } from './output.ts';

export interface PullFlags extends ChartFlags {
  readonly destination: string;
}

/** Only what can be loaded is written: a broken archive is found now and not at the next install. */
export async function pull(chart: string, flags: PullFlags): Promise<void> {
  const { data } = await pullChart(chart, await pullOptions(flags));
  const { metadata } = await loadArchive(data);
  const file = join(flags.destination, `${metadata.name}-${metadata.version}.tgz`);
  await writeFile(file, data);
  print(`${file}\n`);
}
