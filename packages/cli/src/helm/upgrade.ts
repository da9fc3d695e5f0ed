import { history, ReleaseError, upgrade as upgradeRelease, type ValuesPolicy } from '@capstan/helm';
import { chartFrom } from './chart-source.ts';
import { type InstallFlags, sharedOptions } from './install.ts';
import { openHelm } from './open.ts';
import { print, printAs } from './output.ts';
import { releaseJson, statusText } from './status-text.ts';
import { valuesFrom } from './values-flags.ts';

export interface UpgradeFlags extends InstallFlags {
  readonly install?: boolean;
  readonly resetValues?: boolean;
  readonly reuseValues?: boolean;
  readonly resetThenReuseValues?: boolean;
  readonly historyMax: number;
}

export async function upgrade(name: string, chart: string, flags: UpgradeFlags): Promise<void> {
  const [loaded, values, helm] = await Promise.all([chartFrom(chart, flags), valuesFrom(flags), openHelm(flags)]);
  const isNew = flags.install === true && (await isMissing(() => history(helm, name)));
  if (isNew && flags.output === 'table') print(`Release "${name}" does not exist. Installing it now.\n`);
  const release = await upgradeRelease(helm, {
    ...sharedOptions(flags),
    name,
    chart: loaded,
    values,
    valuesPolicy: valuesPolicy(flags),
    install: flags.install,
    serverSide: flags.serverSide as 'true' | 'false' | 'auto',
    historyLimit: flags.historyMax,
  });
  if (!isNew && flags.output === 'table') print(`Release "${name}" has been upgraded. Happy Helming!\n`);
  printAs(flags.output, releaseJson(release), () => statusText(release, { hideNotes: flags.hideNotes }));
}

/** The first that is given wins, in Helm's order. */
export function valuesPolicy(flags: UpgradeFlags): ValuesPolicy {
  if (flags.resetValues) return 'reset';
  if (flags.reuseValues) return 'reuse';
  return flags.resetThenReuseValues ? 'reset-then-reuse' : 'default';
}

async function isMissing(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return false;
  } catch (error) {
    if (error instanceof ReleaseError && error.code === 'ReleaseNotFound') return true;
    throw error;
  }
}
