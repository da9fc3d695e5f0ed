/**
 * The history of a StatefulSet or DaemonSet: one ControllerRevision for each template that it had. Pods carry the revision they
 * were made from, so that an update can be told from what it updates, and undone.
 */
import { type Cache, ownerReference } from '@capstan/controller';
import {
  type Client,
  type ControllerRevision,
  controllerRevisions,
  isAlreadyExists,
  isNotFound,
  type Json,
  type KubeObject,
  type LabelSelector,
  labelSelectorMatcher,
  type NewObject,
  type PodTemplate,
  type Resource,
} from '@capstan/kube';
import { claimObjects } from './claim.ts';
import { canonical, templateHash } from './template-hash.ts';

/** On Pods: the revision that they were made from. */
export const REVISION_LABEL = 'controller-revision-hash';
/** On revisions of StatefulSets, where those of DaemonSets carry the label of their Pods. */
const STATEFUL_HASH_LABEL = 'controller.kubernetes.io/hash';

/** A kind whose templates are kept as revisions. */
export type Versioned = KubeObject & {
  readonly spec: { readonly selector: LabelSelector; readonly template: PodTemplate };
  readonly status?: { readonly collisionCount?: number };
};

const LONGEST_PREFIX = 223;

/** All revisions of the owner, the oldest first. Strays are adopted. */
export async function listRevisions<O extends Versioned>(
  owner: O,
  ownerKind: Resource<O>,
  client: Client,
  cache: Cache,
): Promise<readonly ControllerRevision[]> {
  const { namespace } = owner.metadata;
  const selector = labelSelectorMatcher(owner.spec.selector);
  const all = (await cache.list(controllerRevisions, { namespace })).filter(({ metadata }) =>
    // One that lost its label is still ours: it is not let go of.
    selector.matches(metadata.labels),
  );
  const owned = await claimObjects(all, { client, kind: controllerRevisions, owner, ownerKind, selector });
  return owned.toSorted(byRevision);
}

function byRevision(left: ControllerRevision, right: ControllerRevision): number {
  return left.revision - right.revision || left.metadata.name.localeCompare(right.metadata.name);
}

/** What a revision keeps of its owner: a patch that puts the template back. */
export function revisionData({ spec }: Versioned): Readonly<Record<string, unknown>> {
  return { spec: { template: { ...spec.template, $patch: 'replace' } } };
}

/** The template that a revision holds. */
export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { template } = (data as { spec: { template: PodTemplate & { $patch?: string } } }).spec;
  const { $patch: _, ...rest } = template;
  return rest;
}

export function sameData(left: unknown, right: unknown): boolean {
  return canonical(left as Json) === canonical(right as Json);
}

export function newRevision(owner: Versioned, revision: number, collisions: number): NewObject<ControllerRevision> {
  const data = revisionData(owner);
  const hash = templateHash(data, collisions);
  const { name, namespace, annotations } = owner.metadata;
  const hashLabel = owner.kind === 'StatefulSet' ? STATEFUL_HASH_LABEL : REVISION_LABEL;
  return {
    metadata: {
      name: `${name.slice(0, LONGEST_PREFIX)}-${hash}`,
      namespace,
      labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash },
      ...(annotations && { annotations }),
      ownerReferences: [ownerReference(owner)],
    },
    data,
    revision,
  };
}

export interface UpdateRevision {
  readonly revision: ControllerRevision;
  readonly collisions: number;
}

/**
 * The revision of the owner's template as it is now: the last one, or an earlier one that becomes the last again (a rollback), or a
 * new one.
 */
export async function updateRevision(
  owner: Versioned,
  revisions: readonly ControllerRevision[],
  client: Client,
): Promise<UpdateRevision> {
  const data = revisionData(owner);
  const collisions = owner.status?.collisionCount ?? 0;
  const next = (revisions.at(-1)?.revision ?? 0) + 1;
  const equal = revisions.findLast(each => sameData(each.data, data));
  if (equal !== undefined && equal === revisions.at(-1)) return { revision: equal, collisions };
  if (equal !== undefined) {
    const revision = await client.update(controllerRevisions, { ...equal, revision: next });
    return { revision, collisions };
  }
  return createRevision(owner, next, collisions, client);
}

async function createRevision(
  owner: Versioned,
  number: number,
  collisions: number,
  client: Client,
): Promise<UpdateRevision> {
  const wanted = newRevision(owner, number, collisions);
  try {
    return { revision: await client.create(controllerRevisions, wanted), collisions };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const { namespace, name } = wanted.metadata;
  const existing = await client.get(controllerRevisions, { namespace, name: name! });
  if (sameData(existing.data, wanted.data)) return { revision: existing, collisions };
  return createRevision(owner, number, collisions + 1, client);
}

/** Deletes the oldest revisions beyond the limit, of those that nothing uses any more. */
export async function truncateHistory(
  revisions: readonly ControllerRevision[],
  live: ReadonlySet<string>,
  limit: number,
  client: Client,
): Promise<void> {
  const unused = revisions.filter(({ metadata }) => !live.has(metadata.name));
  for (const { metadata } of unused.slice(0, Math.max(0, unused.length - limit))) {
    const { namespace, name, uid } = metadata;
    await client.delete(controllerRevisions, { namespace, name }, { preconditions: { uid } }).catch(error => {
      if (!isNotFound(error)) throw error;
    });
  }
}
