import { appVersion, chartName, listReleases, type Release, type ReleaseStatus } from '@capstan/helm';
import { type ClusterFlags, openHelm } from './open.ts';
import { goTime, type OutputFormat, print, printAs, tableText } from './output.ts';

export interface ListFlags extends ClusterFlags {
  readonly allNamespaces?: boolean;
  readonly short?: boolean;
  /** False with `--no-headers`. */
  readonly headers: boolean;
  readonly date?: boolean;
  readonly reverse?: boolean;
  readonly max: number;
  readonly offset: number;
  readonly filter?: string;
  readonly selector?: string;
  readonly deployed?: boolean;
  readonly failed?: boolean;
  readonly pending?: boolean;
  readonly superseded?: boolean;
  readonly uninstalled?: boolean;
  readonly uninstalling?: boolean;
  readonly output: OutputFormat;
}

const HEADERS = ['NAME', 'NAMESPACE', 'REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION'];

export async function list(flags: ListFlags): Promise<void> {
  const releases = await listReleases(await openHelm(flags), {
    allNamespaces: flags.allNamespaces,
    statuses: statuses(flags),
    filter: flags.filter === undefined ? undefined : new RegExp(flags.filter),
    selector: flags.selector,
    sort: flags.date ? 'date' : 'name',
    reverse: flags.reverse,
    offset: flags.offset,
    limit: flags.max,
  });
  if (flags.short) {
    const names = releases.map(({ name }) => name);
    printAs(flags.output, names, () => names.map(name => `${name}\n`).join(''));
    return;
  }
  const rows = releases.map(row);
  const table = rows.map(each => Object.values(each));
  if (flags.output === 'table') print(tableText(flags.headers ? [HEADERS, ...table] : table));
  else printAs(flags.output, rows, () => '');
}

function row(release: Release) {
  return {
    name: release.name,
    namespace: release.namespace,
    revision: String(release.version),
    updated: release.info.last_deployed ? goTime(release.info.last_deployed) : '-',
    status: release.info.status as string,
    chart: chartName(release),
    app_version: appVersion(release),
  };
}

function statuses(flags: ListFlags): ReleaseStatus[] {
  const wanted: ReleaseStatus[] = [];
  for (const status of ['deployed', 'failed', 'superseded', 'uninstalled', 'uninstalling'] as const) {
    if (flags[status]) wanted.push(status);
  }
  if (flags.pending) wanted.push('pending-install', 'pending-upgrade', 'pending-rollback');
  return wanted;
}
