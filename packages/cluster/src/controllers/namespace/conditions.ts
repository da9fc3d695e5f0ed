/** What a namespace that is being deleted says about it, in Kubernetes' words. */
import { setCondition } from '@capstan/controller';
import type { Condition } from '@capstan/kube';

/** What came of one round over the contents of a namespace. */
export interface DeletionProgress {
  /** Why not all kinds could be found out, if so. */
  readonly discoveryFailure?: string | undefined;
  /** What deletions failed with. */
  readonly failures: readonly string[];
  /** How many objects are left, by `plural.group` (`pods.`). */
  readonly remaining: ReadonlyMap<string, number>;
  /** How many objects each finalizer holds. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** The conditions after a round. The same array as before if nothing changed. */
export function deletionConditions(
  before: readonly Condition[] | undefined,
  progress: DeletionProgress,
  now: number,
): readonly Condition[] {
  const problems = problemsOf(progress);
  let conditions = before ?? [];
  for (const { type, reason, message } of ALL_IS_WELL) {
    const problem = problems.get(type);
    conditions = setCondition(
      conditions,
      problem === undefined ? { type, status: 'False', reason, message } : { type, status: 'True', ...problem },
      now,
    );
  }
  return conditions;
}

const ALL_IS_WELL = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  { type: 'NamespaceContentRemaining', reason: 'ContentRemoved', message: 'All content successfully removed' },
  {
    type: 'NamespaceFinalizersRemaining',
    reason: 'ContentHasNoFinalizers',
    message: 'All content-preserving finalizers finished',
  },
] as const;

interface Problem {
  readonly reason: string;
  readonly message: string;
}

function problemsOf({ discoveryFailure, failures, remaining, finalizers }: DeletionProgress): Map<string, Problem> {
  const problems = new Map<string, Problem>();
  if (discoveryFailure !== undefined) {
    problems.set('NamespaceDeletionDiscoveryFailure', { reason: 'DiscoveryFailed', message: discoveryFailure });
  }
  if (failures.length > 0) {
    const message = `Failed to delete all resource types, ${failures.length} remaining: ${[...failures].sort().join(', ')}`;
    problems.set('NamespaceDeletionContentFailure', { reason: 'ContentDeletionFailed', message });
  }
  if (remaining.size > 0) {
    const list = Array.from(remaining, ([kind, count]) => `${kind} has ${count} resource instances`).sort();
    const message = `Some resources are remaining: ${list.join(', ')}`;
    problems.set('NamespaceContentRemaining', { reason: 'SomeResourcesRemain', message });
  }
  if (finalizers.size > 0) {
    const list = Array.from(finalizers, ([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
    const message = `Some content in the namespace has finalizers remaining: ${list.join(', ')}`;
    problems.set('NamespaceFinalizersRemaining', { reason: 'SomeFinalizersRemain', message });
  }
  return problems;
}
