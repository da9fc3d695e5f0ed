/** Flags that install, upgrade and rollback share, and what they mean. */
import { parseDuration } from '@capstan/gotemplate';
import type { ChangeOptions } from '@capstan/helm';

export interface ChangeFlags {
  readonly wait?: boolean | string;
  readonly waitForJobs?: boolean;
  readonly timeout: string;
  /** False with `--no-hooks`. */
  readonly hooks: boolean;
  readonly forceConflicts?: boolean;
  readonly forceReplace?: boolean;
  readonly force?: boolean;
  readonly description?: string;
  readonly takeOver?: boolean;
  readonly cleanupOnFail?: boolean;
}

export function changeOptions(flags: ChangeFlags): ChangeOptions & { readonly takeOver: boolean | undefined } {
  const waits = isWaiting(flags.wait);
  return {
    wait: waits ? (flags.waitForJobs ? 'ready-with-jobs' : 'ready') : 'none',
    timeout: milliseconds(flags.timeout),
    noHooks: !flags.hooks,
    forceConflicts: flags.forceConflicts,
    forceReplace: flags.forceReplace ?? flags.force,
    description: flags.description,
    cleanupOnFail: flags.cleanupOnFail,
    takeOver: flags.takeOver,
  };
}

/** `--wait`, or Helm 4's `--wait=watcher|legacy|hookOnly`; `false` as Helm 3 understands it. */
export function isWaiting(wait: boolean | string | undefined): boolean {
  return wait !== undefined && wait !== false && wait !== 'hookOnly' && wait !== 'false';
}

export function milliseconds(duration: string): number {
  return Number(parseDuration(duration) / 1_000_000n);
}
