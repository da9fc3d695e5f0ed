import { encodeRelease } from '../release/encode.ts';
import { ReleaseError } from '../release/errors.ts';
import type { Hook, Release } from '../release/release.ts';
import type { StoredRelease } from '../release/store.ts';
import { applyMethod, beginRevision, checkName, firstStep, nowText, withObjects } from './begin.ts';
import { type ChangeOptions, carryOut } from './change.ts';
import type { Helm } from './context.ts';
import { intentOf } from './rendering.ts';
import { declareFailed, historyWhenFree, leftUnderWay, resume } from './takeover.ts';
import { uninstall } from './uninstall.ts';

export interface RollbackOptions extends ChangeOptions {
  readonly name: string;
  /** The revision to go back to; the one before the last if not given, or 0. */
  readonly revision?: number | undefined;
  readonly dryRun?: boolean | undefined;
  readonly serverSide?: 'true' | 'false' | 'auto' | undefined;
  readonly historyLimit?: number | undefined;
  readonly takeOver?: boolean | undefined;
  readonly request?: string | undefined;
}

/** Makes what an earlier revision was, as a new revision. */
export async function rollback(helm: Helm, options: RollbackOptions): Promise<Release> {
  const { name, dryRun } = options;
  checkName(name);
  const history = dryRun ? await helm.store.history(name) : await settled(helm, options);
  const last = history.at(-1);
  if (!last) throw new ReleaseError('ReleaseNotFound', `release: not found: ${name}`);
  const done = last.release.info.status === 'deployed' && last.journal?.intent === options.request;
  if (options.request && done) return last.release;
  const left = leftUnderWay(history);
  const course = { helm, options, hooks: HOOKS, definitions: [] as string[] };
  if (left && !dryRun) {
    const earlier = withObjects(history.slice(0, -1));
    const completed = left.release.info.description ?? '';
    const holding = await resume(helm, left);
    return carryOut({ ...course, holding, earlier, completed, existing: new Set() });
  }
  const release = prepare(helm, options, history);
  if (dryRun) return release;
  encodeRelease(release);
  const intent = intentFor(options);
  const begun = { operation: 'rollback', intent, step: firstStep(release, [], options.noHooks) } as const;
  const holding = await beginRevision(helm, history, release, begun, options.historyLimit);
  const completed = release.info.description!;
  return carryOut({ ...course, holding, earlier: withObjects(history), completed, existing: new Set() });
}

const HOOKS = { before: 'pre-rollback', after: 'post-rollback' } as const;

/** The revision asked for is the name of the request: with none, whichever was last when it began. */
const intentFor = ({ request, revision = 0 }: RollbackOptions): string => request ?? intentOf('rollback', revision);

async function settled(helm: Helm, options: RollbackOptions): Promise<readonly StoredRelease[]> {
  const history = await historyWhenFree(helm, options.name, options.takeOver);
  const left = leftUnderWay(history);
  const isOurs = left?.release.info.status === 'pending-rollback' && left.journal?.intent === intentFor(options);
  if (!left || isOurs) return history;
  if (left.release.info.status === 'uninstalling') await uninstall(helm, { name: options.name, takeOver: true });
  else await declareFailed(helm, left);
  return helm.store.history(options.name);
}

function prepare(helm: Helm, options: RollbackOptions, history: readonly StoredRelease[]): Release {
  const { name, revision = 0, serverSide = 'auto', description } = options;
  const last = history.at(-1)!.release;
  const wanted = revision === 0 ? last.version - 1 : revision;
  const target = history.find(({ release }) => release.version === wanted)?.release;
  if (!target) throw new ReleaseError('ReleaseNotFound', `release has no ${wanted} version: ${name}`);
  const { first_deployed } = last.info;
  return {
    ...target,
    info: {
      ...(first_deployed && { first_deployed }),
      last_deployed: nowText(helm),
      description: description ?? `Rollback to ${wanted}`,
      status: 'pending-rollback',
      rollback_revision: wanted,
      ...(target.info.notes !== undefined && { notes: target.info.notes }),
    },
    ...(target.hooks && { hooks: target.hooks.map(notRun) }),
    version: last.version + 1,
    apply_method: applyMethod(serverSide, target),
  };
}

/** Hooks are taken over as they were written; that they ran for another revision is not. */
const notRun = (hook: Hook): Hook => ({ ...hook, last_run: { phase: '' } });
