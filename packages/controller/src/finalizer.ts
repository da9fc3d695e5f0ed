import { type Client, isNotFound, type KubeObject, type Resource } from '@capstan/kube';

export interface Finalizer<T extends KubeObject> {
  /** `domain/name`, e.g. `robot.k8s4r.io/task`. */
  readonly name: string;
  /** Undoes what the object stands for. It may run many times. `'waiting'` means that it is not finished: look again later. */
  cleanup(object: T): Promise<'cleaned' | 'waiting'>;
}

/** Where an object stands with a finalizer. */
export type Finalized<T extends KubeObject> =
  /** Not being deleted, and the finalizer is on it. Go on with this `object`: it may be newer than the one handed in. */
  | { readonly state: 'live'; readonly object: T }
  /** Being deleted; the clean-up is not finished. */
  | { readonly state: 'waiting' }
  /** Being deleted, and nothing is left to do. */
  | { readonly state: 'gone' };

/**
 * Puts a finalizer on an object before anything is done for it, and on deletion cleans up and takes it off. Both writes are
 * guarded by the version that the decision was made on: a Conflict means that the object changed, and the next reconcile decides anew.
 *
 * @example
 * const task = await finalize(client, tasks, found, { name: 'robot.k8s4r.io/task', cleanup });
 * if (task.state !== 'live') return done();
 */
export async function finalize<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  object: T,
  { name, cleanup }: Finalizer<T>,
): Promise<Finalized<T>> {
  const { finalizers = [], deletionTimestamp, resourceVersion, namespace } = object.metadata;
  const present = finalizers.includes(name);
  const write = (wanted: readonly string[]): Promise<T> =>
    client.patch(
      resource,
      { namespace, name: object.metadata.name },
      { merge: { metadata: { resourceVersion, finalizers: wanted } } },
    );
  if (deletionTimestamp === undefined) {
    return { state: 'live', object: present ? object : await write([...finalizers, name]) };
  }
  if (!present) return { state: 'gone' };
  if ((await cleanup(object)) === 'waiting') return { state: 'waiting' };
  try {
    await write(finalizers.filter(other => other !== name));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return { state: 'gone' };
}
