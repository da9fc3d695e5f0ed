/** Questions about releases; nothing is changed. */
import { type LabelSelection, parseLabelSelector } from '@capstan/kube';
import { ReleaseError } from '../release/errors.ts';
import type { Release, ReleaseStatus } from '../release/release.ts';
import { coalesceValues } from '../values/coalesce.ts';
import { toJson } from '../values/values.ts';
import { defaultHelmVersion } from '../version.ts';
import type { Helm } from './context.ts';
import { chartFromStored } from './rendering.ts';

/** One revision of a release; the latest if none is named, or 0. */
export async function getRelease(helm: Helm, name: string, revision = 0): Promise<Release> {
  if (revision > 0) return (await helm.store.get(name, revision)).release;
  const last = (await helm.store.history(name)).at(-1);
  if (!last) throw new ReleaseError('ReleaseNotFound', `release: not found: ${name}`);
  return last.release;
}

/** All revisions, oldest first. */
export async function history(helm: Helm, name: string): Promise<readonly Release[]> {
  const found = (await helm.store.history(name)).map(({ release }) => release);
  if (found.length === 0) throw new ReleaseError('ReleaseNotFound', `release: not found: ${name}`);
  return found;
}

export interface ListOptions {
  readonly allNamespaces?: boolean | undefined;
  /** Only those in one of these; all if none are given. */
  readonly statuses?: readonly ReleaseStatus[] | undefined;
  /** Only those whose name matches. */
  readonly filter?: RegExp | undefined;
  /** Only those whose labels match. */
  readonly selector?: string | undefined;
  readonly sort?: 'name' | 'date' | undefined;
  readonly reverse?: boolean | undefined;
  readonly offset?: number | undefined;
  /** 0 is no limit. */
  readonly limit?: number | undefined;
}

/** The latest revision of each release. */
export async function listReleases(helm: Helm, options: ListOptions = {}): Promise<Release[]> {
  const { allNamespaces, statuses = [], filter, selector, sort = 'name', reverse, offset = 0, limit = 0 } = options;
  const all = (await helm.store.list({ allNamespaces })).map(({ release }) => release);
  // Superseded ones are never the latest: who asks for them alone means the former revisions.
  const onlySuperseded = statuses.length === 1 && statuses[0] === 'superseded';
  const labels = selector ? parseLabelSelector(selector as LabelSelection & string) : undefined;
  const found = (onlySuperseded ? all : latest(all))
    .filter(({ info }) => statuses.length === 0 || statuses.includes(info.status))
    .filter(({ name }) => filter === undefined || filter.test(name))
    .filter(release => labels === undefined || labels.matches({ name: release.name, owner: 'helm', ...release.labels }))
    .sort(sort === 'name' ? byName : byDate);
  if (reverse) found.reverse();
  return found.slice(offset, limit > 0 ? offset + limit : undefined);
}

function latest(releases: readonly Release[]): Release[] {
  const found = new Map<string, Release>();
  for (const release of releases) {
    const key = `${release.namespace}/${release.name}`;
    if ((found.get(key)?.version ?? 0) < release.version) found.set(key, release);
  }
  return [...found.values()];
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
const byName = (left: Release, right: Release): number =>
  compare(left.name, right.name) || compare(left.namespace, right.namespace) || left.version - right.version;
const byDate = (left: Release, right: Release): number =>
  Date.parse(left.info.last_deployed ?? '') - Date.parse(right.info.last_deployed ?? '') || byName(left, right);

/** What templates saw, as far as the record tells: subcharts' own defaults are not stored. */
export function computedValues({ chart, config = {} }: Release): Record<string, unknown> {
  if (!chart) return { ...config };
  return toJson(coalesceValues(chartFromStored(chart), config, { helm: defaultHelmVersion }));
}
