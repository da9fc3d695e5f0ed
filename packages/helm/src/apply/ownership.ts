/** Which release an object belongs to: a label and two annotations, as Helm writes and checks them. */
import type { Client, DynamicObject, KubeObject } from '@capstan/kube';
import { isNotFound } from '@capstan/kube';
import { ReleaseError } from '../release/errors.ts';
import { isGenerated, placeOf, type Target, targetKey } from './target.ts';

const MANAGED_BY = 'app.kubernetes.io/managed-by';
const RELEASE_NAME = 'meta.helm.sh/release-name';
const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace';
const RESOURCE_POLICY = 'helm.sh/resource-policy';

export interface Owner {
  readonly name: string;
  readonly namespace: string;
}

/** The object, marked as part of the release. */
export function owned(object: DynamicObject, { name, namespace }: Owner): DynamicObject {
  const { metadata } = object;
  const labels = { ...metadata.labels, [MANAGED_BY]: 'Helm' };
  const annotations = { ...metadata.annotations, [RELEASE_NAME]: name, [RELEASE_NAMESPACE]: namespace };
  return { ...object, metadata: { ...metadata, labels, annotations } };
}

/** What stands against an object belonging to the release, in Helm's words; nothing if it does belong. */
export function ownershipProblem({ metadata }: KubeObject, { name, namespace }: Owner): string | undefined {
  const problems = [
    problem('label', metadata.labels, MANAGED_BY, 'Helm'),
    problem('annotation', metadata.annotations, RELEASE_NAME, name),
    problem('annotation', metadata.annotations, RELEASE_NAMESPACE, namespace),
  ].filter(text => text !== undefined);
  return problems.length === 0 ? undefined : `invalid ownership metadata; ${problems.join('; ')}`;
}

function problem(
  what: 'label' | 'annotation',
  map: Readonly<Record<string, string>> | undefined,
  key: string,
  wanted: string,
): string | undefined {
  const actual = map?.[key];
  if (actual === wanted) return undefined;
  const why =
    actual === undefined
      ? `missing key "${key}": must be set to "${wanted}"`
      : `key "${key}" must equal "${wanted}": current value is "${actual}"`;
  return `${what} validation error: ${why}`;
}

/** `helm.sh/resource-policy: keep`: not to be removed, whatever becomes of the release. */
export function isKept({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[RESOURCE_POLICY]?.trim().toLowerCase() === 'keep';
}

/**
 * Looks whether objects that a release is about to make are there already, and refuses those of someone else.
 *
 * @returns the keys of those that exist
 */
export async function existingTargets(
  client: Client,
  targets: readonly Target[],
  owner: Owner,
  takeOwnership: boolean,
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    targets.map(async target => {
      if (isGenerated(target)) return undefined;
      const live = await readLive(client, target);
      if (live === undefined) return undefined;
      const problem = takeOwnership ? undefined : ownershipProblem(live, owner);
      if (problem === undefined) return targetKey(target);
      const { kind, metadata } = target.object;
      throw new ReleaseError(
        'NotOwned',
        `${kind} "${metadata.name}" in namespace "${metadata.namespace ?? ''}" exists and cannot be imported into the ` +
          `current release: ${problem}`,
      );
    }),
  );
  return new Set(found.filter(key => key !== undefined));
}

/** The object as it is on the server; undefined if it is not there. */
export async function readLive(client: Client, { resource, object }: Target): Promise<DynamicObject | undefined> {
  try {
    return await client.get(resource, placeOf(object));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
