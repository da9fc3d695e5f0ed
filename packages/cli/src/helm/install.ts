import { type Chart, type Helm, type InstallOptions, install as installChart } from '@capstan/helm';
import { type ChangeFlags, changeOptions } from './change-flags.ts';
import { type ChartFlags, chartFrom } from './chart-source.ts';
import { type ClusterFlags, openHelm } from './open.ts';
import { type OutputFormat, printAs } from './output.ts';
import { releaseJson, statusText } from './status-text.ts';
import { type ValuesFlags, valuesFrom } from './values-flags.ts';

export interface InstallFlags extends ChangeFlags, ChartFlags, ClusterFlags, ValuesFlags {
  readonly serverSide: string;
  readonly generateName?: boolean;
  readonly replace?: boolean;
  readonly rollbackOnFailure?: boolean;
  readonly atomic?: boolean;
  readonly createNamespace?: boolean;
  readonly skipCrds?: boolean;
  readonly takeOwnership?: boolean;
  readonly skipSchemaValidation?: boolean;
  readonly renderSubchartNotes?: boolean;
  readonly hideNotes?: boolean;
  readonly dryRun?: 'none' | 'client' | 'server';
  readonly labels?: Readonly<Record<string, string>>;
  readonly output: OutputFormat;
}

export async function install(first: string, second: string | undefined, flags: InstallFlags): Promise<void> {
  if ((second === undefined) !== (flags.generateName === true)) {
    throw new Error(
      second
        ? 'cannot set --generate-name and also specify a name'
        : 'must either provide a name or specify --generate-name',
    );
  }
  const chart = second ?? first;
  const [loaded, values, helm] = await Promise.all([chartFrom(chart, flags), valuesFrom(flags), openHelm(flags)]);
  const release = await installChart(helm, {
    ...sharedOptions(flags),
    name: second ? first : generatedName(loaded, helm),
    chart: loaded,
    values,
    serverSide: flags.serverSide === 'true',
    replace: flags.replace,
  });
  printAs(flags.output, releaseJson(release), () => statusText(release, { hideNotes: flags.hideNotes }));
}

/** As Helm names it: the chart, and the second in which it was installed. */
function generatedName({ metadata }: Chart, { clock }: Helm): string {
  return `${metadata.name}-${Math.floor(clock.now() / 1000)}`;
}

/** What install and upgrade have in common. */
export function sharedOptions(flags: InstallFlags): Omit<InstallOptions, 'name' | 'chart' | 'values' | 'serverSide'> {
  return {
    ...changeOptions(flags),
    rollbackOnFailure: flags.rollbackOnFailure ?? flags.atomic,
    createNamespace: flags.createNamespace,
    skipCrds: flags.skipCrds,
    takeOwnership: flags.takeOwnership,
    skipSchemaValidation: flags.skipSchemaValidation,
    subNotes: flags.renderSubchartNotes,
    dryRun: flags.dryRun === 'none' ? undefined : flags.dryRun,
    labels: flags.labels,
  };
}
