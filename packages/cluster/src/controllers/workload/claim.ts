/**
 * Which objects belong to a workload: those that name it as their controller and match its selector. Strays that match and have no
 * controller are adopted, those that no longer match are let go. This is how `kubectl label` takes a Pod out of a Deployment, and how
 * a ReplicaSet that was deleted with `--cascade=orphan` and created again finds its Pods.
 */
import { controllerOf, ownerReference } from '@capstan/controller';
import {
  type Client,
  isInvalid,
  isNotFound,
  type KubeObject,
  type LabelMatcher,
  type Labels,
  type Resource,
} from '@capstan/kube';

export interface Claim<T> {
  /** Ours already. */
  readonly owned: readonly T[];
  readonly adopt: readonly T[];
  readonly release: readonly T[];
}

type LabelledMatcher = Pick<LabelMatcher, 'matches'>;

/** Sorts the objects of a workload's namespace. One that is being deleted takes and lets go of nothing. */
export function decideClaim<T extends KubeObject>(
  owner: KubeObject,
  selector: LabelledMatcher,
  objects: readonly T[],
): Claim<T> {
  const leaving = owner.metadata.deletionTimestamp !== undefined;
  const claim = { owned: [] as T[], adopt: [] as T[], release: [] as T[] };
  for (const object of objects) {
    const controller = controllerOf(object);
    const matches = selector.matches(object.metadata.labels as Labels | undefined);
    if (controller === undefined) {
      if (matches && !leaving && object.metadata.deletionTimestamp === undefined) claim.adopt.push(object);
    } else if (controller.uid === owner.metadata.uid) {
      if (matches) claim.owned.push(object);
      else if (!leaving) claim.release.push(object);
    }
  }
  return claim;
}

export interface ClaimOptions<T extends KubeObject, O extends KubeObject> {
  readonly client: Client;
  readonly kind: Resource<T>;
  readonly owner: O;
  readonly ownerKind: Resource<O>;
  readonly selector: LabelledMatcher;
  /** A finalizer that goes on with the adoption and off with the release. */
  readonly finalizer?: string;
}

/**
 * Decides and acts; gives what is owned afterwards. Before the first adoption the owner is asked for anew: the cache may not know yet
 * that it is being deleted, and what it adopted then would be deleted with it.
 */
export async function claimObjects<T extends KubeObject, O extends KubeObject>(
  objects: readonly T[],
  options: ClaimOptions<T, O>,
): Promise<readonly T[]> {
  const { client, kind, owner, ownerKind, selector } = options;
  const { owned, adopt, release } = decideClaim(owner, selector, objects);
  for (const object of release) await releaseObject(object, options);
  if (adopt.length === 0) return owned;
  const { namespace, name, uid } = owner.metadata;
  const fresh = await client.get(ownerKind, { namespace, name });
  if (fresh.metadata.uid !== uid || fresh.metadata.deletionTimestamp !== undefined) return owned;
  const adopted: T[] = [];
  for (const object of adopt) {
    const { metadata } = object;
    const ownerReferences = [...(metadata.ownerReferences ?? []), ownerReference(owner)];
    const finalizers = withFinalizer(metadata.finalizers, options.finalizer);
    const guarded = { uid: metadata.uid, resourceVersion: metadata.resourceVersion, ownerReferences, ...finalizers };
    const done = await client
      .patch(kind, { namespace, name: metadata.name }, { merge: { metadata: guarded } })
      .catch(unlessGone);
    if (done !== undefined) adopted.push(done);
  }
  return [...owned, ...adopted];
}

async function releaseObject<T extends KubeObject, O extends KubeObject>(
  { metadata }: T,
  { client, kind, owner, finalizer }: ClaimOptions<T, O>,
): Promise<void> {
  const ownerReferences = metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid) ?? [];
  const finalizers = finalizer === undefined ? {} : { finalizers: metadata.finalizers?.filter(f => f !== finalizer) };
  const { uid, resourceVersion, namespace, name } = metadata;
  const merge = { metadata: { uid, resourceVersion, ownerReferences, ...finalizers } };
  await client.patch(kind, { namespace, name }, { merge }).catch(error => {
    if (!isInvalid(error)) unlessGone(error);
  });
}

function withFinalizer(existing: readonly string[] = [], finalizer: string | undefined): object {
  if (finalizer === undefined || existing.includes(finalizer)) return {};
  return { finalizers: [...existing, finalizer] };
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
