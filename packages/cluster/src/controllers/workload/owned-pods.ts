/** The Pods of a workload. */
import { type Cache, controllerOf } from '@capstan/controller';
import {
  type Client,
  type KubeObject,
  type LabelSelector,
  labelSelectorMatcher,
  type Pod,
  pods,
  type Resource,
} from '@capstan/kube';
import { claimObjects } from './claim.ts';

export type PodOwner = KubeObject & { readonly spec: { readonly selector?: LabelSelector | undefined } };

/** Those that it controls and selects, as the cache has them now. */
export async function ownedPods({ metadata, spec }: PodOwner, cache: Cache): Promise<readonly Pod[]> {
  const selector = labelSelectorMatcher(spec.selector);
  const owned = await cache.list(pods, { namespace: metadata.namespace, owner: metadata.uid });
  return owned.filter(pod => controllerOf(pod)?.uid === metadata.uid && selector.matches(pod.metadata.labels));
}

export interface ClaimPodsOptions<O extends PodOwner> {
  readonly client: Client;
  readonly cache: Cache;
  readonly ownerKind: Resource<O>;
  /** Which strays may be adopted at all. Default: those that the selector matches. */
  readonly adoptable?: (pod: Pod) => boolean;
  /** See `ClaimOptions`. */
  readonly finalizer?: string;
}

/** The same, after strays were adopted and those that no longer match let go. */
export async function claimPods<O extends PodOwner>(
  owner: O,
  { client, cache, ownerKind, adoptable = () => true, finalizer }: ClaimPodsOptions<O>,
): Promise<readonly Pod[]> {
  const { namespace, uid } = owner.metadata;
  const candidates = (await cache.list(pods, { namespace })).filter(pod => {
    const controller = controllerOf(pod);
    return controller === undefined ? adoptable(pod) : controller.uid === uid;
  });
  const selector = labelSelectorMatcher(owner.spec.selector);
  return claimObjects(candidates, {
    client,
    kind: pods,
    owner,
    ownerKind,
    selector,
    ...(finalizer !== undefined && { finalizer }),
  });
}
