import { appVersion, chartName, history as historyOf } from '@capstan/helm';
import { type ClusterFlags, openHelm } from './open.ts';
import { ansiTime, type OutputFormat, printAs, tableText } from './output.ts';

export interface HistoryFlags extends ClusterFlags {
  readonly max: number;
  readonly output: OutputFormat;
}

const HEADERS = ['REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION', 'DESCRIPTION'];

export async function history(name: string, flags: HistoryFlags): Promise<void> {
  const releases = (await historyOf(await openHelm(flags), name)).slice(-flags.max);
  const rows = releases.map(release => {
    const { last_deployed, rollback_revision, description = '' } = release.info;
    return {
      revision: release.version,
      ...(last_deployed && { updated: last_deployed }),
      status: release.info.status as string,
      chart: chartName(release),
      app_version: appVersion(release),
      ...(rollback_revision && { rollback_revision }),
      description,
    };
  });
  printAs(flags.output, rows, () => {
    const cells = rows.map(row => [
      String(row.revision),
      row.updated ? ansiTime(row.updated) : '',
      row.status,
      row.chart,
      row.app_version,
      row.description,
    ]);
    return tableText([HEADERS, ...cells]);
  });
}
