import type { Chart } from '../chart/chart.ts';
import { isLibrary } from '../chart/chart.ts';
import { encodeRelease } from '../release/encode.ts';
import { messageOf, ReleaseError } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';
import { toJson, type Values } from '../values/values.ts';
import {
  applyMethod,
  beginRevision,
  checkLabels,
  checkName,
  checkOwnership,
  firstStep,
  nowText,
  withObjects,
} from './begin.ts';
import { type ChangeOptions, carryOut } from './change.ts';
import type { Helm } from './context.ts';
import { type InstallOptions, install } from './install.ts';
import { renderLive } from './live-renderer.ts';
import { capabilitiesOf, intentOf, type Renderer, storedChart, storedHooks } from './rendering.ts';
import { reuseValues, type ValuesPolicy } from './reuse-values.ts';
import { rollback } from './rollback.ts';
import { declareFailed, historyWhenFree, leftUnderWay, resume } from './takeover.ts';
import { uninstall } from './uninstall.ts';

export interface UpgradeOptions extends ChangeOptions {
  readonly name: string;
  readonly chart: Chart;
  readonly values: Values;
  /** Default: `default`, as Helm. */
  readonly valuesPolicy?: ValuesPolicy | undefined;
  readonly subNotes?: boolean | undefined;
  readonly render?: Renderer | undefined;
  readonly dryRun?: 'client' | 'server' | undefined;
  /** Install it if there is no such release. */
  readonly install?: boolean | undefined;
  /** With `install`, as of it. */
  readonly createNamespace?: boolean | undefined;
  readonly skipCrds?: boolean | undefined;
  /** Go back to the last good revision when it fails. Waits for the objects to be ready, if nothing else is said. */
  readonly rollbackOnFailure?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  /** `auto`: as the last revision was written. Default: auto. */
  readonly serverSide?: 'true' | 'false' | 'auto' | undefined;
  readonly historyLimit?: number | undefined;
  readonly takeOver?: boolean | undefined;
  /** As of `InstallOptions`. */
  readonly request?: string | undefined;
}

/** Brings a release to another chart or other values, as a new revision. */
export async function upgrade(helm: Helm, given: UpgradeOptions): Promise<Release> {
  const wait = given.wait && given.wait !== 'none' ? given.wait : 'ready';
  const options: UpgradeOptions = given.rollbackOnFailure ? { ...given, wait } : given;
  const { name, chart, values, dryRun } = options;
  checkName(name);
  checkLabels(options.labels);
  if (isLibrary(chart)) throw new ReleaseError('InvalidOption', 'library charts are not installable');
  const asked = [toJson(values), options.valuesPolicy ?? 'default'];
  const intent = options.request ?? intentOf('upgrade', asked, chart);
  const history = dryRun ? await helm.store.history(name) : await settled(helm, options, intent);
  const last = history.at(-1);
  if (options.install && (!last || last.release.info.status === 'uninstalled' || isOwnInstall(last, options))) {
    return install(helm, installOptions(options, last?.release));
  }
  if (!last) throw new ReleaseError('ReleaseNotFound', `"${name}" has no deployed releases`);
  if (options.request && last.journal?.intent === intent && last.release.info.status === 'deployed') {
    return last.release;
  }
  const course = { helm, options, hooks: HOOKS, definitions: [], completed: options.description ?? 'Upgrade complete' };
  const left = leftUnderWay(history);
  if (left && !dryRun) {
    const earlier = withObjects(history.slice(0, -1));
    const holding = await resume(helm, left);
    return carryOut({ ...course, holding, earlier, existing: new Set() }).catch(undone(helm, options));
  }
  const current = currentOf(name, history);
  const release = await prepare(helm, options, current, last.release);
  const earlier = withObjects(history);
  const existing = await checkOwnership(helm, release, earlier, [], options.takeOwnership ?? false);
  if (dryRun) return { ...release, info: { ...release.info, description: options.description ?? 'Dry run complete' } };
  encodeRelease(release);
  const step = firstStep(release, [], options.noHooks);
  const begun = { operation: 'upgrade', intent, step } as const;
  const holding = await beginRevision(helm, history, release, begun, options.historyLimit);
  return carryOut({ ...course, holding, earlier, existing }).catch(undone(helm, options));
}

const HOOKS = { before: 'pre-upgrade', after: 'post-upgrade' } as const;

async function settled(helm: Helm, options: UpgradeOptions, intent: string): Promise<readonly StoredRelease[]> {
  const history = await historyWhenFree(helm, options.name, options.takeOver);
  const left = leftUnderWay(history);
  const isOurs = left?.release.info.status === 'pending-upgrade' && left.journal?.intent === intent;
  if (!left || isOurs || (options.install && isOwnInstall(left, options))) return history;
  if (left.release.info.status === 'uninstalling') await uninstall(helm, { name: options.name, takeOver: true });
  else await declareFailed(helm, left);
  return helm.store.history(options.name);
}

/** `upgrade --install` was cut off while it installed: it goes on with that. */
function isOwnInstall({ release, journal }: StoredRelease, options: UpgradeOptions): boolean {
  const { chart, values, request } = options;
  const intent = request ?? intentOf('install', toJson(values), chart);
  const sameInstall = journal?.operation === 'install' && journal.intent === intent;
  return sameInstall && (release.info.status === 'pending-install' || request !== undefined);
}

function installOptions(options: UpgradeOptions, last: Release | undefined): InstallOptions {
  const { serverSide, valuesPolicy: _, install: __, historyLimit: ___, ...shared } = options;
  return { ...shared, serverSide: serverSide !== 'false', replace: last?.info.status === 'uninstalled' };
}

/** What is running now, as far as the history tells: what values and first deployment are taken from. */
function currentOf(name: string, history: readonly StoredRelease[]): Release {
  const deployed = history.findLast(({ release }) => release.info.status === 'deployed')?.release;
  const last = history.at(-1)!.release;
  if (deployed) return deployed;
  if (last.info.status === 'failed' || last.info.status === 'superseded') return last;
  throw new ReleaseError('ReleaseNotFound', `"${name}" has no deployed releases`);
}

async function prepare(helm: Helm, options: UpgradeOptions, current: Release, last: Release): Promise<Release> {
  const { name, valuesPolicy = 'default', serverSide = 'auto', render = renderLive } = options;
  const { chart, values } = reuseValues(valuesPolicy, options.chart, options.values, current);
  const revision = last.version + 1;
  const rendered = await render(helm, {
    chart,
    values,
    release: { name, namespace: helm.namespace, revision, isUpgrade: true },
    capabilities: await capabilitiesOf(helm, []),
    live: options.dryRun !== 'client',
    skipSchemaValidation: options.skipSchemaValidation ?? false,
    subNotes: options.subNotes,
  });
  const labels = mergedLabels(last.labels, options.labels);
  return {
    name,
    info: {
      first_deployed: current.info.first_deployed ?? nowText(helm),
      last_deployed: nowText(helm),
      description: 'Preparing upgrade',
      status: 'pending-upgrade',
      ...(rendered.notes !== '' && { notes: rendered.notes }),
    },
    chart: storedChart(rendered.chart),
    config: toJson(values),
    manifest: rendered.manifest,
    hooks: storedHooks(rendered),
    version: revision,
    namespace: helm.namespace,
    apply_method: applyMethod(serverSide, last),
    ...(labels && { labels }),
  };
}

/** A label set to `null` is taken away. */
function mergedLabels(
  before: Release['labels'],
  given: Release['labels'],
): Readonly<Record<string, string>> | undefined {
  const merged = Object.entries({ ...before, ...given }).filter(([, value]) => value !== 'null');
  return merged.length > 0 ? Object.fromEntries(merged) : undefined;
}

/** With `rollbackOnFailure`, a failed upgrade is followed by a rollback to the last good revision. */
function undone(helm: Helm, options: UpgradeOptions) {
  const { name, rollbackOnFailure, wait, timeout, noHooks, forceConflicts, forceReplace, historyLimit } = options;
  return async (error: unknown): Promise<never> => {
    if (!rollbackOnFailure || (error instanceof ReleaseError && error.code === 'LeaseLost')) throw error;
    const history = await helm.store.history(name);
    const good = history.findLast(
      ({ release: { info } }) => info.status === 'deployed' || info.status === 'superseded',
    );
    if (!good) {
      const why = 'unable to find a previously successful release when attempting to rollback';
      throw new ReleaseError('RolledBack', `${why}. original upgrade error: ${messageOf(error)}`, { cause: error });
    }
    const detached = { ...helm, signal: new AbortController().signal };
    const revision = good.release.version;
    await rollback(detached, { name, revision, wait, timeout, noHooks, forceConflicts, forceReplace, historyLimit });
    throw new ReleaseError(
      'RolledBack',
      `release ${name} failed, and has been rolled back due to rollback-on-failure being set: ${messageOf(error)}`,
      { cause: error },
    );
  };
}
