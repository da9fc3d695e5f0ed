/** How many Pods the workloads behind some Pods ask for. */
import { type Cache, controllerOf } from '@capstan/controller';
import { deployments, type OwnerReference, type Pod, replicaSets, statefulSets } from '@capstan/kube';

/** A Pod belongs to something whose size is not known. */
export class NoScale extends Error {
  override readonly name = 'NoScale';
}

/** Pods without a controller are left out; `unmanaged` names them. */
export async function expectedScale(
  pods: readonly Pod[],
  cache: Cache,
): Promise<{ readonly scale: number; readonly unmanaged: readonly string[] }> {
  const sizes = new Map<string, number>();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) unmanaged.push(pod.metadata.name);
    else {
      const { uid, size } = await sizeOf(owner, pod, cache);
      sizes.set(uid, size);
    }
  }
  return { scale: [...sizes.values()].reduce((sum, size) => sum + size, 0), unmanaged };
}

interface Sized {
  readonly uid: string;
  readonly size: number;
}

async function sizeOf(owner: OwnerReference, pod: Pod, cache: Cache): Promise<Sized> {
  const reference = { namespace: pod.metadata.namespace, name: owner.name };
  const isOurs = (found: { readonly metadata: { readonly uid?: string } } | undefined): boolean =>
    found?.metadata.uid === owner.uid;
  if (owner.kind === 'StatefulSet') {
    const set = await cache.get(statefulSets, reference);
    if (isOurs(set)) return { uid: owner.uid, size: set!.spec.replicas ?? 1 };
  }
  if (owner.kind === 'ReplicaSet') {
    const set = await cache.get(replicaSets, reference);
    if (isOurs(set)) {
      const above = controllerOf(set!);
      const deployment =
        above?.kind === 'Deployment' ? await cache.get(deployments, { ...reference, name: above.name }) : undefined;
      // The ReplicaSets of a Deployment share its size: in a rollout there are several.
      if (deployment !== undefined && deployment.metadata.uid === above?.uid) {
        return { uid: above!.uid, size: deployment.spec.replicas ?? 1 };
      }
      return { uid: owner.uid, size: set!.spec.replicas ?? 1 };
    }
  }
  throw new NoScale(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
}
