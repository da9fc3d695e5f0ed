import { computedValues, getRelease, type Release } from '@capstan/helm';
import { type ClusterFlags, openHelm } from './open.ts';
import { type OutputFormat, print, printAs, withSortedKeys, yamlOf } from './output.ts';
import { hooksText, statusText } from './status-text.ts';

export interface GetFlags extends ClusterFlags {
  readonly revision?: number;
  readonly all?: boolean;
  readonly output?: OutputFormat;
}

export type GetWhat = 'all' | 'hooks' | 'manifest' | 'metadata' | 'notes' | 'values';

export async function get(what: GetWhat, name: string, flags: GetFlags): Promise<void> {
  const release = await getRelease(await openHelm(flags), name, flags.revision);
  const { output = 'table' } = flags;
  switch (what) {
    case 'all':
      return print(statusText(release, { everything: true }));
    case 'hooks':
      return print(hooksText(release));
    case 'manifest':
      return print(`${release.manifest ?? ''}\n`);
    case 'notes':
      return print(release.info.notes ? `NOTES:\n${release.info.notes}\n` : '');
    case 'metadata':
      return printAs(output, metadata(release), () => metadataText(release));
    case 'values': {
      const values = flags.all ? computedValues(release) : (release.config ?? null);
      const heading = flags.all ? 'COMPUTED VALUES:' : 'USER-SUPPLIED VALUES:';
      return printAs(output, withSortedKeys(values), () => `${heading}\n${yamlOf(values)}`);
    }
  }
}

function metadata({ name, namespace, version, info, chart, labels, apply_method }: Release) {
  const { metadata: about } = chart ?? {};
  return {
    name,
    chart: about?.name ?? '',
    version: about?.version ?? '',
    appVersion: about?.appVersion ?? '',
    ...(about?.annotations && { annotations: about.annotations }),
    ...(labels && { labels }),
    ...(about?.dependencies && { dependencies: about.dependencies }),
    namespace,
    revision: version,
    status: info.status,
    deployedAt: (info.last_deployed ?? '').replace(/\.\d+/, ''),
    ...(apply_method && { applyMethod: apply_method }),
  };
}

const APPLY_METHODS = { ssa: 'server-side apply', csa: 'client-side apply' };

function metadataText(release: Release): string {
  const about = metadata(release);
  const set = (map: Readonly<Record<string, string>> = {}): string =>
    Object.entries(map)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
  const dependencies = (about.dependencies ?? []).map(({ name }) => name).sort();
  const rows = {
    NAME: about.name,
    CHART: about.chart,
    VERSION: about.version,
    APP_VERSION: about.appVersion,
    ANNOTATIONS: set(about.annotations),
    LABELS: set(about.labels),
    DEPENDENCIES: dependencies.join(','),
    NAMESPACE: about.namespace,
    REVISION: about.revision,
    STATUS: about.status,
    DEPLOYED_AT: about.deployedAt,
    APPLY_METHOD: about.applyMethod ? APPLY_METHODS[about.applyMethod] : 'client-side apply (defaulted)',
  };
  return Object.entries(rows)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}
