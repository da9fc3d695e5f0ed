import { uuid } from '@capstan/kube';
import { parseManifest } from '../apply/manifest.ts';
import { owned } from '../apply/ownership.ts';
import { difference, kindsOf, resolveTargets, type Target } from '../apply/target.ts';
import { messageOf, ReleaseError } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';
import { compareForUninstall } from '../render/kinds.ts';
import { waitUntilGone } from '../wait/wait.ts';
import { nowText, withObjects } from './begin.ts';
import { DEFAULT_TIMEOUT } from './change.ts';
import type { Helm } from './context.ts';
import { Holding } from './holding.ts';
import { runHooks } from './hooks.ts';
import { type Removed, removeTargets } from './remove.ts';
import { historyWhenFree } from './takeover.ts';

export interface UninstallOptions {
  readonly name: string;
  /** Nothing is changed; the answer says what would be. */
  readonly dryRun?: boolean | undefined;
  readonly keepHistory?: boolean | undefined;
  readonly noHooks?: boolean | undefined;
  /** Wait until the objects are gone. */
  readonly wait?: boolean | undefined;
  readonly timeout?: number | undefined;
  /** What becomes of what the objects own. Default: background. */
  readonly cascade?: 'background' | 'foreground' | 'orphan' | undefined;
  readonly ignoreNotFound?: boolean | undefined;
  readonly description?: string | undefined;
  readonly takeOver?: boolean | undefined;
}

export interface Uninstalled {
  readonly release: Release | undefined;
  /** What stays, in Helm's words; empty if nothing does. */
  readonly info: string;
}

/** Removes a release: hooks, objects, hooks, records, in this order; cut off, the next one goes on. */
export async function uninstall(helm: Helm, options: UninstallOptions): Promise<Uninstalled> {
  const { name, dryRun, keepHistory } = options;
  const history = dryRun ? await helm.store.history(name) : await historyWhenFree(helm, name, options.takeOver);
  const last = history.at(-1);
  if (!last) {
    if (options.ignoreNotFound) return { release: undefined, info: '' };
    throw new ReleaseError('ReleaseNotFound', `uninstall: Release not loaded: ${name}: release: not found`);
  }
  if (dryRun) return preview(helm, history, last);
  if (last.release.info.status === 'uninstalled') {
    if (keepHistory) throw new ReleaseError('ReleaseNotFound', `the release named "${name}" is already deleted`);
    await purge(helm, history);
    return { release: last.release, info: '' };
  }
  return remove(helm, options, history, await hold(helm, last));
}

async function preview(
  helm: Helm,
  history: readonly StoredRelease[],
  { release }: StoredRelease,
): Promise<Uninstalled> {
  const targets = await targetsToRemove(helm, history);
  const outcome = await removeTargets(helm, undefined, targets, { propagation: 'Background', dryRun: true });
  return { release, info: infoOf(outcome) };
}

/** Goes on with an uninstall that was cut off, or begins one. */
async function hold(helm: Helm, last: StoredRelease): Promise<Holding> {
  const { release, journal } = last;
  if (release.info.status === 'uninstalling' && journal?.operation === 'uninstall') {
    const { sequence: _, lease: __, ...rest } = journal;
    helm.onProgress({ kind: 'taken-over', outcome: 'resumed', revision: release.version });
    return Holding.take(helm, last, release, rest);
  }
  const info = {
    ...release.info,
    deleted: nowText(helm),
    description: 'Deletion in progress (or silently failed)',
    status: 'uninstalling' as const,
  };
  const begun = {
    id: uuid(helm.random),
    operation: 'uninstall' as const,
    intent: 'uninstall',
    step: 'before' as const,
  };
  return Holding.take(helm, last, { ...release, info }, begun);
}

async function remove(
  helm: Helm,
  options: UninstallOptions,
  history: readonly StoredRelease[],
  holding: Holding,
): Promise<Uninstalled> {
  const { noHooks, timeout = DEFAULT_TIMEOUT, cascade = 'background' } = options;
  const run = { helm, holding, timeout };
  let info = '';
  try {
    if (holding.journal.step === 'before') {
      if (!noHooks) await runHooks(run, 'pre-delete');
      await holding.record({ step: 'apply' });
    }
    if (holding.journal.step === 'apply') {
      const propagation = ({ background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const)[cascade];
      const outcome = await removeTargets(helm, holding, await targetsToRemove(helm, history), { propagation });
      info = infoOf(outcome);
      if (options.wait) await waitUntilGone({ ...helm, signal: holding.signal }, outcome.removed, timeout);
      await holding.record({ step: 'after' });
    }
    if (!noHooks) await runHooks(run, 'post-delete');
    return { release: await finish(helm, options, history, holding), info };
  } catch (error) {
    throw await interrupted(holding, error);
  }
}

/** The objects of every revision that may have left some, what uses others first. */
async function targetsToRemove(helm: Helm, history: readonly StoredRelease[]): Promise<Target[]> {
  const targets: Target[] = [];
  for (const release of withObjects(history).toReversed()) {
    const objects = parseManifest(release.manifest ?? '');
    const found = await resolveTargets(kindsOf(helm.discovery), objects, release.namespace, 'skip');
    targets.push(...found.map(target => ({ ...target, object: owned(target.object, release) })));
  }
  return difference(targets, []).sort((left, right) => compareForUninstall(left.object.kind, right.object.kind));
}

function infoOf({ kept, foreign }: Removed): string {
  const lines = (targets: readonly Target[]) =>
    targets.map(({ object }) => `[${object.kind}] ${object.metadata.name}\n`).join('');
  const parts: string[] = [];
  if (kept.length > 0) parts.push(`These resources were kept due to the resource policy:\n${lines(kept)}`);
  if (foreign.length > 0) {
    const words = `${foreign.length} resource(s) were not deleted because they are not owned by this release:\n`;
    parts.push(words + lines(foreign));
  }
  return parts.join('\n');
}

async function finish(
  helm: Helm,
  { keepHistory, description = 'Uninstallation complete' }: UninstallOptions,
  history: readonly StoredRelease[],
  holding: Holding,
): Promise<Release> {
  const { release } = holding;
  const ended: Release = { ...release, info: { ...release.info, status: 'uninstalled', description } };
  await holding.ensure();
  const earlier = history.slice(0, -1);
  if (!keepHistory) {
    // The one with the journal goes last: until then, whoever comes next finds what is left to do.
    await purge(helm, earlier);
    holding.abandon();
    await helm.store.remove(release);
    return ended;
  }
  for (const stored of earlier) {
    if (stored.release.info.status !== 'deployed') continue;
    const info = { ...stored.release.info, status: 'superseded' as const };
    await helm.store.update(stored, { ...stored.release, info }, stored.journal);
  }
  return holding.end(ended);
}

async function purge(helm: Helm, history: readonly StoredRelease[]): Promise<void> {
  for (const { release } of history) await helm.store.remove(release);
}

/** It stays `uninstalling`, says why, and lets go: uninstall again to go on from there. */
async function interrupted(holding: Holding, error: unknown): Promise<unknown> {
  holding.abandon();
  if (error instanceof ReleaseError && error.code === 'LeaseLost') return error;
  const { release } = holding;
  const description = `Uninstallation of "${release.name}" failed: ${messageOf(error)}`;
  try {
    await holding.letGo({ ...release, info: { ...release.info, description } });
  } catch {
    // The lease runs out by itself.
  }
  return error;
}
