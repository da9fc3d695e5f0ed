import { getRelease, resourceTables } from '@capstan/helm';
import { type ClusterFlags, openHelm } from './open.ts';
import { type OutputFormat, printAs } from './output.ts';
import { releaseJson, statusText } from './status-text.ts';

export interface StatusFlags extends ClusterFlags {
  readonly revision?: number;
  readonly output: OutputFormat;
}

export async function status(name: string, flags: StatusFlags): Promise<void> {
  const helm = await openHelm(flags);
  const release = await getRelease(helm, name, flags.revision);
  const resources = flags.output === 'table' ? await resourceTables(helm, release) : undefined;
  printAs(flags.output, releaseJson(release), () => statusText(release, { resources }));
}
