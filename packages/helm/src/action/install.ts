import type { Chart } from '../chart/chart.ts';
import { crdsOf, isLibrary } from '../chart/chart.ts';
import { encodeRelease } from '../release/encode.ts';
import { messageOf, ReleaseError } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';
import { toJson, type Values } from '../values/values.ts';
import {
  beginRevision,
  checkLabels,
  checkName,
  checkOwnership,
  ensureNamespace,
  firstStep,
  nowText,
  withObjects,
} from './begin.ts';
import { type ChangeOptions, carryOut } from './change.ts';
import type { Helm } from './context.ts';
import { kindsDefinedBy } from './definitions.ts';
import { renderLive } from './live-renderer.ts';
import { capabilitiesOf, intentOf, type Renderer, storedChart, storedHooks } from './rendering.ts';
import { declareFailed, historyWhenFree, leftUnderWay, resume } from './takeover.ts';
import { uninstall } from './uninstall.ts';

export interface InstallOptions extends ChangeOptions {
  readonly name: string;
  readonly chart: Chart;
  /** What the user sets on top of the chart's own. */
  readonly values: Values;
  readonly subNotes?: boolean | undefined;
  /** How charts become documents. Default: by their templates, with `lookup` seeing the cluster. */
  readonly render?: Renderer | undefined;
  /** Nothing is changed: `client` asks the cluster nothing that templates could see, `server` lets `lookup` see it. */
  readonly dryRun?: 'client' | 'server' | undefined;
  readonly createNamespace?: boolean | undefined;
  readonly skipCrds?: boolean | undefined;
  /** Uninstall what is there when it fails. Waits for the objects to be ready, if nothing else is said. */
  readonly rollbackOnFailure?: boolean | undefined;
  /** Take objects that are there already and belong to someone else. */
  readonly takeOwnership?: boolean | undefined;
  /** Take a name again whose release was uninstalled with its history kept, or has failed. */
  readonly replace?: boolean | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  /** Write objects by server-side apply, as Helm 4 does. Default: true. */
  readonly serverSide?: boolean | undefined;
  /** Take over what Helm left pending at once; see `Progress.held`. */
  readonly takeOver?: boolean | undefined;
  /**
   * Names this request. Asked again under the same name, an install that was done is not done again, and one that was cut off is
   * gone on with; without it, the chart and the values are the name of one that was cut off.
   */
  readonly request?: string | undefined;
}

/** Installs a chart. What it gives is deployed; what fails is recorded as failed and thrown. */
export async function install(helm: Helm, given: InstallOptions): Promise<Release> {
  const options: InstallOptions = given.rollbackOnFailure ? { ...given, wait: waiting(given.wait) } : given;
  const { name, chart, values, dryRun } = options;
  checkName(name);
  checkLabels(options.labels);
  if (isLibrary(chart)) throw new ReleaseError('InvalidOption', 'library charts are not installable');
  const definitions = options.skipCrds ? [] : crdsOf(chart).map(({ data }) => Buffer.from(data).toString('utf8'));
  const intent = options.request ?? intentOf('install', toJson(values), chart);
  if (dryRun) {
    const release = await prepare(helm, options, definitions, 1);
    await checkOwnership(helm, release, [], definitions, options.takeOwnership ?? false);
    return { ...release, info: { ...release.info, description: 'Dry run complete' } };
  }
  const course = { helm, options, hooks: HOOKS, definitions, completed: options.description ?? 'Install complete' };
  const history = await settled(helm, options, intent);
  const last = history.at(-1);
  if (last && last.journal?.intent === intent && options.request && last.release.info.status === 'deployed') {
    return last.release;
  }
  const left = leftUnderWay(history);
  if (left) {
    const earlier = withObjects(history.slice(0, -1));
    const holding = await resume(helm, left);
    return carryOut({ ...course, holding, earlier, existing: new Set() }).catch(undone(helm, options));
  }
  checkNameFree(options, last?.release);

  const release = await prepare(helm, options, definitions, (last?.release.version ?? 0) + 1);
  encodeRelease(release);
  const earlier = withObjects(history);
  const existing = await checkOwnership(helm, release, earlier, definitions, options.takeOwnership ?? false);
  if (options.createNamespace) await ensureNamespace(helm);
  const step = firstStep(release, definitions, options.noHooks);
  const holding = await beginRevision(helm, history, release, { operation: 'install', intent, step });
  return carryOut({ ...course, holding, earlier, existing }).catch(undone(helm, options));
}

const HOOKS = { before: 'pre-install', after: 'post-install' } as const;

const waiting = (wait: ChangeOptions['wait']): ChangeOptions['wait'] => (wait && wait !== 'none' ? wait : 'ready');

/** The history when nobody is at work, and what a dead run left is either this very install, or dealt with. */
async function settled(helm: Helm, options: InstallOptions, intent: string): Promise<readonly StoredRelease[]> {
  const history = await historyWhenFree(helm, options.name, options.takeOver);
  const left = leftUnderWay(history);
  if (!left || (left.release.info.status === 'pending-install' && left.journal?.intent === intent)) return history;
  if (left.release.info.status === 'uninstalling') {
    await uninstall(helm, { name: options.name, takeOver: true });
  } else await declareFailed(helm, left);
  return helm.store.history(options.name);
}

/**
 * As Helm, a name is free when there is no such release. Beyond Helm, a first install that was cut off does not keep its name from
 * the next one: what it made is taken over.
 */
function checkNameFree({ name, replace }: InstallOptions, last: Release | undefined): void {
  if (!last) return;
  const { status, description = '' } = last.info;
  if (replace && (status === 'uninstalled' || status === 'failed')) return;
  if (status === 'failed' && last.version === 1 && description.includes('the run was cut off')) return;
  throw new ReleaseError('NameInUse', `cannot reuse a name that is still in use: release ${name} is ${status}`);
}

async function prepare(
  helm: Helm,
  options: InstallOptions,
  definitions: readonly string[],
  revision: number,
): Promise<Release> {
  const { name, chart, values, labels, serverSide = true, render = renderLive } = options;
  const rendered = await render(helm, {
    chart,
    values,
    release: { name, namespace: helm.namespace, revision, isUpgrade: false },
    capabilities: await capabilitiesOf(helm, kindsDefinedBy(definitions)),
    live: options.dryRun !== 'client',
    skipSchemaValidation: options.skipSchemaValidation ?? false,
    subNotes: options.subNotes,
  });
  const now = nowText(helm);
  return {
    name,
    info: {
      first_deployed: now,
      last_deployed: now,
      description: 'Initial install underway',
      status: 'pending-install',
      ...(rendered.notes !== '' && { notes: rendered.notes }),
    },
    chart: storedChart(rendered.chart),
    config: toJson(values),
    manifest: rendered.manifest,
    hooks: storedHooks(rendered),
    version: revision,
    namespace: helm.namespace,
    apply_method: serverSide ? 'ssa' : 'csa',
    ...(labels && { labels }),
  };
}

/** With `rollbackOnFailure`, a failed install leaves nothing. */
function undone(helm: Helm, { name, rollbackOnFailure, noHooks, timeout }: InstallOptions) {
  return async (error: unknown): Promise<never> => {
    if (!rollbackOnFailure || (error instanceof ReleaseError && error.code === 'LeaseLost')) throw error;
    const detached = { ...helm, signal: new AbortController().signal };
    await uninstall(detached, { name, noHooks, timeout, takeOver: true });
    throw new ReleaseError(
      'RolledBack',
      `release ${name} failed, and has been uninstalled due to rollback-on-failure being set: ${messageOf(error)}`,
      { cause: error },
    );
  };
}
