/** Removing objects of a release: only those that are its own, and that nobody wants kept. */

import { isKept, type Owner, ownershipProblem, readLive } from '../apply/ownership.ts';
import { describe, type Target } from '../apply/target.ts';
import { removeObject } from '../apply/write.ts';
import { messageOf, ReleaseError } from '../release/errors.ts';
import type { Helm } from './context.ts';
import type { Holding } from './holding.ts';

export interface RemoveOptions {
  readonly propagation: 'Background' | 'Foreground' | 'Orphan';
  readonly dryRun?: boolean | undefined;
}

export interface Removed {
  readonly removed: readonly Target[];
  /** Those that stay by `helm.sh/resource-policy: keep`. */
  readonly kept: readonly Target[];
  /** Those that belong to someone else by now. */
  readonly foreign: readonly Target[];
}

/** Every one is tried; what went wrong is told at the end. */
export async function removeTargets(
  helm: Helm,
  holding: Holding | undefined,
  targets: readonly Target[],
  options: RemoveOptions,
): Promise<Removed> {
  const removed: Target[] = [];
  const kept: Target[] = [];
  const foreign: Target[] = [];
  const problems: unknown[] = [];
  for (const target of targets) {
    if (!target.object.metadata.name) continue;
    try {
      const live = await readLive(helm.client, target);
      if (!live) continue;
      const name = describe(target.object);
      const problem = ownershipProblem(live, ownerOf(target));
      if (isKept(live) || isKept(target.object)) {
        kept.push(target);
        helm.onProgress({ kind: 'kept', object: name, why: 'resource policy' });
      } else if (problem !== undefined) {
        foreign.push(target);
        helm.onProgress({ kind: 'kept', object: name, why: problem });
      } else {
        await holding?.ensure();
        if (!options.dryRun) await removeObject(helm.client, target, live, options.propagation);
        removed.push(target);
        helm.onProgress({ kind: 'removed', object: name });
      }
    } catch (error) {
      if (helm.signal.aborted || holding?.signal.aborted) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) {
    throw new ReleaseError('ApplyFailed', `cannot remove: ${problems.map(messageOf).join('; ')}`, {
      cause: problems[0],
    });
  }
  return { removed, kept, foreign };
}

/** Targets carry their owner: they were marked when they were read from the manifest. */
function ownerOf({ object }: Target): Owner {
  const { annotations = {} } = object.metadata;
  return {
    name: annotations['meta.helm.sh/release-name'] ?? '',
    namespace: annotations['meta.helm.sh/release-namespace'] ?? '',
  };
}
