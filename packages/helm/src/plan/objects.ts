/** What would happen to each object, by asking the server to do it without doing it. */
import type { DynamicObject } from '@capstan/kube';
import { isNotFound } from '@capstan/kube';
import type { Helm } from '../action/context.ts';
import { kindsDefinedBy } from '../action/definitions.ts';
import { parseManifest } from '../apply/manifest.ts';
import { isKept, owned, ownershipProblem, readLive } from '../apply/ownership.ts';
import { describe, difference, isGenerated, kindsOf, resolveTargets, type Target } from '../apply/target.ts';
import { writeTarget } from '../apply/write.ts';
import { messageOf } from '../release/errors.ts';
import type { Release } from '../release/release.ts';
import { comparable, type FieldChange, fieldChanges, withoutSecrets } from './diff.ts';

export type ObjectPlan = {
  /** `Deployment default/web`. */
  readonly object: string;
  /** The template it comes from. */
  readonly source: string;
} & (
  | { readonly change: 'create' }
  | { readonly change: 'update'; readonly fields: readonly FieldChange[] }
  | { readonly change: 'none' }
  | { readonly change: 'remove' }
  /** It leaves the release and stays in the cluster. */
  | { readonly change: 'keep'; readonly why: string }
  /** The operation would fail on it. */
  | { readonly change: 'refused'; readonly why: string }
);

export interface PlannedTargets {
  readonly written: readonly Target[];
  readonly removed: readonly Target[];
}

export async function plannedTargets(
  helm: Helm,
  release: Release,
  earlier: readonly Release[],
  definitions: readonly string[],
): Promise<PlannedTargets> {
  const kinds = kindsOf(helm.discovery, kindsDefinedBy(definitions));
  const targetsOf = async (of: Release, unknown: 'refuse' | 'skip'): Promise<Target[]> => {
    const found = await resolveTargets(kinds, parseManifest(of.manifest ?? ''), of.namespace, unknown);
    return found.map(target => ({ ...target, object: owned(target.object, of) }));
  };
  const written = await targetsOf(release, 'refuse');
  const before = (await Promise.all(earlier.map(each => targetsOf(each, 'skip')))).flat();
  return { written, removed: difference(before, written) };
}

export async function planObjects(
  helm: Helm,
  release: Release,
  { written, removed }: PlannedTargets,
  options: { readonly takeOwnership: boolean; readonly former: Release | undefined },
): Promise<ObjectPlan[]> {
  const former = new Map<string, DynamicObject>();
  for (const { object } of parseManifest(options.former?.manifest ?? '')) former.set(key(object), object);
  const writes = await Promise.all(
    written.map(target => planWrite(helm, release, target, former.get(key(target.object)), options.takeOwnership)),
  );
  const removals = await Promise.all(removed.map(target => planRemoval(helm, release, target)));
  return [...writes, ...removals.filter(plan => plan !== undefined)];
}

const key = ({ kind, metadata }: DynamicObject): string => `${kind}/${metadata.name}`;

async function planWrite(
  helm: Helm,
  release: Release,
  target: Target,
  former: DynamicObject | undefined,
  takeOwnership: boolean,
): Promise<ObjectPlan> {
  const about = { object: describe(target.object), source: target.source };
  const live = isGenerated(target) ? undefined : await readLive(helm.client, target).catch(missingKind);
  const problem = live && !takeOwnership ? ownershipProblem(live, release) : undefined;
  if (problem !== undefined) return { ...about, change: 'refused', why: problem };
  try {
    const method = release.apply_method === 'ssa' ? 'ssa' : 'csa';
    const after = await writeTarget(helm.client, target, former, { method, dryRun: true });
    if (!live) return { ...about, change: 'create' };
    const fields = withoutSecrets(after, fieldChanges(comparable(live), comparable(after)));
    return fields.length === 0 ? { ...about, change: 'none' } : { ...about, change: 'update', fields };
  } catch (error) {
    // Its kind or its namespace comes into being with the release: the server cannot judge it yet.
    const cause = error instanceof Error ? error.cause : undefined;
    if (!live && isNotFound(cause)) return { ...about, change: 'create' };
    return { ...about, change: 'refused', why: messageOf(error) };
  }
}

function missingKind(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

async function planRemoval(helm: Helm, release: Release, target: Target): Promise<ObjectPlan | undefined> {
  const about = { object: describe(target.object), source: target.source };
  const live = await readLive(helm.client, target);
  if (!live) return undefined;
  if (isKept(live)) return { ...about, change: 'keep', why: 'its resource policy is keep' };
  const problem = ownershipProblem(live, release);
  return problem === undefined ? { ...about, change: 'remove' } : { ...about, change: 'keep', why: problem };
}
