import { getRelease } from '@capstan/helm';
import { type ClusterFlags, openHelm } from './open.ts';
import { type OutputFormat, printAs } from './output.ts';
import { releaseJson, statusText } from './status-text.ts';

export interface StatusFlags extends ClusterFlags {
  readonly revision?: number;
  readonly output: OutputFormat;
}

export async function status(name: string, flags: StatusFlags): Promise<void> {
  const release = await getRelease(await openHelm(flags), name, flags.revision);
  printAs(flags.output, releaseJson(release), () => statusText(release));
}
