/** Deletes what is in a namespace, kind by kind, and tells what is left. */
import {
  type Client,
  type DiscoveredResource,
  isNotFound,
  isTransient,
  type KubeObject,
  metadataOnly,
  type Resource,
} from '@capstan/kube';
import type { DeletionProgress } from './conditions.ts';

/** The kinds whose objects live in namespaces and can be deleted, each once, in the version that its group prefers. */
export function deletableKinds(all: readonly DiscoveredResource[]): DiscoveredResource[] {
  const kinds = new Map<string, DiscoveredResource>();
  for (const kind of all) {
    const key = `${kind.plural}.${kind.group}`;
    if (kind.namespaced && kind.verbs.includes('delete') && kind.verbs.includes('list') && !kinds.has(key)) {
      kinds.set(key, kind);
    }
  }
  // The same Events are shown by two groups.
  if (kinds.has('events.')) kinds.delete('events.events.k8s.io');
  return [...kinds.values()];
}

/**
 * One round over all kinds. Pods go first, and nothing else goes while there are any: what they use on their way out (a ConfigMap, a
 * Secret) stays until they have ended.
 */
export async function deleteContent(
  client: Client,
  namespace: string,
  kinds: readonly DiscoveredResource[],
): Promise<DeletionProgress> {
  const failures: string[] = [];
  const remaining = new Map<string, number>();
  const finalizers = new Map<string, number>();
  const empty = async (kind: DiscoveredResource): Promise<void> => {
    try {
      const left = await emptyKind(client, namespace, kind);
      if (left.length > 0) remaining.set(`${kind.plural}.${kind.group}`, left.length);
      for (const finalizer of left.flatMap(({ metadata }) => metadata.finalizers ?? [])) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
      // Without a server to ask, the other kinds would fail as well.
      if (isTransient(error)) throw error;
    }
  };
  const isPod = ({ group, plural }: DiscoveredResource): boolean => group === '' && plural === 'pods';
  for (const kind of kinds.filter(isPod)) await empty(kind);
  if (remaining.size > 0) return { failures, remaining, finalizers };
  for (const kind of kinds.filter(kind => !isPod(kind))) await empty(kind);
  return { failures, remaining, finalizers };
}

/** Deletes all objects of a kind in the namespace and gives those that are still there. */
async function emptyKind(client: Client, namespace: string, kind: DiscoveredResource): Promise<readonly KubeObject[]> {
  const found = await listed(client, namespace, kind);
  const begun = found.every(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (begun) return found;
  if (kind.verbs.includes('deletecollection')) {
    await client.deleteCollection(kind, { namespace, propagation: 'Background', retry: 'idempotent' });
  } else {
    for (const { metadata } of found) await deleteOne(client, kind, metadata);
  }
  return listed(client, namespace, kind);
}

/** A kind that was removed meanwhile has no objects. */
async function listed(client: Client, namespace: string, kind: Resource): Promise<readonly KubeObject[]> {
  try {
    return (await client.listAll(metadataOnly(kind), { namespace, limit: 500 })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function deleteOne(
  client: Client,
  kind: Resource,
  { namespace, name, uid }: KubeObject['metadata'],
): Promise<void> {
  try {
    await client.delete(kind, { namespace, name }, { preconditions: { uid }, propagation: 'Background' });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
