import { uninstall as uninstallRelease } from '@capstan/helm';
import { isWaiting, milliseconds } from './change-flags.ts';
import { type ClusterFlags, openHelm } from './open.ts';
import { print } from './output.ts';

export interface UninstallFlags extends ClusterFlags {
  readonly keepHistory?: boolean;
  /** False with `--no-hooks`. */
  readonly hooks: boolean;
  readonly dryRun?: boolean;
  readonly ignoreNotFound?: boolean;
  readonly wait?: boolean | string;
  readonly timeout: string;
  readonly description?: string;
  readonly takeOver?: boolean;
  readonly cascade: 'background' | 'foreground' | 'orphan';
}

export async function uninstall(names: readonly string[], flags: UninstallFlags): Promise<void> {
  const helm = await openHelm(flags);
  for (const name of names) {
    const { info } = await uninstallRelease(helm, {
      name,
      keepHistory: flags.keepHistory,
      noHooks: !flags.hooks,
      dryRun: flags.dryRun,
      ignoreNotFound: flags.ignoreNotFound,
      wait: isWaiting(flags.wait),
      timeout: milliseconds(flags.timeout),
      description: flags.description,
      takeOver: flags.takeOver,
      cascade: flags.cascade,
    });
    if (info !== '') print(`${info}\n`);
    print(`release "${name}" uninstalled\n`);
  }
}
