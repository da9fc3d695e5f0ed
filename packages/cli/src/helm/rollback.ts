import { rollback as rollbackRelease } from '@capstan/helm';
import { type ChangeFlags, changeOptions } from './change-flags.ts';
import { type ClusterFlags, openHelm } from './open.ts';
import { print } from './output.ts';

export interface RollbackFlags extends ChangeFlags, ClusterFlags {
  readonly serverSide: 'true' | 'false' | 'auto';
  readonly historyMax: number;
  readonly dryRun?: boolean;
}

export async function rollback(name: string, revision: string | undefined, flags: RollbackFlags): Promise<void> {
  if (revision !== undefined && !/^\d+$/.test(revision)) {
    throw new Error(`could not convert revision to a number: ${JSON.stringify(revision)}`);
  }
  await rollbackRelease(await openHelm(flags), {
    ...changeOptions(flags),
    name,
    revision: Number(revision ?? 0),
    serverSide: flags.serverSide,
    historyLimit: flags.historyMax,
    dryRun: flags.dryRun,
  });
  print('Rollback was a success! Happy Helming!\n');
}
