/**
 * Running the hooks of one event. Each is written down before it is made and after it has ended, and carries the name of the
 * operation: a run that takes over finds it again, waits for it, and never makes one anew that has ended well.
 */
import { type DynamicObject, isNotFound } from '@capstan/kube';
import { parseManifest } from '../apply/manifest.ts';
import { readLive } from '../apply/ownership.ts';
import { describe, kindsOf, resolveTargets, type Target } from '../apply/target.ts';
import { removeObject, writeTarget } from '../apply/write.ts';
import { messageOf, ReleaseError } from '../release/errors.ts';
import type { Hook, HookDeletePolicy, HookExecution, Release } from '../release/release.ts';
import type { HookEvent } from '../render/rendered.ts';
import { isFinished } from '../wait/readiness.ts';
import { waitUntilGone, waitUntilReady } from '../wait/wait.ts';
import { nowText } from './begin.ts';
import type { Helm } from './context.ts';
import type { Holding } from './holding.ts';

const RUN_ANNOTATION = 'helm.capstan.dev/run';

export interface HookRun {
  readonly helm: Helm;
  readonly holding: Holding;
  /** Milliseconds for each hook. */
  readonly timeout: number;
  /** Which of the hooks to run; all if not given. */
  readonly only?: (hook: Hook) => boolean;
}

/** The hooks of an event in the order in which they run: by weight, then by name; of equal ones, by kind as they stand. */
export function hooksFor(release: Release, event: HookEvent): Hook[] {
  return (release.hooks ?? [])
    .filter(({ events }) => events.includes(event))
    .toSorted((left, right) => (left.weight ?? 0) - (right.weight ?? 0) || compare(left.name, right.name));
}

/** Runs them one after the other; the first that fails ends it. */
export async function runHooks(run: HookRun, event: HookEvent): Promise<void> {
  const hooks = hooksFor(run.holding.release, event).filter(run.only ?? (() => true));
  for (const [index, hook] of hooks.entries()) {
    try {
      await runHook(run, event, hook);
    } catch (error) {
      if (error instanceof ReleaseError && error.code === 'HookFailed') {
        await removeByPolicy(run, hook, 'hook-failed');
        for (const earlier of hooks.slice(0, index)) await removeByPolicy(run, earlier, 'hook-succeeded');
      }
      throw error;
    }
  }
  for (const hook of hooks.toReversed()) await removeByPolicy(run, hook, 'hook-succeeded');
}

async function runHook(run: HookRun, event: HookEvent, hook: Hook): Promise<void> {
  const { helm, holding } = run;
  const key = `${event}/${hook.kind}/${hook.name}`;
  const before = holding.journal.hooks?.[key];
  if (before === 'succeeded') return;
  const targets = await targetsOf(run, hook);
  if (before === undefined) {
    if (hasPolicy(hook, 'before-hook-creation')) await removeFormer(run, targets);
    await note(holding, hook, key, 'running', {
      started_at: nowText(helm),
      phase: 'Running',
    });
  }
  helm.onProgress({ kind: 'hook', event, hook: `${hook.kind} ${hook.name}`, phase: 'started' });
  try {
    await holding.ensure();
    await make(run, targets);
    const context = { ...helm, signal: holding.signal };
    await waitUntilReady(context, targets.filter(isAwaited), isFinished, run.timeout);
  } catch (error) {
    if (holding.signal.aborted) throw error;
    await note(holding, hook, key, undefined, { ...completed(helm, holding, hook), phase: 'Failed' });
    throw new ReleaseError('HookFailed', `hook ${hook.path}: ${messageOf(error)}`, { cause: error });
  }
  await note(holding, hook, key, 'succeeded', { ...completed(helm, holding, hook), phase: 'Succeeded' });
  helm.onProgress({ kind: 'hook', event, hook: `${hook.kind} ${hook.name}`, phase: 'succeeded' });
}

/** The record that Helm shows and the journal that a successor reads, in one write. */
async function note(
  holding: Holding,
  hook: Hook,
  key: string,
  state: 'running' | 'succeeded' | undefined,
  execution: HookExecution,
): Promise<void> {
  const { release, journal } = holding;
  const isThis = (other: Hook): boolean =>
    other.path === hook.path && other.name === hook.name && other.kind === hook.kind;
  const hooks = (release.hooks ?? []).map(other => (isThis(other) ? { ...other, last_run: execution } : other));
  const { [key]: _, ...others } = journal.hooks ?? {};
  await holding.record({ release: { ...release, hooks }, hooks: state ? { ...others, [key]: state } : others });
}

function completed(helm: Helm, { release }: Holding, hook: Hook): { started_at?: string; completed_at: string } {
  const running = release.hooks?.find(({ path, name }) => path === hook.path && name === hook.name)?.last_run;
  const completed_at = nowText(helm);
  return running?.started_at ? { started_at: running.started_at, completed_at } : { completed_at };
}

async function targetsOf({ helm, holding }: HookRun, hook: Hook): Promise<Target[]> {
  const found = await resolveTargets(kindsOf(helm.discovery), parseManifest(hook.manifest), helm.namespace);
  const id = holding.journal.id;
  return found.map(target => ({ ...target, source: hook.path, object: marked(target.object, id) }));
}

function marked(object: DynamicObject, id: string): DynamicObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [RUN_ANNOTATION]: id } } };
}

const isOfRun = (live: DynamicObject, target: Target): boolean =>
  live.metadata.annotations?.[RUN_ANNOTATION] === target.object.metadata.annotations?.[RUN_ANNOTATION];

/** What an earlier operation left. */
async function removeFormer(run: HookRun, targets: readonly Target[]): Promise<void> {
  const former: Target[] = [];
  for (const target of targets) {
    if (target.object.kind === 'CustomResourceDefinition') continue;
    const live = await readLive(run.helm.client, target);
    if (!live || isOfRun(live, target)) continue;
    await run.holding.ensure();
    await removeObject(run.helm.client, target, live, 'Background');
    former.push(target);
  }
  if (former.length > 0) await gone(run, former);
}

async function make({ helm, holding }: HookRun, targets: readonly Target[]): Promise<void> {
  for (const target of targets) {
    const live = await readLive(helm.client, target);
    if (live && isOfRun(live, target)) continue;
    await writeTarget(helm.client, target, undefined, { method: 'ssa', signal: holding.signal });
    helm.onProgress({ kind: 'written', object: describe(target.object) });
  }
}

/** Everything else is done when it is made. */
const isAwaited = ({ object }: Target): boolean => object.kind === 'Job' || object.kind === 'Pod';

/** Definitions are never removed: every object of their kind would go with them. */
async function removeByPolicy(run: HookRun, hook: Hook, policy: HookDeletePolicy): Promise<void> {
  if (!hasPolicy(hook, policy) || hook.kind === 'CustomResourceDefinition') return;
  const removed: Target[] = [];
  for (const target of await targetsOf(run, hook)) {
    const live = await readLive(run.helm.client, target);
    if (!live || !isOfRun(live, target)) continue;
    await run.holding.ensure();
    await removeObject(run.helm.client, target, live, 'Background');
    removed.push(target);
  }
  if (removed.length > 0) await gone(run, removed);
}

async function gone({ helm, holding, timeout }: HookRun, targets: readonly Target[]): Promise<void> {
  try {
    await waitUntilGone({ ...helm, signal: holding.signal }, targets, timeout);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Without any policy, Helm takes before-hook-creation. */
function hasPolicy({ delete_policies: policies = [] }: Hook, policy: HookDeletePolicy): boolean {
  return policies.length === 0 ? policy === 'before-hook-creation' : policies.includes(policy);
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
