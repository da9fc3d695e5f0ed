/**
 * The course that install, upgrade and rollback share: definitions, hooks before, objects, wait, hooks after, the last word. Each step
 * is written down before it is begun, and may be begun again.
 */
import type { DynamicObject } from '@capstan/kube';
import { parseManifest } from '../apply/manifest.ts';
import { owned } from '../apply/ownership.ts';
import { describe, difference, kindsOf, resolveTargets, type Target, targetKey } from '../apply/target.ts';
import { type WriteOptions, writeTarget } from '../apply/write.ts';
import { messageOf, ReleaseError } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import type { HookEvent } from '../render/rendered.ts';
import { isCurrent, isCurrentWithJobs } from '../wait/readiness.ts';
import { waitUntilReady } from '../wait/wait.ts';
import type { Helm } from './context.ts';
import { installDefinitions } from './definitions.ts';
import type { Holding } from './holding.ts';
import { runHooks } from './hooks.ts';
import { removeTargets } from './remove.ts';

export interface ChangeOptions {
  /** `none`: only hooks are waited for. Default: none. */
  readonly wait?: 'none' | 'ready' | 'ready-with-jobs' | undefined;
  /** Milliseconds for each wait. Default: five minutes. */
  readonly timeout?: number | undefined;
  readonly noHooks?: boolean | undefined;
  readonly forceConflicts?: boolean | undefined;
  readonly forceReplace?: boolean | undefined;
  /** Remove what this operation has made when it fails. */
  readonly cleanupOnFail?: boolean | undefined;
  readonly description?: string | undefined;
}

export const DEFAULT_TIMEOUT = 300_000;

export interface Change {
  readonly helm: Helm;
  readonly holding: Holding;
  readonly options: ChangeOptions;
  readonly hooks: { readonly before: HookEvent; readonly after: HookEvent };
  /** The texts of the chart's definitions. */
  readonly definitions: readonly string[];
  /** Earlier revisions, oldest first, whose objects may be there: the last good one and all after it. */
  readonly earlier: readonly Release[];
  /** The keys of objects that were there before this operation, beyond those of earlier revisions. */
  readonly existing: ReadonlySet<string>;
  /** What the release says when all went well. */
  readonly completed: string;
}

/** Carries the operation out, from the step it has come to. The release that it gives is deployed; on failure it throws. */
export async function carryOut(change: Change): Promise<Release> {
  const { helm, holding, options, hooks } = change;
  const run = { helm, holding, timeout: options.timeout ?? DEFAULT_TIMEOUT };
  const created: Target[] = [];
  try {
    if (holding.journal.step === 'crds') {
      await installDefinitions(helm, holding, change.definitions);
      await holding.record({ step: options.noHooks ? 'apply' : 'before' });
    }
    if (holding.journal.step === 'before') {
      await runHooks(run, hooks.before);
      await holding.record({ step: 'apply' });
    }
    const targets = await targetsOf(helm, holding.release);
    if (holding.journal.step === 'apply') {
      await writeAll(change, targets, created);
      await removeLeftovers(change, targets);
      if (waits(change)) await holding.record({ step: 'after' });
    }
    await awaitAll(change, targets);
    if (!options.noHooks) await runHooks(run, hooks.after);
    return await succeed(change);
  } catch (error) {
    throw await fail(change, created, error);
  }
}

/** Between the objects and the end there is something worth a step of its own. */
function waits({ options, holding, hooks }: Change): boolean {
  const waiting = options.wait !== undefined && options.wait !== 'none';
  return waiting || (!options.noHooks && (holding.release.hooks ?? []).some(hook => hook.events.includes(hooks.after)));
}

async function targetsOf(helm: Helm, release: Release, unknown: 'refuse' | 'skip' = 'refuse'): Promise<Target[]> {
  const objects = parseManifest(release.manifest ?? '');
  const targets = await resolveTargets(kindsOf(helm.discovery), objects, release.namespace, unknown);
  return targets.map(target => ({ ...target, object: owned(target.object, release) }));
}

async function writeAll(change: Change, targets: readonly Target[], created: Target[]): Promise<void> {
  const { helm, holding, options, earlier, existing } = change;
  const base = earlier.findLast(({ info }) => info.status === 'deployed') ?? earlier.at(-1);
  const former = new Map<string, DynamicObject>();
  if (base) for (const target of await targetsOf(helm, base, 'skip')) former.set(targetKey(target), target.object);
  const method = holding.release.apply_method === 'ssa' ? 'ssa' : 'csa';
  const settings: WriteOptions = {
    method,
    forceConflicts: options.forceConflicts,
    forceReplace: options.forceReplace,
    migrate: method === 'ssa' && earlier.some(({ apply_method }) => apply_method !== 'ssa'),
    signal: holding.signal,
  };
  for (const batch of byKind(targets)) {
    await holding.ensure();
    const results = await Promise.allSettled(
      batch.map(async target => {
        const key = targetKey(target);
        if (!former.has(key) && !existing.has(key)) created.push(target);
        await writeTarget(helm.client, target, former.get(key), settings);
        helm.onProgress({ kind: 'written', object: describe(target.object) });
      }),
    );
    throwFirst(results);
  }
}

/** Objects of one kind are written together, kinds one after the other: the manifest is in the order of installation. */
function byKind(targets: readonly Target[]): Target[][] {
  const batches: Target[][] = [];
  for (const target of targets) {
    const last = batches.at(-1);
    if (last?.[0]?.object.kind === target.object.kind) last.push(target);
    else batches.push([target]);
  }
  return batches;
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.filter(result => result.status === 'rejected').map(({ reason }) => reason as unknown);
  if (failed.length === 0) return;
  if (failed.length === 1) throw failed[0];
  throw new ReleaseError('ApplyFailed', failed.map(messageOf).join(' && '), { cause: failed[0] });
}

/** What earlier revisions had and this one has not, failed attempts included: nothing is orphaned. */
async function removeLeftovers({ helm, holding, earlier }: Change, targets: readonly Target[]): Promise<void> {
  const before: Target[] = [];
  for (const release of earlier.toReversed()) before.push(...(await targetsOf(helm, release, 'skip')));
  await removeTargets(helm, holding, difference(before, targets), { propagation: 'Background' });
}

async function awaitAll({ helm, holding, options }: Change, targets: readonly Target[]): Promise<void> {
  const { wait = 'none', timeout = DEFAULT_TIMEOUT } = options;
  if (wait === 'none') return;
  const readiness = wait === 'ready-with-jobs' ? isCurrentWithJobs : isCurrent;
  const named = targets.filter(({ object }) => object.metadata.name);
  await waitUntilReady({ ...helm, signal: holding.signal }, named, readiness, timeout);
}

/** As Helm, the former deployed one is superseded first: until the last write, the journal is open and a successor goes on. */
async function succeed({ helm, holding, completed, earlier }: Change): Promise<Release> {
  const { release } = holding;
  await holding.ensure();
  const isFollowing = earlier.some(({ info }) => info.status === 'deployed');
  for (const stored of isFollowing ? await helm.store.history(release.name) : []) {
    const { info, version } = stored.release;
    if (version === release.version || info.status !== 'deployed') continue;
    await helm.store.update(stored, { ...stored.release, info: { ...info, status: 'superseded' } }, stored.journal);
  }
  return holding.end({ ...release, info: { ...release.info, status: 'deployed', description: completed } });
}

/** Writes down that it failed. If even that fails, the journal stays open, and whoever comes next finds it. */
async function fail({ helm, holding, options }: Change, created: readonly Target[], error: unknown): Promise<unknown> {
  if (error instanceof ReleaseError && error.code === 'LeaseLost') {
    holding.abandon();
    return error;
  }
  const { release, journal } = holding;
  const what = { install: 'Release', upgrade: 'Upgrade', rollback: 'Rollback', uninstall: 'Release', test: 'Release' };
  const description = `${what[journal.operation]} "${release.name}" failed: ${messageOf(error)}`;
  try {
    await holding.end({ ...release, info: { ...release.info, status: 'failed', description } });
    if (options.cleanupOnFail) {
      await removeTargets({ ...helm, signal: NEVER }, undefined, created, { propagation: 'Background' });
    }
  } catch (second) {
    holding.abandon();
    if (error instanceof Error && error.cause === undefined) error.cause = second;
  }
  return error;
}

const NEVER = new AbortController().signal;
