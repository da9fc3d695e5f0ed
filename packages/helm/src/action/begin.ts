/** What the actions that make a new revision do first: find out where the release stands, and whether to go on or to begin. */
import { isNotFound, microTimestamp, namespaces, uuid } from '@capstan/kube';
import { parseManifest } from '../apply/manifest.ts';
import { existingTargets, owned } from '../apply/ownership.ts';
import { difference, type Kinds, kindsOf, resolveTargets } from '../apply/target.ts';
import { ReleaseError } from '../release/errors.ts';
import { DEFAULT_HISTORY, revisionsToDrop } from '../release/history-limit.ts';
import type { Journal, Step } from '../release/journal.ts';
import type { Release } from '../release/release.ts';
import { isSystemLabel, type StoredRelease } from '../release/store.ts';
import type { Helm } from './context.ts';
import { kindsDefinedBy } from './definitions.ts';
import { Holding } from './holding.ts';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 53;

export function checkName(name: string): void {
  if (name.length > 0 && name.length <= LONGEST_NAME && NAME.test(name)) return;
  throw new ReleaseError(
    'InvalidName',
    `invalid release name ${JSON.stringify(name)}: lower-case letters, digits, "-" and ".", at most ${LONGEST_NAME} of them`,
  );
}

export function checkLabels(labels: Readonly<Record<string, string>> = {}): void {
  const taken = Object.keys(labels).filter(isSystemLabel);
  if (taken.length === 0) return;
  throw new ReleaseError('InvalidOption', `labels that Helm keeps for itself cannot be set: ${taken.join(', ')}`);
}

/** The last good revision and all after it: what may have objects in the cluster. */
export function withObjects(history: readonly StoredRelease[]): Release[] {
  const all = history.map(({ release }) => release);
  // An uninstalled release has left nothing, and what has its name now may be someone else's.
  const releases = all.slice(all.findLastIndex(({ info }) => info.status === 'uninstalled') + 1);
  const good = releases.findLastIndex(({ info }) => info.status === 'deployed' || info.status === 'superseded');
  return releases.slice(Math.max(good, 0));
}

/** The keys of objects that exist although no earlier revision has them; refuses those of others. */
export async function checkOwnership(
  helm: Helm,
  release: Release,
  earlier: readonly Release[],
  definitions: readonly string[],
  takeOwnership: boolean,
): Promise<ReadonlySet<string>> {
  const kinds = kindsOf(helm.discovery, kindsDefinedBy(definitions));
  const targets = await targetsOf(kinds, release, 'refuse');
  const before = (await Promise.all(earlier.map(each => targetsOf(kinds, each, 'skip')))).flat();
  return existingTargets(helm.client, difference(targets, before), release, takeOwnership);
}

async function targetsOf(kinds: Kinds, release: Release, unknown: 'refuse' | 'skip') {
  const targets = await resolveTargets(kinds, parseManifest(release.manifest ?? ''), release.namespace, unknown);
  return targets.map(target => ({ ...target, object: owned(target.object, release) }));
}

/** Where an operation begins: it skips what it has nothing to do for. */
export function firstStep(release: Release, definitions: readonly string[], noHooks: boolean | undefined): Step {
  if (definitions.length > 0) return 'crds';
  return noHooks || !release.hooks?.length ? 'apply' : 'before';
}

/** How the objects of a new revision are written, after what is asked and how they were last time. */
export function applyMethod(asked: 'true' | 'false' | 'auto', last: Release): 'ssa' | 'csa' {
  if (asked === 'auto') return last.apply_method === 'ssa' ? 'ssa' : 'csa';
  return asked === 'true' ? 'ssa' : 'csa';
}

/** Makes room in the history, then the new revision, held. */
export async function beginRevision(
  helm: Helm,
  history: readonly StoredRelease[],
  release: Release,
  journal: Pick<Journal, 'operation' | 'intent' | 'step'>,
  limit: number = DEFAULT_HISTORY,
): Promise<Holding> {
  const releases = history.map(stored => stored.release);
  for (const version of revisionsToDrop(releases, limit)) await helm.store.remove({ ...release, version });
  return Holding.begin(helm, release, { id: uuid(helm.random), ...journal });
}

/** `--create-namespace`, with the label that Helm gives it. */
export async function ensureNamespace({ client, namespace: name }: Helm): Promise<void> {
  try {
    await client.get(namespaces, { name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.apply(namespaces, { metadata: { name, labels: { name } } }, { owner: 'helm' });
  }
}

/** As Go prints a moment: no more digits than it takes. */
export const nowText = ({ clock }: Helm): string => microTimestamp(clock.now()).replace(/\.?0*Z$/, 'Z');
